/* SPDX-License-Identifier: MIT */
/* From planned ankles to joint matrices: the body's shift, the foot's turn, two-bone IK for each leg. */
#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "engine_constants.h"
#include "planting/motion/legs.h"
#include "planting/motion/read_legs.h"
#include "skelkin/ik.h"
#include "skelkin/kinematics.h"
#include "solve_part.h"

/* What the frames of a block go through. */
typedef struct block {
    skl_solve_part_job *job;
    const uint8_t *moves;
    const double *missed;
    const int32_t *chains;
    const double *bends, *hinges;
    double *pose, *globals;             /* BLOCK frames of poses; */
    double *targets, *weights, *errors; /* of places and numbers per leg */
    uint8_t *status;
} block;

static int is_zero(const double *numbers, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (numbers[i] != 0) return 0;
    return 1;
}

/* One item per frame and leg, strides in numbers of `size` bytes. */
static skl_array per_leg(const void *data, int64_t count, int64_t legs, int64_t by_frame, int64_t by_leg, size_t size) {
    skl_array array = {.data = (void *)data, .step = (int64_t)size, .ndim = 2};
    array.shape[0] = count;
    array.shape[1] = legs;
    array.strides[0] = by_frame * (int64_t)size;
    array.strides[1] = by_leg * (int64_t)size;
    return array;
}

/* Shift the body, as its parent's axes see that. */
static void shift_body(const block *b, int64_t first, int64_t count) {
    const skl_plant_rig *rig = b->job->scene->rig;
    const int64_t joints = rig->skeleton->num_joints, above = rig->skeleton->parents[rig->mover];
    const double *shift = b->job->body + 3 * first;
    for (int64_t f = 0; f < count; f++, shift += 3) {
        double axes[9], seen[3] = {shift[0], shift[1], shift[2]};
        static const double none[3] = {0};
        if (above >= 0) {
            const double *parent = b->globals + 16 * (f * joints + above);
            for (int i = 0; i < 3; i++) memcpy(axes + 3 * i, parent + 4 * i, 3 * sizeof *axes);
            (void)skl_seen_from(1, axes, none, shift, seen);
        }
        double *own = b->pose + 16 * (f * joints + rig->mover);
        for (int i = 0; i < 3; i++) own[4 * i + 3] += seen[i];
    }
}

/* The pose that is solved: the body shifted and the feet turned, as the solve keeps their rotation. */
static skl_code prepare(const block *b, int64_t first, int64_t count) {
    skl_solve_part_job *job = b->job;
    const skl_stance *stances = job->scene->stances;
    const skl_plant_rig *rig = job->scene->rig;
    const int64_t joints = rig->skeleton->num_joints;
    memcpy(b->pose, job->local + 16 * joints * first, (size_t)(16 * joints * count) * sizeof *b->pose);
    const int shifts = rig->mover >= 0 && !is_zero(job->body + 3 * first, 3 * count);
    int turns = 0;
    for (int64_t k = 0; k < rig->num_legs && !turns; k++) turns = !is_zero(stances[k].turn + 3 * first, 3 * count);
    if (!shifts && !turns) return SKL_OK;
    skl_pose_job poses = {.skeleton = rig->skeleton,
                          .dtype = SKL_FLOAT64,
                          .matrices = skl_poses_at(job->local + 16 * joints * first, count, joints, 16),
                          .out = skl_poses_at(b->globals, count, joints, 16),
                          .out_rows = 4};
    if (skl_forward_kinematics_run(&poses) != SKL_OK) return skl_pass_on(&poses.status, &job->status);
    if (shifts) shift_body(b, first, count);
    for (int64_t k = 0; turns && k < rig->num_legs; k++) {
        const int32_t end = rig->legs[k].chain[2];
        skl_turn_ends(count, joints, end, rig->skeleton->parents[end], stances[k].turn + 3 * first, b->globals,
                      b->pose);
    }
    return SKL_OK;
}

static skl_code solve_block(const block *b, int64_t first, int64_t count) {
    skl_solve_part_job *job = b->job;
    const skl_plant_options *options = job->scene->options;
    const skl_plant_rig *rig = job->scene->rig;
    const int64_t joints = rig->skeleton->num_joints, legs = rig->num_legs, num = job->scene->num_frames;
    const skl_code prepared = prepare(b, first, count);
    if (prepared != SKL_OK) return prepared;
    double stretch = options->reach == SKL_STRETCH ? options->stretch : 1.0;
    skl_apply_two_bone_job ik = {.skeleton = rig->skeleton,
                                 .dtype = SKL_FLOAT64,
                                 .chains = b->chains,
                                 .bends = b->bends,
                                 .num_chains = legs,
                                 .local = skl_poses_at(b->pose, count, joints, 16),
                                 .local_rows = 4,
                                 .target = per_leg(b->targets, count, legs, 3 * legs, 3, sizeof(double)),
                                 .hinge = per_leg(b->hinges, 1, legs, 0, 3, sizeof(double)),
                                 .options = {.minimal_roll = 1, /* a nearly straight leg has no plane to carry along: no
                                                                   twist is put into the thigh */
                                             .stretch = {.data = &stretch, .step = sizeof stretch},
                                             .weight = per_leg(b->weights, count, legs, legs, 1, sizeof(double))},
                                 .end_rotation = SKL_KEEP_GLOBAL,
                                 .out = skl_poses_at(job->planted + 16 * joints * first, count, joints, 16),
                                 .out_rows = 4,
                                 .out_status = per_leg(b->status, count, legs, legs, 1, sizeof(uint8_t)),
                                 .out_error = per_leg(b->errors, count, legs, legs, 1, sizeof(double))};
    for (int64_t f = 0; f < count; f++)
        for (int64_t k = 0; k < legs; k++) {
            memcpy(b->targets + 3 * (f * legs + k), job->targets + 3 * (k * num + first + f), 3 * sizeof(double));
            b->weights[f * legs + k] = b->moves[k * num + first + f] ? 1.0 : 0.0;
        }
    if (skl_apply_two_bone_run(&ik) != SKL_OK) return skl_pass_on(&ik.status, &job->status);
    for (int64_t f = 0; f < count; f++)
        for (int64_t k = 0; k < legs; k++) {
            const int64_t at = k * num + first + f;
            const double own = b->moves[at] ? b->errors[f * legs + k] : 0.0;
            job->errors[(first + f) * legs + k] = fmax(own, b->missed[at]);
        }
    return SKL_OK;
}

static void note_changed(const skl_solve_part_job *job, int64_t joint) {
    const int64_t num = job->scene->num_frames;
    skl_changed_frames(num, job->scene->rig->skeleton->num_joints, joint, job->local, job->planted,
                       job->changed + joint * num);
}

skl_code skl_solve_legs(skl_solve_part_job *job, const uint8_t *moves, const double *missed, skl_arena *arena) {
    const skl_plant_rig *rig = job->scene->rig;
    const int64_t legs = rig->num_legs, joints = rig->skeleton->num_joints, num = job->scene->num_frames;
    const int64_t most = skl_fewer(BLOCK, num);
    const skl_arena mark = *arena;
    int32_t *chains = SKL_TAKE(arena, int32_t, 3 * legs);
    double *bends = SKL_TAKE(arena, double, 3 * legs), *hinges = SKL_TAKE(arena, double, 3 * legs);
    const block b = {.job = job,
                     .moves = moves,
                     .missed = missed,
                     .chains = chains,
                     .bends = bends,
                     .hinges = hinges,
                     .pose = SKL_TAKE(arena, double, 16 * joints * most),
                     .globals = SKL_TAKE(arena, double, 16 * joints * most),
                     .targets = SKL_TAKE(arena, double, 3 * legs * most),
                     .weights = SKL_TAKE(arena, double, legs *most),
                     .errors = SKL_TAKE(arena, double, legs *most),
                     .status = SKL_TAKE(arena, uint8_t, legs *most)};
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    for (int64_t k = 0; k < legs; k++) {
        memcpy(chains + 3 * k, rig->legs[k].chain, 3 * sizeof *chains);
        memcpy(bends + 3 * k, rig->legs[k].bend, 3 * sizeof *bends);
        memcpy(hinges + 3 * k, job->scene->tracks[k].hinge, 3 * sizeof *hinges);
    }
    for (int64_t first = 0; first < num; first += BLOCK) {
        const skl_code code = solve_block(&b, first, skl_fewer(BLOCK, num - first));
        if (code != SKL_OK) return code;
    }
    memset(job->changed, 0, (size_t)(joints * num));
    if (rig->mover >= 0) note_changed(job, rig->mover);
    for (int64_t k = 0; k < legs; k++)
        for (int i = 0; i < 3; i++) note_changed(job, rig->legs[k].chain[i]);
    skl_arena_back(arena, mark);
    return skl_done(&job->status);
}
