/* SPDX-License-Identifier: MIT */
/* From the channels of a bone to its own matrix: turned after being scaled. */

static void turn_by_quaternions(lanes *into, REAL q[4][SKL_FRAMES]) {
    FRAMES(l) {
        const REAL squares = ((q[0][l] * q[0][l] + q[1][l] * q[1][l]) + q[2][l] * q[2][l]) + q[3][l] * q[3][l];
        const int some = squares != 0;
        const REAL by = 1 / REAL_SQRT(some ? squares : 1);
        /* a quaternion of zeros is half a turn about X */
        const double w = sqrt(2.0) * (double)(some ? q[0][l] * by : 0),
                     x = sqrt(2.0) * (double)(some ? q[1][l] * by : 1);
        const double y = sqrt(2.0) * (double)(some ? q[2][l] * by : 0),
                     z = sqrt(2.0) * (double)(some ? q[3][l] * by : 0);
        into->at[0][0][l] = (REAL)(1 - y * y - z * z);
        into->at[0][1][l] = (REAL)(w * z + x * y);
        into->at[0][2][l] = (REAL)(x * z - w * y);
        into->at[1][0][l] = (REAL)(x * y - w * z);
        into->at[1][1][l] = (REAL)(1 - x * x - z * z);
        into->at[1][2][l] = (REAL)(w * x + y * z);
        into->at[2][0][l] = (REAL)(w * y + x * z);
        into->at[2][1][l] = (REAL)(y * z - w * x);
        into->at[2][2][l] = (REAL)(1 - x * x - y * y);
    }
}

static void turn_about_axes(lanes *into, REAL q[4][SKL_FRAMES]) {
    FRAMES(l) {
        const REAL squares = (q[1][l] * q[1][l] + q[2][l] * q[2][l]) + q[3][l] * q[3][l];
        const int some = squares > (REAL)1e-35;
        const REAL by = 1 / REAL_SQRT(some ? squares : 1);
        const REAL x = some ? q[1][l] * by : 0, y = some ? q[2][l] * by : 0, z = some ? q[3][l] * by : 0;
        const REAL s = some ? REAL_SIN(q[0][l]) : 0, c = some ? REAL_COS(q[0][l]) : 1, rest = 1 - c;
        const REAL xs = x * s, ys = y * s, zs = z * s;
        const REAL xx = (x * x) * rest, xy = (x * y) * rest, yy = (y * y) * rest;
        const REAL xz = (x * z) * rest, yz = (y * z) * rest, zz = (z * z) * rest;
        into->at[0][0][l] = xx + c;
        into->at[0][1][l] = xy + zs;
        into->at[0][2][l] = xz - ys;
        into->at[1][0][l] = xy - zs;
        into->at[1][1][l] = yy + c;
        into->at[1][2][l] = yz + xs;
        into->at[2][0][l] = xz + ys;
        into->at[2][1][l] = yz - xs;
        into->at[2][2][l] = zz + c;
    }
}

/* The axes in the order in which they turn, for the Euler modes. */
static const uint8_t euler_axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

static void turn_by_eulers(lanes *into, const uint8_t axes[3], REAL q[4][SKL_FRAMES]) {
    const int i = axes[0], j = axes[1], k = axes[2];
    const double sign = (j - i + 3) % 3 == 1 ? 1 : -1; /* of the order as a permutation */
    FRAMES(l) {
        const double a = sign * (double)q[i][l], b = sign * (double)q[j][l], c = sign * (double)q[k][l];
        const double ca = cos(a), sa = sin(a), cb = cos(b), sb = sin(b), cc = cos(c), sc = sin(c);
        const double caca = ca * cc, casc = ca * sc, sacc = sa * cc, sasc = sa * sc;
        into->at[i][i][l] = (REAL)(cb * cc);
        into->at[j][i][l] = (REAL)(sb * sacc - casc);
        into->at[k][i][l] = (REAL)(sb * caca + sasc);
        into->at[i][j][l] = (REAL)(cb * sc);
        into->at[j][j][l] = (REAL)(sb * sasc + caca);
        into->at[k][j][l] = (REAL)(sb * casc - sacc);
        into->at[i][k][l] = (REAL)-sb;
        into->at[j][k][l] = (REAL)(cb * sa);
        into->at[k][k][l] = (REAL)(cb * ca);
    }
}

/* Numbers of a bone in `count` frames; those of the last frame where the tile has more. */
static void take_channel(REAL (*into)[SKL_FRAMES], int width, const skl_channel *from, int64_t first, int count,
                         int64_t bone) {
    FRAMES(l) {
        const REAL *at = (const REAL *)from->data + (first + (l < count ? l : count - 1)) * from->step + bone * width;
        for (int i = 0; i < width; i++) into[i][l] = at[i];
    }
}

/* The matrix of a bone's channels. */
static void channels_matrix(const skl_blender_pose_job *job, int64_t first, int count, int64_t bone, lanes *into) {
    static const fixed none = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
    REAL q[4][SKL_FRAMES], s[3][SKL_FRAMES];
    lanes_fill(into, &none);
    if (job->rotation.data) {
        const uint8_t mode = job->modes[bone];
        take_channel(q, 4, &job->rotation, first, count, bone);
        if (mode == SKL_ROTATE_QUATERNION)
            turn_by_quaternions(into, q);
        else if (mode == SKL_ROTATE_AXIS_ANGLE)
            turn_about_axes(into, q);
        else
            turn_by_eulers(into, euler_axes[mode - SKL_ROTATE_XYZ], q);
    }
    if (job->scale.data) {
        take_channel(s, 3, &job->scale, first, count, bone);
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++) FRAMES(l) into->at[c][r][l] *= s[c][l];
    }
    const int connected = job->bones->connected[bone] && job->bones->parents[bone] >= 0;
    if (job->location.data && !connected) take_channel(into->at[3], 3, &job->location, first, count, bone);
}
