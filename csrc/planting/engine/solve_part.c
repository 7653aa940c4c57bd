/* SPDX-License-Identifier: MIT */
#include "solve_part.h"

#include <math.h>
#include <string.h>

#include "core/base/smoothstep.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "planting/curves/curves.h"
#include "planting/motion/read_legs.h"
#include "planting/paths/bend_toes.h"
#include "skelkin/kinematics.h"

/* How much of a correction is allowed: 0 outside the range and beside lone frames, 1 inside. At those ends of the range
 * that are the clip's nothing fades; elsewhere it takes a window's frames. */
static int fade_in(const skl_scene *scene, skl_arena *arena, double *ramp) {
    const double window = (double)skl_fade_frames(scene);
    const int64_t num = scene->num_frames;
    double *far = NULL;
    if (memchr(scene->alone, 1, (size_t)num)) {
        if (!(far = SKL_TAKE(arena, double, num))) return 0;
        skl_frames_to_nearest(scene->alone, num, far);
    }
    for (int64_t f = 0; f < num; f++) {
        ramp[f] = 1.0;
        if (scene->frames.first > 0) ramp[f] *= skl_smoothstep((double)(f - scene->frames.first) / window);
        if (scene->frames.last < num - 1) ramp[f] *= skl_smoothstep((double)(scene->frames.last - f) / window);
        if (far) ramp[f] *= skl_smoothstep((far[f] - 1.0) / window);
    }
    return 1;
}

static double bend_at(const double *path, const double *shift, int64_t frame) {
    double apart[3];
    for (int i = 0; i < 3; i++) {
        double at[3];
        for (int step = 0; step < 3; step++) {
            const int64_t n = 3 * (frame - 1 + step) + i;
            at[step] = path[n] + (shift ? shift[n] : 0.0);
        }
        apart[i] = (at[2] - at[1]) - (at[1] - at[0]);
    }
    return skl_v3_length(apart);
}

/* By how much shifting it makes the body's acceleration greater at worst. */
static skl_code added_acceleration(skl_solve_part_job *job, skl_arena *arena) {
    const skl_plant_rig *rig = job->scene->rig;
    const int64_t num = job->scene->num_frames;
    const double rate = job->scene->fps;
    job->added = 0.0;
    if (rig->mover < 0) return SKL_OK;
    double *path = SKL_TAKE(arena, double, 3 * num);
    if (!path) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    const skl_code code = skl_joint_places(rig->skeleton, num, job->local, rig->mover, path, &job->status);
    for (int64_t f = 1; code == SKL_OK && f < num - 1; f++)
        job->added = fmax(job->added, (bend_at(path, job->body, f) - bend_at(path, NULL, f)) * rate * rate);
    return code;
}

/* The paths of ankles and body, and then the joints. */
static skl_code plan_and_solve(skl_solve_part_job *job, const double *ramp, skl_arena *arena) {
    const skl_scene *scene = job->scene;
    const skl_plant_options *options = scene->options;
    const int64_t num = scene->num_frames, legs = scene->rig->num_legs;
    double length = 0.0, *drift = SKL_TAKE(arena, double, num);
    for (int64_t k = 0; k < legs; k++) length += scene->tracks[k].length;
    skl_plan_job plan = {.num_legs = legs,
                         .num_frames = num,
                         .ground = job->ground,
                         .legs = scene->stances,
                         .window = skl_fade_frames(scene),
                         .ramp = ramp,
                         .alone = scene->alone,
                         .whole = scene->frames.first == 0 && scene->frames.last == num - 1,
                         .drift = drift,
                         .body_moves = scene->rig->mover >= 0,
                         .assumed = !scene->ground,
                         .heights_only = options->mode == SKL_CONTACTS_GROUND_ONLY,
                         .acceleration = options->pelvis_acceleration * (length / (double)legs),
                         .fps = scene->fps,
                         .blend = options->blend,
                         .reach = options->reach,
                         .stretch = options->reach == SKL_STRETCH ? options->stretch : 1.0,
                         .offsets = job->targets,
                         .body = job->body,
                         .changed = SKL_TAKE(arena, uint8_t, legs *num),
                         .missed = SKL_TAKE(arena, double, legs *num)};
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    for (int64_t f = 0; f < num; f++) drift[f] = job->drift.step * ((double)f - job->drift.zero);
    if (skl_plan_run(&plan) != SKL_OK) return skl_pass_on(&plan.status, &job->status);
    for (int64_t k = 0; k < legs; k++)
        for (int64_t i = 0; i < 3 * num; i++) {
            scene->stances[k].turn[i] *= ramp[i / 3]; /* what fades outside contacts ends where the range does */
            job->targets[3 * k * num + i] += scene->tracks[k].ankle[i];
        }
    return skl_solve_legs(job, plan.changed, plan.missed, arena);
}

/* The toes that may bend, one per leg that has any. */
static int64_t take_toes(const skl_solve_part_job *job, skl_toe *out) {
    const skl_scene *scene = job->scene;
    int64_t count = 0;
    for (int64_t k = 0; k < scene->rig->num_legs; k++) {
        const skl_plant_leg *leg = &scene->rig->legs[k];
        const skl_stance *stance = &scene->stances[k];
        if (!leg->has_tip) continue;
        out[count] = (skl_toe){.joint = leg->toe,
                               .parent = scene->rig->skeleton->parents[leg->toe],
                               .length = scene->tracks[k].length,
                               .contacts = stance->foot.contacts,
                               .rises = stance->rises,
                               .held = stance->held,
                               .skin = NAN,
                               .changed = job->changed + leg->toe * scene->num_frames};
        memcpy(out[count++].tip, leg->tip, sizeof leg->tip);
    }
    return count;
}

static skl_code bend_toes(skl_solve_part_job *job, const double *ramp, skl_arena *arena) {
    const skl_scene *scene = job->scene;
    const skl_skeleton *skeleton = scene->rig->skeleton;
    const int64_t num = scene->num_frames, joints = skeleton->num_joints;
    double *globals = SKL_TAKE(arena, double, 16 * joints * num);
    skl_toes_job toes = {.num_frames = num,
                         .num_joints = joints,
                         .local = job->planted,
                         .globals = globals,
                         .ground = job->ground,
                         .ramp = ramp,
                         .window = skl_fade_frames(scene),
                         .limit = scene->options->toe_bend,
                         .toes = SKL_TAKE(arena, skl_toe, scene->rig->num_legs)};
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    if (!(toes.num_toes = take_toes(job, toes.toes))) return SKL_OK;
    skl_pose_job poses = {.skeleton = skeleton,
                          .dtype = SKL_FLOAT64,
                          .matrices = skl_poses_at(job->planted, num, joints, 16),
                          .out = skl_poses_at(globals, num, joints, 16),
                          .out_rows = 4};
    if (skl_forward_kinematics_run(&poses) != SKL_OK) return skl_pass_on(&poses.status, &job->status);
    skl_code code = skl_read_skins(&toes);
    if (code == SKL_OK) code = skl_bend_toes(&toes);
    if (code != SKL_OK) job->status = toes.status;
    return code;
}

static skl_code solve(skl_solve_part_job *job, skl_arena *arena) {
    const skl_scene *scene = job->scene;
    const int64_t num = scene->num_frames;
    double *ramp = SKL_TAKE(arena, double, num);
    for (int64_t k = 0; k < scene->rig->num_legs; k++) {
        scene->stances[k].offset = SKL_TAKE(arena, double, 3 * num);
        scene->stances[k].turn = SKL_TAKE(arena, double, 3 * num);
    }
    if (arena->failed || !fade_in(scene, arena, ramp)) return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    skl_code code = plan_and_solve(job, ramp, arena);
    if (code == SKL_OK) code = added_acceleration(job, arena);
    if (code == SKL_OK)
        code =
            skl_read_tracks_like(scene->rig, num, job->planted, scene->tracks, scene->arena, job->after, &job->status);
    if (code == SKL_OK && scene->options->toe_bend > 0) code = bend_toes(job, ramp, arena);
    return code == SKL_OK ? skl_done(&job->status) : code;
}

skl_code skl_solve_part_run(skl_solve_part_job *job) {
    skl_arena arena = {0};
    job->status.code = SKL_OK;
    const skl_code code = solve(job, &arena);
    skl_arena_free(&arena);
    return code;
}
