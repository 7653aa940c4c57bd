/* SPDX-License-Identifier: MIT */
/* What planting did to a whole motion: its contacts before and after. */
#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/validate.h"
#include "planting/measure/foot_curves.h"
#include "planting/motion/legs.h"
#include "planting_state.h"

/* The clip's part of the scene's contacts, and how far above the ground each stands: of a loop, one that continues
 * across the seam is there twice. */
static int own_contacts(const skl_planting *p, int64_t k, skl_arena *arena, skl_spans *out, double **rises) {
    const skl_spans contacts = p->scene.contacts[k];
    const int64_t from = p->scene.loop ? p->scene.loop->margin : 0, last = p->motion.num_frames - 1;
    *out = (skl_spans){SKL_TAKE(arena, skl_span, contacts.count), 0};
    *rises = SKL_TAKE(arena, double, contacts.count);
    for (int64_t n = 0; !arena->failed && n < contacts.count; n++) {
        const skl_span own = {skl_more(contacts.at[n].first - from, 0), skl_fewer(contacts.at[n].last - from, last)};
        if (own.first > own.last) continue;
        (*rises)[out->count] = p->scene.stances[k].rises[n];
        out->at[out->count++] = own;
    }
    return !arena->failed;
}

/* What is known of the ground under a foot, in the clip's frames. */
static const skl_foothold *own_foothold(const skl_planting *p, const skl_foothold *whole, skl_foothold *out) {
    const int64_t from = p->scene.loop ? p->scene.loop->margin : 0;
    if (!whole) return NULL;
    *out = *whole;
    out->num_frames = p->motion.num_frames;
    out->place += 3 * from;
    out->tilt += 3 * from;
    out->lean += 9 * from;
    out->turn += 9 * from;
    if (out->yaw) out->yaw += 9 * from;
    return out;
}

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
static int measure_leg(const skl_planting *p, int64_t k, const skl_track *track, int which, skl_spans own,
                       const double *rises, skl_arena *arena, skl_plant_contact *out) {
    skl_contact_measure *measures = SKL_TAKE(arena, skl_contact_measure, own.count);
    double step[3];
    skl_foothold hold;
    skl_foot_curves_job job = {.track = track,
                               .sole = &p->scene.models[k].sole,
                               .ground = p->given ? p->given : &p->estimated,
                               .hold = own_foothold(p, p->scene.footholds[k], &hold),
                               .ground_step = p->scene.standing.moves ? step : NULL,
                               .fps = p->motion.fps,
                               .arena = arena};
    for (int i = 0; i < 3; i++) step[i] = p->scene.standing.velocity[i] / p->motion.fps;
    if (arena->failed || !take_curves(&job.out, p->motion.num_frames, arena) || !skl_read_foot_curves(&job)) return 0;
    skl_measure_contacts(job.out.steps, job.out.height, own, rises, measures);
    for (int64_t n = 0; n < own.count; n++) {
        out[n].leg = k;
        out[n].span = own.at[n];
        out[n].slide[which] = measures[n].slide;
        out[n].depth[which] = measures[n].penetration;
    }
    return 1;
}

static double unreached(const skl_planting *p, int64_t k, skl_spans own) {
    const int64_t legs = p->motion.rig->num_legs, from = p->scene.loop ? p->scene.loop->margin : 0;
    double most = 0.0;
    for (int64_t n = 0; n < own.count; n++)
        for (int64_t f = own.at[n].first; f <= own.at[n].last; f++)
            most = fmax(most, p->part.errors[(from + f) * legs + k]);
    return most;
}

static skl_code measure(skl_planting *p, skl_plant_measures *out, skl_arena *arena, skl_status *status) {
    const int64_t legs = p->motion.rig->num_legs;
    skl_track *before = SKL_TAKE(arena, skl_track, legs), *after = SKL_TAKE(arena, skl_track, legs);
    skl_spans *own = SKL_ZEROS(arena, skl_spans, legs);
    double **rises = SKL_TAKE(arena, double *, legs);
    if (arena->failed) return skl_plant_lacks_memory(status);
    for (int when = 0; when < 2; when++) {
        const skl_code code = skl_read_tracks_like(p->motion.rig, p->motion.num_frames, when ? p->planted : p->clip,
                                                   p->scene.tracks, arena, when ? after : before, status);
        if (code != SKL_OK) return code;
    }
    for (int64_t k = 0; k < legs && own_contacts(p, k, arena, &own[k], &rises[k]); k++)
        out->num_contacts += own[k].count;
    p->contacts = SKL_ZEROS(&p->arena, skl_plant_contact, out->num_contacts);
    if (arena->failed || p->arena.failed) return skl_plant_lacks_memory(status);
    skl_plant_contact *at = p->contacts;
    for (int64_t k = 0; k < legs; at += own[k++].count) {
        if (!measure_leg(p, k, &before[k], 0, own[k], rises[k], arena, at) ||
            !measure_leg(p, k, &after[k], 1, own[k], rises[k], arena, at))
            return arena->failed ? skl_plant_lacks_memory(status) : skl_fail(status, SKL_STOPPED, "ground", "");
        out->unreached = fmax(out->unreached, unreached(p, k, own[k]));
    }
    out->contacts = p->contacts;
    return SKL_OK;
}

skl_code skl_plant_measure(skl_planting *p, skl_plant_measures *out, skl_status *status) {
    const skl_pointer pointers[] = {{p, "planting"}, {out, "out"}};
    skl_arena arena = {0};
    *status = (skl_status){.code = SKL_OK};
    if (SKL_CHECK_POINTERS(pointers, status) != SKL_OK) return status->code;
    *out = (skl_plant_measures){
        .level = skl_plant_ground(p)->level, .is_loop = p->scene.loop != NULL, .ground_moves = p->scene.standing.moves};
    memcpy(out->ground_velocity, p->scene.standing.velocity, sizeof out->ground_velocity);
    memcpy(out->up, p->scene.up, sizeof out->up);
    if (!p->is_solved) return skl_fail(status, SKL_BAD_VALUE, "planting", "it is measured when it is solved");
    if (!skl_plant_stands(p)) return SKL_OK;
    const skl_code code = measure(p, out, &arena, status);
    skl_arena_free(&arena);
    return code;
}
