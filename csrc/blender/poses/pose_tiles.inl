/* SPDX-License-Identifier: MIT */
/* Tiles of poses, forwards and back; REAL and its functions as in frame_lanes.inl, REAL_TILE(verb) is a name. */
#include "frame_lanes.inl"

#include "pose_channels.inl"
#include "pose_parent.inl"

static void put_matrices(const lanes *from, REAL *out, int64_t bones, int64_t bone, int count) {
    for (int l = 0; l < count; l++) {
        REAL *to = out + (l * bones + bone) * 16;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) to[4 * r + c] = from->at[c][r][l];
        to[12] = to[13] = to[14] = 0;
        to[15] = 1;
    }
}

static void follow(const skl_blender_bones *bones, int64_t bone, const lanes *poses, followed *f) {
    if (bones->parents[bone] < 0)
        follow_nothing(bones, bone, f);
    else
        follow_parent(bones, bone, poses + bones->parents[bone], f);
}

/* A bone's matrix, of what it gets from its parent and of its channels' matrix. */
static void compose(const followed *f, const lanes *own, lanes *pose) {
    lanes_times_lanes(pose, &f->turn, own);
    if (f->stretched)
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++) FRAMES(l) pose->at[c][r][l] *= f->after[c][l];
    lanes_move(pose, &f->place, own);
}

void REAL_TILE(pose)(const skl_blender_pose_job *job, int64_t first, int count, void *scratch) {
    const skl_blender_bones *bones = job->bones;
    lanes *poses = scratch, own;
    followed f;
    for (int64_t bone = 0; bone < bones->num_bones; bone++) {
        lanes *pose = poses + bone;
        follow(bones, bone, poses, &f);
        channels_matrix(job, first, count, bone, &own);
        compose(&f, &own, pose);
        put_matrices(pose, (REAL *)job->out + first * bones->num_bones * 16, bones->num_bones, bone, count);
    }
}

/* x with a x = b, for `width` columns b; of a matrix that is flat but for rounding, zeros. */
static void solve3(columns a, const REAL (*b)[3], int width, REAL (*x)[3]) {
    columns rows;
    cross3(rows[0], a[1], a[2]);
    cross3(rows[1], a[2], a[0]);
    cross3(rows[2], a[0], a[1]);
    const REAL det = dot3(a[0], rows[0]),
               most = REAL_SQRT(dot3(a[0], a[0])) * REAL_SQRT(dot3(a[1], a[1])) * REAL_SQRT(dot3(a[2], a[2]));
    const REAL by = REAL_ABS(det) > (REAL)1e-6 * most ? 1 / det : 0;
    for (int c = 0; c < width; c++)
        for (int r = 0; r < 3; r++) x[c][r] = dot3(rows[r], b[c]) * by;
}

/* The matrix of channels that makes one frame's pose. */
static void local_of_frame(const followed *f, const lanes *pose, int connected, int l, lanes *into) {
    columns a, b;
    REAL away[1][3], x[3][3];
    take_columns(a, &f->turn, l);
    take_columns(b, pose, l);
    if (f->stretched)
        for (int c = 0; c < 3; c++)
            for (int r = 0; r < 3; r++) b[c][r] = f->after[c][l] != 0 ? b[c][r] / f->after[c][l] : 0;
    solve3(a, (const REAL(*)[3])b, 3, x);
    put_columns(into, x, l);
    take_columns(a, &f->place, l);
    for (int r = 0; r < 3; r++) away[0][r] = pose->at[3][r][l] - f->place.at[3][r][l];
    solve3(a, (const REAL(*)[3])away, 1, x);
    for (int r = 0; r < 3; r++) into->at[3][r][l] = connected ? 0 : x[0][r];
}

static void take_matrices(lanes *into, const skl_channel *from, int64_t first, int count, int64_t bone) {
    FRAMES(l) {
        const REAL *at = (const REAL *)from->data + (first + (l < count ? l : count - 1)) * from->step + bone * 16;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 4; c++) into->at[c][r][l] = at[4 * r + c];
    }
}

void REAL_TILE(local)(const skl_blender_local_job *job, int64_t first, int count, void *scratch) {
    const skl_blender_bones *bones = job->bones;
    lanes *poses = scratch, own;
    followed f;
    for (int64_t bone = 0; bone < bones->num_bones; bone++) {
        take_matrices(poses + bone, &job->pose, first, count, bone);
        follow(bones, bone, poses, &f);
        const int connected = bones->connected[bone] && bones->parents[bone] >= 0;
        FRAMES(l) local_of_frame(&f, poses + bone, connected, l, &own);
        put_matrices(&own, (REAL *)job->out + first * bones->num_bones * 16, bones->num_bones, bone, count);
    }
}
