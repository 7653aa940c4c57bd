/* SPDX-License-Identifier: MIT */
#include "read_tracks.h"

#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/affine.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "engine_constants.h"
#include "planting/curves/median.h"
#include "planting/motion/hinges.h"
#include "planting/motion/legs.h"
#include "planting/motion/lone_frames.h"

/* The motion of each joint, of the thigh's and the foot's axes, and of the toe where there is one. */
static skl_code read(skl_read_tracks_job *job, int toes) {
    const int64_t num = job->num_frames, legs = job->rig->num_legs;
    skl_arena *arena = job->arena;
    skl_read_leg *out = job->legs = SKL_TAKE(arena, skl_read_leg, legs);
    for (int64_t k = 0; out && k < legs; k++) {
        const skl_plant_leg *leg = &job->rig->legs[k];
        out[k] = (skl_read_leg){.hip = leg->chain[0],
                                .knee = leg->chain[1],
                                .ankle = leg->chain[2],
                                .toe = leg->toe < 0 ? leg->chain[2] : leg->toe,
                                .hip_at = SKL_TAKE(arena, double, 3 * num),
                                .knee_at = SKL_TAKE(arena, double, 3 * num),
                                .ankle_at = SKL_TAKE(arena, double, 3 * num),
                                .toe_at = toes ? SKL_TAKE(arena, double, 3 * num) : NULL,
                                .foot = SKL_TAKE(arena, double, 9 * num),
                                .thigh = SKL_TAKE(arena, double, 9 * num)};
    }
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    return skl_read_legs(job->rig->skeleton, num, job->local, legs, out, &job->status);
}

static int is_near(const double place[3]) {
    return fabs(place[0]) < TOO_FAR && fabs(place[1]) < TOO_FAR && fabs(place[2]) < TOO_FAR;
}

static skl_code check_places(skl_read_tracks_job *job, int64_t k, const skl_read_leg *leg) {
    const double *const places[3] = {leg->hip_at, leg->knee_at, leg->ankle_at};
    for (int part = 0; part < 3; part++)
        for (int64_t f = 0; f < job->num_frames; f++)
            if (!is_near(places[part] + 3 * f)) {
                skl_fail_in(&job->status, "global", f, job->rig->legs[k].chain[part],
                            "coordinates must be finite and below 1e+100");
                return skl_fail_vector(&job->status, places[part] + 3 * f);
            }
    return SKL_OK;
}

/* The lengths of thigh and shin in each frame. */
static void read_bones(const skl_read_leg *leg, int64_t num, double *thigh, double *shin) {
    for (int64_t f = 0; f < num; f++) {
        thigh[f] = skl_v3_distance(leg->hip_at + 3 * f, leg->knee_at + 3 * f);
        shin[f] = skl_v3_distance(leg->knee_at + 3 * f, leg->ankle_at + 3 * f);
    }
}

/* A length of the size of the largest offset between joints, also where its square is not finite. */
static double largest_offset(const skl_read_leg *leg, int64_t num) {
    double largest = 0.0;
    for (int64_t i = 0; i < 3 * num; i++) {
        largest = fmax(largest, fabs(leg->knee_at[i] - leg->hip_at[i]));
        largest = fmax(largest, fabs(leg->ankle_at[i] - leg->knee_at[i]));
    }
    return largest;
}

/* Frames in which a bone is that short, and the first run of them. */
static int64_t count_short(const double *bone, int64_t num, double least, int64_t span[2]) {
    int64_t count = 0;
    for (int64_t f = 0; f < num; f++) {
        if (bone[f] > least) continue;
        if (!count++)
            span[0] = span[1] = f;
        else if (span[1] == f - 1)
            span[1] = f;
    }
    return count;
}

/* The leg's length, if planting can compute with it. */
static skl_code read_length(skl_read_tracks_job *job, int64_t k, const skl_read_leg *leg, double *length) {
    const int64_t num = job->num_frames;
    const skl_arena mark = *job->arena;
    double *bones[2] = {SKL_TAKE(job->arena, double, num), SKL_TAKE(job->arena, double, num)};
    double *both = SKL_TAKE(job->arena, double, num);
    skl_code code = SKL_OK;
    if (job->arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    read_bones(leg, num, bones[0], bones[1]);
    for (int64_t f = 0; f < num; f++) both[f] = bones[0][f] + bones[1][f];
    *length = skl_median(both, num);
    const double size = *length != 0.0 ? *length : largest_offset(leg, num);
    if (size != 0.0 && !(size >= SHORTEST_LEG && size <= LONGEST_LEG))
        code = skl_fail_at(&job->status, "length", k, size, SKL_LEG_SIZE);
    for (int part = 0; code == SKL_OK && part < 2; part++) {
        int64_t span[2] = {0, 0};
        const int64_t count = count_short(bones[part], num, ONE_PLACE * *length, span);
        if (!(skl_median_of(bones[part], num, both) > ONE_PLACE * *length)) {
            code = skl_fail_in(&job->status, "no_bones", k, part, "hip, knee and ankle must be apart in most frames");
            skl_fail_value(&job->status, (double)count);
        }
        if (job->no_bones) memcpy(job->no_bones + 6 * k + 3 * part, (int64_t[3]){count, span[0], span[1]}, 24);
    }
    skl_arena_back(job->arena, mark);
    return code;
}

/* Where the ball of the foot is, in its own axes. */
static skl_code read_ball(skl_read_tracks_job *job, int64_t k, const skl_read_leg *leg, skl_track *track) {
    const skl_plant_leg *own = &job->rig->legs[k];
    const int64_t num = job->num_frames;
    const skl_arena mark = *job->arena;
    double *reach = SKL_TAKE(job->arena, double, 3 * num), *column = SKL_TAKE(job->arena, double, num), ahead[3];
    if (job->arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    const int64_t flat = skl_seen_from(num, leg->foot, leg->ankle_at, leg->toe_at, reach);
    if (flat < num) return skl_fail_in(&job->status, "foot", k, flat, "no scale may be 0");
    track->has_ball = own->has_end_site;
    memcpy(track->ball, own->end_site, sizeof track->ball);
    if (own->toe >= 0) {
        for (int i = 0; i < 3; i++) {
            for (int64_t f = 0; f < num; f++) column[f] = reach[3 * f + i];
            track->ball[i] = skl_median(column, num);
        }
        skl_m3_transform(leg->foot, track->ball, ahead);
        track->has_ball = skl_v3_length(ahead) >= NO_BALL * track->length;
    }
    track->bends = track->has_ball && own->toe >= 0;
    skl_arena_back(job->arena, mark);
    return SKL_OK;
}

/* The axis of the rest pose, as long as the sine of its flexion. */
static void rest_axis(const skl_plant_rig *rig, const skl_plant_leg *leg, double out[3]) {
    double at[3][3], upper[9], scratch[6];
    for (int i = 0; i < 3; i++) {
        const double *joint = rig->skeleton->rest_global + 16 * leg->chain[i];
        skl_affine_place(joint, at[i]);
        if (i == 0) skl_affine_linear(joint, upper);
    }
    const skl_leg_motion motion = {1, at[0], at[1], at[2]};
    static const double none[3] = {0};
    skl_hinge hinge;
    skl_find_hinge(&motion, upper, NULL, none, scratch, &hinge);
    const double sine = sin(hinge.most * SKL_DEGREE);
    for (int i = 0; i < 3; i++) out[i] = hinge.axis[i] * sine;
}

static skl_code read_hinge(skl_read_tracks_job *job, int64_t k, const skl_read_leg *leg, skl_track *track) {
    const int64_t num = job->num_frames;
    const skl_arena mark = *job->arena;
    double *forward = track->has_ball ? SKL_TAKE(job->arena, double, 3 * num) : NULL, rest[3];
    double *scratch = SKL_TAKE(job->arena, double, 3 * (num + 1));
    if (job->arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    for (int64_t f = 0; forward && f < num; f++) skl_m3_transform(leg->foot + 9 * f, track->ball, forward + 3 * f);
    rest_axis(job->rig, &job->rig->legs[k], rest);
    const skl_leg_motion motion = {num, leg->hip_at, leg->knee_at, leg->ankle_at};
    skl_hinge hinge;
    skl_find_hinge(&motion, leg->thigh, forward, rest, scratch, &hinge);
    memcpy(track->hinge, hinge.axis, sizeof track->hinge);
    skl_arena_back(job->arena, mark);
    return SKL_OK;
}

static int take_motion(skl_read_tracks_job *job, const skl_read_leg *leg, skl_track *track) {
    const skl_leg_motion motion = {job->num_frames, leg->hip_at, leg->knee_at, leg->ankle_at};
    double *flexion = SKL_TAKE(job->arena, double, job->num_frames);
    if (!flexion) return 0;
    skl_knee_flexions(&motion, leg->thigh, track->hinge, flexion);
    track->num_frames = job->num_frames;
    track->hip = leg->hip_at;
    track->knee = leg->knee_at;
    track->ankle = leg->ankle_at;
    track->foot = leg->foot;
    track->flexion = flexion;
    return 1;
}

static skl_code read_leg(skl_read_tracks_job *job, int64_t k, const skl_read_leg *leg) {
    const skl_plant_leg *own = &job->rig->legs[k];
    skl_track *track = &job->tracks[k];
    *track = (skl_track){.has_marker = own->has_marker, .has_rest_up = own->has_rest_up};
    memcpy(track->marker, own->marker, sizeof track->marker);
    memcpy(track->rest_up, own->rest_up, sizeof track->rest_up);
    skl_code code = check_places(job, k, leg);
    if (code == SKL_OK) code = read_length(job, k, leg, &track->length);
    if (code == SKL_OK) code = read_ball(job, k, leg, track);
    if (code == SKL_OK) code = read_hinge(job, k, leg, track);
    if (code == SKL_OK && !take_motion(job, leg, track)) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    return code;
}

skl_code skl_read_tracks_run(skl_read_tracks_job *job) {
    job->status.code = SKL_OK;
    skl_code code = job->legs ? SKL_OK : read(job, 1);
    for (int64_t k = 0; code == SKL_OK && k < job->rig->num_legs; k++) code = read_leg(job, k, &job->legs[k]);
    return code == SKL_OK ? skl_done(&job->status) : code;
}

skl_code skl_flat_frames(skl_read_tracks_job *job, uint8_t *out) {
    memset(out, 0, (size_t)job->num_frames);
    job->status.code = SKL_OK;
    const skl_code code = read(job, 1);
    for (int64_t k = 0; code == SKL_OK && k < job->rig->num_legs; k++)
        skl_mark_flat(job->legs[k].foot, job->num_frames, out);
    if (!memchr(out, 0, (size_t)job->num_frames)) memset(out, 0, (size_t)job->num_frames);
    return code;
}

skl_code skl_read_tracks_like(const skl_plant_rig *rig, int64_t num_frames, const double *local, const skl_track *like,
                              skl_arena *arena, skl_track *out, skl_status *status) {
    skl_read_tracks_job job = {.rig = rig, .num_frames = num_frames, .local = local, .arena = arena};
    if (read(&job, 0) != SKL_OK) return skl_pass_on(&job.status, status);
    for (int64_t k = 0; k < rig->num_legs; k++) {
        out[k] = like[k];
        if (!take_motion(&job, &job.legs[k], &out[k])) return skl_fail(status, SKL_NO_MEMORY, "local", "");
    }
    return skl_done(status);
}

void skl_nearest_real(const uint8_t *alone, int64_t num_frames, int64_t *out) {
    int64_t before = -1, after = 0;
    for (int64_t f = 0; f < num_frames; f++) {
        if (!alone[f]) {
            out[f] = before = f;
            continue;
        }
        for (after = after > f ? after : f; after < num_frames && alone[after]; after++) {
        }
        if (before < 0)
            out[f] = after < num_frames ? after : f;
        else if (after == num_frames)
            out[f] = before;
        else
            out[f] = 2 * (f - before) < after - before ? before : 2 * (f - before) > after - before ? after : -1;
    }
    /* Halfway between two: that of them which is even, counted among the frames of the motion. */
    for (int64_t f = 0, real = -1, last = -1; f < num_frames; f++) {
        if (!alone[f]) {
            real++;
            last = f;
        } else if (out[f] == -1) {
            int64_t next = f;
            while (alone[next]) next++;
            out[f] = real % 2 ? next : last;
        }
    }
}
