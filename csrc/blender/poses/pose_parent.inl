/* SPDX-License-Identifier: MIT */
/* What a bone gets from its parent: by the options for inheriting scale and rotation, and for its location. */

/* A 3 x 3 of one frame: a[column][row]. */
typedef REAL columns[3][3];

static REAL dot3(const REAL a[3], const REAL b[3]) { return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2]; }

/* The length, and the vector at another one; one too short becomes 0. */
static REAL set_length3(REAL v[3], REAL to) {
    const REAL squares = dot3(v, v);
    const int some = squares > (REAL)1e-35;
    const REAL length = some ? REAL_SQRT(squares) : 0, by = some ? to / length : 0;
    for (int i = 0; i < 3; i++) v[i] *= by;
    return length;
}

static REAL normalise3(REAL v[3]) { return set_length3(v, 1); }

static void cross3(REAL into[3], const REAL a[3], const REAL b[3]) {
    into[0] = a[1] * b[2] - a[2] * b[1];
    into[1] = a[2] * b[0] - a[0] * b[2];
    into[2] = a[0] * b[1] - a[1] * b[0];
}

static REAL determinant3(columns a) {
    return (a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[1][0] * (a[0][1] * a[2][2] - a[0][2] * a[2][1])) +
           a[2][0] * (a[0][1] * a[1][2] - a[0][2] * a[1][1]);
}

/* X and Z at right angles to Y; each of them takes half of what is left of their shear. `unit`: all of length 1. */
static void orthogonalise(columns a, int unit) {
    REAL *x = a[0], *y = a[1], *z = a[2], n[3];
    const REAL squares = dot3(y, y);
    if (squares > 0) {
        const REAL along_x = dot3(x, y) / squares, along_z = dot3(z, y) / squares;
        for (int i = 0; i < 3; i++) {
            x[i] += y[i] * -along_x;
            z[i] += y[i] * -along_z;
        }
        if (unit)
            for (int i = 0; i < 3; i++) y[i] *= 1 / REAL_SQRT(squares);
    }
    REAL p[3] = {x[0], x[1], x[2]}, q[3] = {z[0], z[1], z[2]};
    const REAL long_x = normalise3(p), long_z = normalise3(q), shear = dot3(p, q);
    if (REAL_ABS(shear) > (REAL)1e-4 && REAL_ABS(shear) < (REAL)(1 - 1.1920929e-7)) {
        const REAL angle = REAL_ACOS(shear), goal = angle + ((REAL)1.57079632679489661923 - angle) / 2;
        for (int i = 0; i < 3; i++) p[i] += q[i] * -shear;
        set_length3(p, REAL_SIN(goal));
        for (int i = 0; i < 3; i++) p[i] += q[i] * REAL_COS(goal);
        cross3(n, p, q);
        cross3(q, n, p);
        normalise3(q);
        if (!unit) {
            const REAL by = REAL_SQRT(REAL_SIN(angle));
            for (int i = 0; i < 3; i++) {
                x[i] = p[i] * (long_x * by);
                z[i] = q[i] * (long_z * by);
            }
        }
    }
    if (unit)
        for (int i = 0; i < 3; i++) {
            x[i] = p[i];
            z[i] = q[i];
        }
}

/* Lengths of the columns; `keep_volume` scales them so that their product is the volume. */
static void lengths3(columns a, int keep_volume, REAL into[3]) {
    for (int c = 0; c < 3; c++) into[c] = REAL_SQRT(dot3(a[c], a[c]));
    const REAL product = into[0] * into[1] * into[2];
    if (!keep_volume || !(product > 0)) return;
    const REAL by = REAL_CBRT(REAL_ABS(determinant3(a) / product));
    for (int c = 0; c < 3; c++) into[c] *= by;
}

/* What one frame inherits: `a` comes as the parent's posed axes and leaves as the factor; `rest` are the parent's. */
static void inherit_axes(columns a, const fixed *rest, int turns, int mode, REAL after[3]) {
    columns b;
    REAL by[3] = {1, 1, 1};
    for (int c = 0; c < 3; c++) after[c] = 1;
    if (turns) {
        if (mode == SKL_INHERIT_ALIGNED) {
            orthogonalise(a, 0);
            for (int c = 0; c < 3; c++) after[c] = normalise3(a[c]);
        } else if (mode == SKL_INHERIT_AVERAGE) {
            const REAL size = REAL_CBRT(REAL_ABS(determinant3(a)));
            orthogonalise(a, 1);
            for (int c = 0; c < 3; c++)
                for (int r = 0; r < 3; r++) a[c][r] *= size;
        } else if (mode == SKL_INHERIT_NONE) {
            orthogonalise(a, 1);
        } else if (mode == SKL_INHERIT_NONE_LEGACY) {
            for (int c = 0; c < 3; c++) normalise3(a[c]);
        }
        return;
    }
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) b[c][r] = rest->at[c][r];
    if (mode == SKL_INHERIT_ALIGNED) {
        lengths3(a, 1, after);
    } else if (mode == SKL_INHERIT_FULL || mode == SKL_INHERIT_FIX_SHEAR) {
        lengths3(a, mode == SKL_INHERIT_FIX_SHEAR, by);
    } else if (mode == SKL_INHERIT_AVERAGE) {
        by[0] = by[1] = by[2] = REAL_CBRT(REAL_ABS(determinant3(a)));
    }
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) a[c][r] = b[c][r] * by[c];
}

/* How a bone follows its parent: the axes of its pose are turn * its own, each then times `after`; its head is `place`
 * applied to its location. `after` holds where `stretched`. */
typedef struct followed {
    lanes turn, place;
    REAL after[3][SKL_FRAMES];
    int stretched;
} followed;

static void take_columns(columns into, const lanes *from, int l) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) into[c][r] = from->at[c][r][l];
}

static void put_columns(lanes *into, columns from, int l) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) into->at[c][r][l] = from[c][r];
}

/* A root: as it is at rest. */
static void follow_nothing(const skl_blender_bones *bones, int64_t bone, followed *f) {
    static const REAL straight[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    fixed at;
    fixed_take(&at, bones->rest + 16 * bone);
    lanes_fill(&f->turn, &at);
    if (!bones->local_location[bone]) memcpy(at.at, straight, sizeof straight);
    lanes_fill(&f->place, &at);
    f->stretched = 0;
}

static void follow_parent(const skl_blender_bones *bones, int64_t bone, const lanes *parent, followed *f) {
    const int mode = bones->inherit_scale[bone], turns = bones->inherit_rotation[bone];
    const fixed offset = fixed_offset(bones, bone);
    fixed rest;
    columns a;
    fixed_take(&rest, bones->rest + 16 * bones->parents[bone]);
    lanes_times_fixed(&f->place, parent, &offset);
    f->stretched = 0;
    if (mode == SKL_INHERIT_FULL && turns) {
        f->turn = f->place;
    } else {
        lanes factor = *parent;
        FRAMES(l) {
            REAL after[3];
            take_columns(a, parent, l);
            inherit_axes(a, &rest, turns, mode, after);
            put_columns(&factor, a, l);
            for (int c = 0; c < 3; c++) f->after[c][l] = after[c];
        }
        f->stretched = mode == SKL_INHERIT_ALIGNED;
        lanes_times_fixed(&f->turn, &factor, &offset);
        if (mode == SKL_INHERIT_FIX_SHEAR) FRAMES(l) {
                take_columns(a, &f->turn, l);
                orthogonalise(a, 0);
                put_columns(&f->turn, a, l);
            }
    }
    if (!bones->local_location[bone]) {
        lanes at;
        lanes_fill(&at, &offset);
        memcpy(f->place.at, parent->at, sizeof f->place.at[0] * 3);
        lanes_move(&f->place, parent, &at);
    }
}
