/* SPDX-License-Identifier: MIT */
/* Planting as a whole: what a motion says, how it is planted so that the contacts of the result are those that were
 * planted, and what that did. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_up.h"
#include "core/base/status.h"
#include "core/transforms/vector3.h"
#include "part_contacts.h"
#include "planting/measure/foot_curves.h"
#include "planting/motion/legs.h"
#include "planting/motion/lone_frames.h"
#include "planting/motion/read_legs.h"
#include "scene.h"
#include "solve_part.h"

enum { SETTLES = 4 }; /* times at most that contacts are looked for once more, in the result */

struct skl_planting {
    skl_arena arena;
    skl_plant_motion motion;
    skl_plant_options options;
    skl_ground *given, estimated;
    skl_scene scene;
    double *local; /* without lone frames; the motion's where there are none */
    uint8_t *alone;
    skl_solve_part_job part;
    skl_track *after; /* the legs as they are planted */
    skl_plant_contact *contacts;
    int is_solved;
};

void skl_plant_defaults(skl_plant_options *options) {
    *options = (skl_plant_options){.mode = SKL_CONTACTS_FOUND,
                                   .working = {0, -1},
                                   .sole = NAN,
                                   .align = 1.0,
                                   .max_slope = 60.0,
                                   .blend = 0.2,
                                   .reach = SKL_SOFTEN,
                                   .stretch = 1.0,
                                   .pelvis_acceleration = 20.0};
}

void skl_plant_free(skl_planting *planting) {
    if (!planting) return;
    skl_arena_free(&planting->arena);
    free(planting);
}

/* --- learn ---------------------------------------------------------------------------------------------------------
 */

static skl_code check(const skl_plant_motion *motion, skl_plant_options *options, skl_status *status) {
    const int64_t num = motion->num_frames;
    if (motion->rig->num_legs < 1) return skl_fail(status, SKL_BAD_VALUE, "legs", "one leg is needed at least");
    if (num < 1) return skl_fail(status, SKL_BAD_VALUE, "num_frames", "one frame is needed at least");
    if (!(motion->fps >= 1e-12 && motion->fps <= 1e12))
        return skl_fail(status, SKL_BAD_VALUE, "fps", "frames per second are 1e-12 to 1e12");
    if (options->working.last < 0) options->working.last = num - 1;
    if (options->working.first < 0 || options->working.first > options->working.last || options->working.last >= num)
        return skl_fail(status, SKL_BAD_VALUE, "working", "0 <= first <= last < num_frames is needed");
    for (int64_t i = 0; i < num * motion->rig->skeleton->num_joints * 16; i++)
        if (!isfinite(motion->local[i])) {
            const int64_t joint = i / 16 % motion->rig->skeleton->num_joints;
            (void)skl_fail(status, SKL_BAD_VALUE, "local", "numbers must be finite");
            skl_fail_index(status, i / 16 / motion->rig->skeleton->num_joints);
            skl_fail_index(status, joint);
            return status->code;
        }
    return SKL_OK;
}

static skl_code lacks_memory(skl_status *status) { return skl_fail(status, SKL_NO_MEMORY, "local", ""); }

/* The legs' motion; lone frames take the pose of the motion beside them. */
static skl_code read_motion(skl_planting *p, skl_status *status) {
    const int64_t num = p->motion.num_frames, joints = p->motion.rig->skeleton->num_joints;
    skl_read_tracks_job job = {.rig = p->motion.rig,
                               .num_frames = num,
                               .local = p->motion.local,
                               .arena = &p->arena,
                               .tracks = SKL_ZEROS(&p->arena, skl_track, p->motion.rig->num_legs)};
    p->alone = SKL_TAKE(&p->arena, uint8_t, num);
    p->local = (double *)p->motion.local;
    if (p->arena.failed) return lacks_memory(status);
    skl_code code = skl_read_tracks_run(&job);
    if (code == SKL_OK && !skl_lone_frames(job.rig->num_legs, job.tracks, p->motion.fps, &p->arena, p->alone))
        return lacks_memory(status);
    if (code == SKL_OK && memchr(p->alone, 1, (size_t)num)) {
        int64_t *nearest = SKL_TAKE(&p->arena, int64_t, num);
        p->local = SKL_TAKE(&p->arena, double, 16 * joints * num);
        if (p->arena.failed) return lacks_memory(status);
        skl_nearest_real(p->alone, num, nearest);
        skl_poses_of_frames(p->motion.local, joints, nearest, num, p->local);
        job.local = p->local;
        code = skl_read_tracks_run(&job);
    }
    p->scene.tracks = job.tracks;
    p->scene.alone = p->alone;
    if (code != SKL_OK) *status = job.status;
    return code;
}

/* The mean over joints of the rest pose, or over legs of paths. */
static void rest_way(const skl_plant_rig *rig, double out[3]) {
    const double *rest = rig->skeleton->rest_global, legs = (double)rig->num_legs;
    for (int i = 0; i < 3; i++) {
        double top = 0.0, feet = 0.0;
        for (int64_t k = 0; k < rig->num_legs; k++) {
            top += rest[16 * rig->legs[k].chain[0] + 4 * i + 3];
            feet += rest[16 * rig->legs[k].chain[2] + 4 * i + 3];
        }
        out[i] = (rig->head < 0 ? top / legs : rest[16 * rig->head + 4 * i + 3]) - feet / legs;
    }
}

static skl_code read_up(skl_planting *p, skl_status *status) {
    const skl_plant_rig *rig = p->motion.rig;
    const int64_t num = p->motion.num_frames;
    double *top = SKL_ZEROS(&p->arena, double, 3 * num), *feet = SKL_ZEROS(&p->arena, double, 3 * num), rest[3], share;
    if (p->arena.failed) return lacks_memory(status);
    if (p->options.up_is_given) {
        memcpy(p->scene.up, p->options.up, sizeof p->scene.up);
        return SKL_OK;
    }
    for (int64_t k = 0; k < rig->num_legs; k++)
        for (int64_t i = 0; i < 3 * num; i++) {
            top[i] += p->scene.tracks[k].hip[i] / (double)rig->num_legs;
            feet[i] += p->scene.tracks[k].ankle[i] / (double)rig->num_legs;
        }
    const skl_code code =
        rig->head < 0 ? SKL_OK : skl_joint_places(rig->skeleton, num, p->local, rig->head, top, status);
    rest_way(rig, rest);
    if (code == SKL_OK && !skl_body_up(num, top, feet, rest, p->motion.fps, p->scene.up, &share))
        return skl_fail(status, SKL_BAD_VALUE, "up", "it must be given: no direction leads from the feet to the head");
    return code;
}

static int stands(const skl_scene *scene) {
    for (int64_t k = 0; k < scene->rig->num_legs; k++)
        if (scene->contacts[k].count) return 1;
    return 0;
}

/* How feet are held in the contacts that were found, and what ground these say. */
static skl_code hold(skl_planting *p) {
    skl_scene *scene = &p->scene;
    skl_code code = skl_stand(scene);
    if (code == SKL_OK && stands(scene)) code = skl_hold_feet(scene);
    p->estimated = (skl_ground){.is_level = 1, .level = scene->has_levels ? scene->levels.ground : 0.0};
    memcpy(p->estimated.up, scene->up, sizeof scene->up);
    return code;
}

static skl_code learn(skl_planting *p, skl_status *status) {
    skl_code code = read_motion(p, status);
    if (code == SKL_OK) code = read_up(p, status);
    if (code != SKL_OK) return code;
    if (p->given) memcpy(p->given->up, p->scene.up, sizeof p->given->up);
    code = skl_find_contacts(&p->scene, p->scene.tracks, &p->scene.standing);
    if (code == SKL_OK) code = hold(p);
    if (code != SKL_OK) *status = p->scene.status;
    return code;
}

skl_code skl_plant_learn(const skl_plant_motion *motion, const skl_plant_options *options, skl_ground *ground,
                         skl_planting **out, skl_status *status) {
    skl_planting *p = *out = calloc(1, sizeof *p);
    *status = (skl_status){.code = SKL_OK};
    if (!p) return lacks_memory(status);
    p->motion = *motion;
    p->options = *options;
    p->given = ground;
    p->scene = (skl_scene){.rig = motion->rig,
                           .options = &p->options,
                           .arena = &p->arena,
                           .num_frames = motion->num_frames,
                           .fps = motion->fps,
                           .ground = ground};
    skl_code code = check(motion, &p->options, status);
    if (code == SKL_OK) code = learn(p, status);
    if (code != SKL_OK) {
        skl_plant_free(p);
        *out = NULL;
    }
    return code;
}

/* --- solve ---------------------------------------------------------------------------------------------------------
 */

static int take_part(skl_planting *p) {
    const int64_t num = p->motion.num_frames, legs = p->motion.rig->num_legs;
    const int64_t joints = p->motion.rig->skeleton->num_joints;
    skl_arena *arena = &p->arena;
    p->after = SKL_TAKE(arena, skl_track, legs);
    p->part = (skl_solve_part_job){.rig = p->motion.rig,
                                   .num_frames = num,
                                   .local = p->local,
                                   .num_clip = num,
                                   .working = p->options.working,
                                   .alone = p->alone,
                                   .window = skl_fade_frames(p->options.blend, p->motion.fps),
                                   .fps = p->motion.fps,
                                   .blend = p->options.blend,
                                   .reach = p->options.reach,
                                   .stretch = p->options.reach == SKL_STRETCH ? p->options.stretch : 1.0,
                                   .acceleration = p->options.pelvis_acceleration,
                                   .rise = NAN,
                                   .toe_bend = p->options.toe_bend,
                                   .planted = SKL_TAKE(arena, double, 16 * joints * num),
                                   .legs = SKL_ZEROS(arena, skl_solved_leg, legs),
                                   .body = SKL_TAKE(arena, double, 3 * num),
                                   .errors = SKL_ZEROS(arena, double, legs *num),
                                   .changed = SKL_TAKE(arena, uint8_t, joints *num)};
    for (int64_t k = 0; p->part.legs && k < legs; k++)
        p->part.legs[k] = (skl_solved_leg){.hip = SKL_TAKE(arena, double, 3 * num),
                                           .knee = SKL_TAKE(arena, double, 3 * num),
                                           .ankle = SKL_TAKE(arena, double, 3 * num),
                                           .foot = SKL_TAKE(arena, double, 9 * num),
                                           .flexion = SKL_TAKE(arena, double, num),
                                           .target = SKL_TAKE(arena, double, 3 * num)};
    return !arena->failed;
}

static skl_code solve_once(skl_planting *p, skl_status *status) {
    p->part.ground = p->given ? p->given : &p->estimated;
    p->part.stances = p->scene.stances;
    p->part.heights_only = !skl_feet_are_pinned(&p->scene);
    const skl_code code = skl_solve_part_run(&p->part);
    if (code != SKL_OK) *status = p->part.status;
    for (int64_t k = 0; k < p->motion.rig->num_legs; k++) {
        const skl_solved_leg *leg = &p->part.legs[k];
        p->after[k] = p->scene.tracks[k];
        p->after[k].hip = leg->hip;
        p->after[k].knee = leg->knee;
        p->after[k].ankle = leg->ankle;
        p->after[k].foot = leg->foot;
        p->after[k].flexion = leg->flexion;
    }
    return code;
}

/* Whether the result has contacts that go on for longer, or are new: the scene then has them. */
static skl_code look_again(skl_planting *p, int *more) {
    skl_scene *scene = &p->scene;
    skl_standing again;
    skl_code code = skl_find_contacts(scene, p->after, &again);
    *more = 0;
    for (int64_t k = 0; code == SKL_OK && k < scene->rig->num_legs; k++) {
        skl_spans both, own = scene->standing.contacts[k];
        if (!skl_joined_spans(own, again.contacts[k], scene->arena, &both)) return skl_scene_lacks_memory(scene);
        *more |= both.count != own.count || (own.count && memcmp(both.at, own.at, (size_t)own.count * sizeof *own.at));
        again.contacts[k] = both;
    }
    if (code == SKL_OK && *more) scene->standing.contacts = again.contacts;
    return code;
}

static skl_code settle(skl_planting *p, skl_status *status) {
    skl_code code = solve_once(p, status);
    for (int round = 0; code == SKL_OK && round < SETTLES; round++) {
        const skl_scene before = p->scene;
        int more = 0;
        code = look_again(p, &more);
        if (code == SKL_OK && more) code = hold(p);
        if (code != SKL_OK) {
            *status = p->scene.status;
            return code;
        }
        if (!more) return SKL_OK;
        if (!stands(&p->scene)) {
            p->scene = before;
            return SKL_OK;
        }
        code = solve_once(p, status);
    }
    return code;
}

/* What was planted; lone frames stay as they were. */
static void give(const skl_planting *p, double *planted) {
    const int64_t pose = 16 * p->motion.rig->skeleton->num_joints;
    for (int64_t f = 0; f < p->motion.num_frames; f++) {
        const double *from = p->alone[f] ? p->motion.local : p->part.planted;
        memcpy(planted + pose * f, from + pose * f, (size_t)pose * sizeof *planted);
    }
}

skl_code skl_plant_solve(skl_planting *p, double *planted, skl_status *status) {
    const size_t poses = (size_t)(p->motion.num_frames * p->motion.rig->skeleton->num_joints);
    *status = (skl_status){.code = SKL_OK};
    if (!stands(&p->scene)) {
        memcpy(planted, p->motion.local, 16 * poses * sizeof *planted);
        p->after = (skl_track *)p->scene.tracks;
        p->is_solved = 1;
        return SKL_OK;
    }
    if (!take_part(p)) return lacks_memory(status);
    const int searched = p->options.mode == SKL_CONTACTS_FOUND || p->options.mode == SKL_CONTACTS_GROUND_ONLY;
    const skl_code code = searched ? settle(p, status) : solve_once(p, status);
    if (code != SKL_OK) return code;
    give(p, planted);
    p->is_solved = 1;
    return SKL_OK;
}

/* --- measure -------------------------------------------------------------------------------------------------------
 */

static int take_curves(skl_foot_curves *out, int64_t num, skl_arena *arena) {
    *out = (skl_foot_curves){.height = SKL_TAKE(arena, double, num),
                             .speed = SKL_TAKE(arena, double, num),
                             .knee = SKL_TAKE(arena, double, num),
                             .steps = SKL_TAKE(arena, double, 3 * num),
                             .ball_height = SKL_TAKE(arena, double, num),
                             .ball_steps = SKL_TAKE(arena, double, 3 * num),
                             .roll = SKL_TAKE(arena, int8_t, num)};
    return !arena->failed;
}

/* The contacts of a leg as they are in a track; `which` is 0 before, 1 after. */
static int measure_leg(const skl_planting *p, int64_t k, int which, skl_arena *arena, skl_plant_contact *out) {
    const skl_spans contacts = p->scene.contacts[k];
    const skl_stance *stance = &p->scene.stances[k];
    skl_contact_measure *measures = SKL_TAKE(arena, skl_contact_measure, contacts.count);
    int64_t *pairs = SKL_TAKE(arena, int64_t, 2 * contacts.count);
    skl_foot_curves_job job = {.track = which ? &p->after[k] : &p->scene.tracks[k],
                               .sole = &p->scene.models[k].sole,
                               .ground = p->given ? p->given : &p->estimated,
                               .hold = stance->foot.ground,
                               .ground_step = stance->foot.ground_step,
                               .fps = p->motion.fps,
                               .arena = arena};
    if (arena->failed || !take_curves(&job.out, p->motion.num_frames, arena) || !skl_read_foot_curves(&job)) return 0;
    for (int64_t n = 0; n < contacts.count; n++) {
        pairs[2 * n] = contacts.at[n].first;
        pairs[2 * n + 1] = contacts.at[n].last;
    }
    skl_measure_contacts(job.out.steps, job.out.height, contacts.count, pairs, stance->rises, measures);
    for (int64_t n = 0; n < contacts.count; n++) {
        out[n].leg = k;
        out[n].span = contacts.at[n];
        out[n].slide[which] = measures[n].slide;
        out[n].depth[which] = measures[n].penetration;
    }
    return 1;
}

static void find_unreached(const skl_planting *p, int64_t k, double *most) {
    const skl_spans contacts = p->scene.contacts[k];
    const int64_t legs = p->motion.rig->num_legs;
    for (int64_t n = 0; n < contacts.count; n++)
        for (int64_t f = contacts.at[n].first; f <= contacts.at[n].last; f++)
            *most = fmax(*most, p->part.errors[f * legs + k]);
}

skl_code skl_plant_measure(skl_planting *p, skl_plant_measures *out, skl_status *status) {
    const int64_t legs = p->motion.rig->num_legs;
    *status = (skl_status){.code = SKL_OK};
    *out = (skl_plant_measures){.level = p->given ? p->given->level : p->estimated.level};
    memcpy(out->up, p->scene.up, sizeof out->up);
    if (!p->is_solved) return skl_fail(status, SKL_BAD_VALUE, "planting", "it is measured when it is solved");
    if (!stands(&p->scene)) return SKL_OK;
    for (int64_t k = 0; k < legs; k++) out->num_contacts += p->scene.contacts[k].count;
    p->contacts = SKL_ZEROS(&p->arena, skl_plant_contact, out->num_contacts);
    out->contacts = p->contacts;
    if (!p->contacts) return lacks_memory(status);
    for (int64_t k = 0, n = 0; k < legs; n += p->scene.contacts[k++].count) {
        skl_arena arena = {0};
        const int done = measure_leg(p, k, 0, &arena, p->contacts + n) && measure_leg(p, k, 1, &arena, p->contacts + n);
        const int failed = arena.failed;
        skl_arena_free(&arena);
        if (!done) return failed ? lacks_memory(status) : skl_fail(status, SKL_STOPPED, "ground", "");
        find_unreached(p, k, &out->unreached);
    }
    return SKL_OK;
}
