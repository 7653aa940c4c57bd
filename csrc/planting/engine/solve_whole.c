/* SPDX-License-Identifier: MIT */
/* A whole motion, planted so that the contacts of the result are those that were planted. */
#include <string.h>

#include "core/base/status.h"
#include "core/base/validate.h"
#include "engine_constants.h"
#include "planting_state.h"

/* --- solve ---------------------------------------------------------------------------------------------------------
 */

static int take_part(skl_planting *p) {
    const int64_t num = p->scene.num_frames, legs = p->motion.rig->num_legs;
    const int64_t joints = p->motion.rig->skeleton->num_joints;
    skl_arena *arena = &p->arena;
    p->part = (skl_solve_part_job){.scene = &p->scene,
                                   .local = p->local,
                                   .planted = SKL_TAKE(arena, double, 16 * joints * num),
                                   .targets = SKL_TAKE(arena, double, 3 * legs * num),
                                   .body = SKL_TAKE(arena, double, 3 * num),
                                   .errors = SKL_ZEROS(arena, double, legs *num),
                                   .changed = SKL_TAKE(arena, uint8_t, joints *num),
                                   .after = SKL_ZEROS(arena, skl_track, legs)};
    return !arena->failed;
}

/* How far the ground of a loop goes up beyond the motion. */
static skl_drift drift_of(const skl_planting *p) {
    const skl_loop *loop = p->scene.loop;
    double lift = 0.0;
    if (!loop) return (skl_drift){0};
    for (int i = 0; i < 3; i++) lift += (loop->planted[4 * i + 3] - loop->travel[4 * i + 3]) * p->scene.up[i];
    return (skl_drift){lift / (double)loop->period, (double)loop->margin};
}

static skl_code solve_once(skl_planting *p, skl_status *status) {
    p->part.ground = skl_plant_ground(p);
    p->part.drift = drift_of(p);
    const skl_code code = skl_solve_part_run(&p->part);
    if (code != SKL_OK) *status = p->part.status;
    return code;
}

/* Take moments out of contacts: a foot that the original lifts is not to stand since its result is held low. */
static int without(skl_spans moments, int64_t num, skl_arena *arena, skl_spans *contacts) {
    skl_span *kept = SKL_TAKE(arena, skl_span, contacts->count + moments.count);
    uint8_t *left = SKL_TAKE(arena, uint8_t, num);
    if (arena->failed) return 0;
    skl_span_mask(moments, num, left);
    for (int64_t f = 0; f < num; f++) left[f] = !left[f];
    *contacts = (skl_spans){kept, skl_runs_within(*contacts, left, kept)};
    return 1;
}

/* Spans, extended wherever one of the others overlaps them, and those of the others that overlap none; neither overlap
 * among themselves. 0 where memory failed. */
static int joined_spans(skl_spans own, skl_spans more, skl_arena *arena, skl_spans *out) {
    *out = (skl_spans){SKL_TAKE(arena, skl_span, own.count + more.count), 0};
    if (!out->at) return 0;
    for (int64_t i = 0, j = 0; i < own.count || j < more.count;) {
        const int first = j == more.count || (i < own.count && own.at[i].first <= more.at[j].first);
        const skl_span next = first ? own.at[i++] : more.at[j++];
        skl_span *last = out->count ? &out->at[out->count - 1] : NULL;
        if (last && next.first <= last->last)
            last->last = skl_more(last->last, next.last);
        else
            out->at[out->count++] = next;
    }
    return 1;
}

/* Whether the result has contacts that last longer, or are new: the scene then has them. */
static skl_code look_again(skl_planting *p, int *more) {
    skl_scene *scene = &p->scene;
    skl_standing again;
    skl_code code = skl_find_contacts(scene, p->part.after, &scene->standing, &again);
    *more = 0;
    for (int64_t k = 0; code == SKL_OK && k < scene->rig->num_legs; k++) {
        skl_spans both, own = scene->standing.contacts[k];
        if (scene->standing.lifts && scene->standing.lifts[k].count &&
            !without(scene->standing.lifts[k], scene->num_frames, scene->arena, &again.contacts[k]))
            return skl_scene_lacks_memory(scene);
        if (!joined_spans(own, again.contacts[k], scene->arena, &both)) return skl_scene_lacks_memory(scene);
        *more |= !skl_same_spans(both, own);
        again.contacts[k] = both;
    }
    if (code == SKL_OK && *more) scene->standing.contacts = again.contacts;
    return code;
}

static skl_code settle(skl_planting *p, skl_status *status) {
    skl_code code = solve_once(p, status);
    for (int round = 0; code == SKL_OK && round < BY_RESULT; round++) {
        const skl_scene before = p->scene;
        int more = 0;
        code = look_again(p, &more);
        if (code == SKL_OK && more) code = skl_plant_hold(p);
        if (code != SKL_OK) return skl_pass_on(&p->scene.status, status);
        if (!more) return SKL_OK;
        if (!skl_plant_stands(p)) {
            p->scene = before;
            return SKL_OK;
        }
        code = solve_once(p, status);
    }
    return code;
}

skl_code skl_plant_settle(skl_planting *p, skl_status *status) {
    const int searched = p->options.mode == SKL_CONTACTS_FOUND || p->options.mode == SKL_CONTACTS_GROUND_ONLY;
    if (!take_part(p)) return skl_plant_lacks_memory(status);
    return searched ? settle(p, status) : solve_once(p, status);
}

/* What was planted of the clip: lone frames stay as they were; the last pose of a loop is its first once more. */
static skl_code give(skl_planting *p, double *planted, skl_status *status) {
    const int64_t joints = p->motion.rig->skeleton->num_joints, pose = 16 * joints, num = p->motion.num_frames;
    const double *from = p->part.planted + (p->scene.loop ? p->scene.loop->margin * pose : 0);
    uint8_t *changed = SKL_TAKE(&p->arena, uint8_t, joints);
    if (!changed) return skl_plant_lacks_memory(status);
    for (int64_t f = 0; f < num; f++)
        memcpy(planted + pose * f, (p->clip_alone[f] ? p->motion.local : from) + pose * f,
               (size_t)pose * sizeof *planted);
    p->planted = planted;
    if (!p->scene.loop) return SKL_OK;
    for (int64_t j = 0; j < joints; j++)
        changed[j] = memchr(p->part.changed + j * p->scene.num_frames, 1, (size_t)p->scene.num_frames) != NULL;
    return skl_loop_closing_pose(p->scene.loop, p->motion.rig, from, p->motion.local + pose * (num - 1), changed,
                                 p->scene.tracks[0].length, planted + pose * (num - 1), status);
}

skl_code skl_plant_solve(skl_planting *p, double *planted, skl_status *status) {
    const skl_pointer pointers[] = {{p, "planting"}, {planted, "planted"}};
    *status = (skl_status){.code = SKL_OK};
    if (SKL_CHECK_POINTERS(pointers, status) != SKL_OK) return status->code;
    const size_t poses = (size_t)(p->motion.num_frames * p->motion.rig->skeleton->num_joints);
    if (!skl_plant_stands(p)) {
        memcpy(planted, p->motion.local, 16 * poses * sizeof *planted);
        p->is_solved = 1;
        return SKL_OK;
    }
    if (skl_plant_settle(p, status) != SKL_OK || give(p, planted, status) != SKL_OK) return status->code;
    p->is_solved = 1;
    return SKL_OK;
}
