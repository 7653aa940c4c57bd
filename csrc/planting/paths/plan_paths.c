/* SPDX-License-Identifier: MIT */
#include "plan_paths.h"

#include <math.h>
#include <string.h>

#include "core/base/smoothstep.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "path_constants.h"
#include "planting/curves/curves.h"
#include "planting/ground/levels.h"
#include "planting/motion/cuts.h"
#include "planting/motion/turns.h"
#include "smooth_paths.h"

/* One leg and what is planned for it; all arrays are over frames. */
typedef struct planned {
    const skl_track *track;
    uint8_t *stands, *left_out, *holds, *air;
    double *bones, *limits, *held, *lowest, *known, *bound; /* bound: lowest, beside the drift */
    double *line;                                           /* from ankle to hip, without noise */
    double *points, *before;                                /* the sole in the air, 3 x num_frames x 3, and as it was */
    double *below;                                          /* how far below the ground it may be, <= 0 */
    double *raised;                                         /* how far stances raise it, around them too */
} planned;

typedef struct plan {
    skl_plan_job *job;
    skl_arena *arena;
    planned *legs;
    skl_path_leg *paths;
    uint8_t *free, *cuts;
    double *rise, *before, *points, *above, *shift;
    int64_t *frames;
    double length;
    skl_smooth_paths_job smooth; /* open for as long as contacts stay the same */
    int has_shift;               /* whether it is known how the body goes with these contacts */
} plan;

void skl_lowest_near(skl_spans contacts, const double *rises, int64_t num_frames, double *out) {
    int64_t begun = 0, ended = 0;
    for (int64_t f = 0; f < num_frames; f++) {
        while (begun < contacts.count && contacts.at[begun].first <= f) begun++;
        while (ended < contacts.count && contacts.at[ended].last < f) ended++;
        const double before = begun ? rises[begun - 1] : 0.0, after = ended < contacts.count ? rises[ended] : 0.0;
        out[f] = fmin(0.0, fmin(before, after));
    }
}

/* To which part of its length a leg may be straightened, or stretched. */
static double straightest(const skl_plan_job *job, int stands) {
    if (job->reach == SKL_STRETCH) return fmax(job->stretch, NEARLY_STRAIGHT);
    return stands || job->reach == SKL_SOFTEN ? STRAIGHT : NEARLY_STRAIGHT;
}

static int begin_leg(plan *p, int64_t k) {
    const skl_plan_job *job = p->job;
    const skl_stance *stance = &job->legs[k];
    const int64_t num = job->num_frames;
    planned *leg = &p->legs[k];
    skl_arena *arena = p->arena;
    *leg = (planned){.track = stance->foot.track,
                     .stands = SKL_TAKE(arena, uint8_t, num),
                     .left_out = SKL_ZEROS(arena, uint8_t, num),
                     .holds = SKL_TAKE(arena, uint8_t, num),
                     .air = SKL_TAKE(arena, uint8_t, num),
                     .bones = SKL_TAKE(arena, double, num),
                     .limits = SKL_TAKE(arena, double, num),
                     .held = SKL_TAKE(arena, double, 3 * num),
                     .lowest = SKL_TAKE(arena, double, num),
                     .known = SKL_TAKE(arena, double, num),
                     .bound = SKL_TAKE(arena, double, num),
                     .line = SKL_TAKE(arena, double, 3 * num),
                     .points = SKL_TAKE(arena, double, 9 * num),
                     .before = SKL_TAKE(arena, double, 9 * num),
                     .below = SKL_TAKE(arena, double, num),
                     .raised = SKL_TAKE(arena, double, num)};
    double *turned = SKL_TAKE(arena, double, 9 * num);
    if (arena->failed) return 0;
    const skl_track *track = leg->track;
    skl_span_mask(stance->foot.contacts, num, leg->stands);
    for (int64_t f = 0; f < num; f++) {
        const double *hip = track->hip + 3 * f, *knee = track->knee + 3 * f, *ankle = track->ankle + 3 * f;
        leg->bones[f] = skl_v3_distance(knee, hip) + skl_v3_distance(ankle, knee);
        leg->limits[f] = fmax(skl_v3_distance(hip, ankle), straightest(job, leg->stands[f]) * leg->bones[f]);
        leg->lowest[f] = -INFINITY;
        leg->raised[f] = leg->stands[f] ? skl_v3_dot(stance->offset + 3 * f, job->ground->up) : NAN;
        for (int c = 0; c < 3; c++) {
            leg->held[3 * f + c] = stance->offset[3 * f + c] - p->rise[f] * job->ground->up[c];
            job->offsets[3 * (k * num + f) + c] = p->rise[f] * job->ground->up[c];
        }
    }
    if (!skl_hold_between(leg->raised, num)) memset(leg->raised, 0, (size_t)num * sizeof *leg->raised);
    skl_turn_feet(num, stance->turn, track->foot, turned);
    p->paths[k] = (skl_path_leg){.hip = track->hip,
                                 .ankle = track->ankle,
                                 .line = leg->line,
                                 .bones = leg->bones,
                                 .flexion = track->flexion,
                                 .reach = leg->limits,
                                 .lowest = leg->bound,
                                 .stands = leg->holds,
                                 .held = leg->held,
                                 .offset = job->offsets + 3 * k * num};
    skl_calm_line(track, job->fps, arena, leg->line);
    return !arena->failed &&
           skl_outline_on(stance->foot.sole, job->ground->up, num, track->foot, stance->foot.ground, arena,
                          leg->before) &&
           skl_outline_on(stance->foot.sole, job->ground->up, num, turned, stance->foot.ground, arena, leg->points);
}

/* --- feet in the air -----------------------------------------------------------------------------------------------
 */

/* Query how far soles in the air are above the ground, as they were or as they come to be: the least of each is put
 * into `above`, leg by leg; infinity where there is none. */
static int query(plan *p, int before) {
    const skl_plan_job *job = p->job;
    const int64_t num = job->num_frames;
    int64_t n = 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        const planned *leg = &p->legs[k];
        const double *points = before ? leg->before : leg->points;
        for (int64_t f = 0; f < num; f++)
            for (int s = 0; leg->air[f] && s < 3; s++, n++) {
                for (int c = 0; c < 3; c++)
                    p->points[3 * n + c] = leg->track->ankle[3 * f + c] + points[3 * (s * num + f) + c] +
                                           (before ? 0.0 : job->offsets[3 * (k * num + f) + c]);
                p->frames[n] = f;
            }
    }
    if (skl_ground_above(job->ground, n, p->points, p->frames, p->above)) return 0;
    for (int64_t i = 0; 3 * i < n; i++)
        p->above[i] = fmin(fmin(p->above[3 * i], p->above[3 * i + 1]), p->above[3 * i + 2]);
    return 1;
}

/* Find how far below the ground soles in the air may be: hardly below what they stand on, as far as they were; towards
 * the ends of a range, where nothing changes, as they were. */
static int find_below(plan *p) {
    const skl_plan_job *job = p->job;
    if (!query(p, 1)) return 0;
    for (int64_t k = 0, n = 0; k < job->num_legs; k++) {
        const planned *leg = &p->legs[k];
        skl_lowest_near(job->legs[k].foot.contacts, job->legs[k].rises, job->num_frames, leg->below);
        for (int64_t f = 0; f < job->num_frames; f++) {
            const double floor = leg->below[f], ramp = job->ramp[f];
            double height = leg->air[f] ? p->above[n++] : 0.0;
            if (!isfinite(height)) height = 0.0;
            const double grazes = fmin(fmax(height + leg->raised[f] - floor, -GRAZE * leg->track->length), 0.0);
            leg->below[f] = ramp * (floor + grazes) + (1.0 - ramp) * fmin(height, 0.0);
        }
    }
    return 1;
}

/* Find the least rise of each ankle that keeps its sole in the air above the ground, else -infinity. Where feet swing
 * over an edge each look may see another side of it: the higher one counts. */
static int find_lowest(plan *p, int look) {
    const skl_plan_job *job = p->job;
    const double *const up = job->ground->up;
    if (!query(p, 0)) return 0;
    for (int64_t k = 0, n = 0; k < job->num_legs; k++) {
        planned *leg = &p->legs[k];
        memcpy(leg->known, leg->lowest, (size_t)job->num_frames * sizeof *leg->known);
        for (int64_t f = 0; f < job->num_frames; f++) {
            const double above = leg->air[f] ? p->above[n++] : INFINITY;
            const double rise = skl_v3_dot(job->offsets + 3 * (k * job->num_frames + f), up);
            const double found = isfinite(above) ? rise - above + leg->below[f] : -INFINITY;
            leg->lowest[f] = look < 2 ? found : fmax(found, leg->known[f]);
        }
    }
    return 1;
}

/* Whether what bounds rises from below is another where a foot is near to it. */
static int touched(const plan *p) {
    const skl_plan_job *job = p->job;
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int64_t f = 0; f < job->num_frames; f++) {
            const double height = skl_v3_dot(job->offsets + 3 * (k * job->num_frames + f), job->ground->up);
            const double old = fmax(p->legs[k].known[f], height - p->length);
            const double new = fmax(p->legs[k].lowest[f], height - p->length);
            if (height - fmax(old, new) < NEAR * p->length && fabs(new - old) > SETTLED * p->length) return 1;
        }
    return 0;
}

/* --- contacts out of reach -----------------------------------------------------------------------------------------
 */

static int lacks(const plan *p, int64_t k, int64_t f) {
    const planned *leg = &p->legs[k];
    const double *offset = p->job->offsets + 3 * (k * p->job->num_frames + f), *body = p->job->body + 3 * f;
    if (!leg->holds[f] || !p->free[f]) return 0;
    double apart[3];
    for (int c = 0; c < 3; c++)
        apart[c] = leg->track->hip[3 * f + c] + body[c] - leg->track->ankle[3 * f + c] - offset[c];
    return skl_v3_length(apart) - leg->limits[f] > LACKING * p->length;
}

/* How far a contact holds its foot from its path, at most; contacts that were left out count as 0. */
static double held_away(const plan *p, int64_t k, skl_span span) {
    double most = 0.0;
    for (int64_t f = span.first; f <= span.last; f++)
        if (!p->legs[k].left_out[f]) most = fmax(most, skl_v3_length(p->job->legs[k].offset + 3 * f));
    return most;
}

/* Mark the contact to leave out about one that lacks reach: the one held furthest from its path. */
static void leave_out(const plan *p, skl_span about, uint8_t *const *marks) {
    const double near = LEFT_OUT_BESIDE * p->job->fps;
    double most = -1.0;
    int64_t leg = 0;
    skl_span worst = {0, -1};
    for (int64_t k = 0; k < p->job->num_legs; k++)
        for (int64_t i = 0; i < p->job->legs[k].foot.contacts.count; i++) {
            const skl_span span = p->job->legs[k].foot.contacts.at[i];
            if ((double)span.first > (double)about.last + near || (double)span.last < (double)about.first - near)
                continue;
            const double moved = held_away(p, k, span);
            if (!(moved > most)) continue;
            most = moved;
            leg = k;
            worst = span;
        }
    memset(marks[leg] + worst.first, 1, (size_t)skl_span_frames(worst));
}

/* Leave out contacts that are out of reach; sets whether there are such. */
static int cut_reach(plan *p, int *more) {
    const skl_plan_job *job = p->job;
    const skl_arena mark = *p->arena;
    uint8_t **marks = SKL_TAKE(p->arena, uint8_t *, job->num_legs);
    *more = 0;
    for (int64_t k = 0; marks && k < job->num_legs; k++) marks[k] = SKL_ZEROS(p->arena, uint8_t, job->num_frames);
    if (p->arena->failed) return 0;
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int64_t i = 0; i < job->legs[k].foot.contacts.count; i++) {
            const skl_span span = job->legs[k].foot.contacts.at[i];
            int64_t f = span.first;
            while (f <= span.last && !lacks(p, k, f)) f++;
            if (f > span.last) continue;
            leave_out(p, span, marks);
            *more = 1;
        }
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int64_t f = 0; f < job->num_frames; f++) p->legs[k].left_out[f] |= marks[k][f];
    skl_arena_back(p->arena, mark);
    return 1;
}

/* --- all of it -----------------------------------------------------------------------------------------------------
 */

/* How far all of the motion is moved first. Nothing else leads into a range. */
static int find_rise(plan *p) {
    const skl_plan_job *job = p->job;
    double whole;
    int jumps = 0;
    for (int64_t f = 0; f < job->num_frames; f++) jumps |= job->alone[f];
    skl_track *tracks = SKL_TAKE(p->arena, skl_track, job->num_legs);
    skl_spans *contacts = SKL_TAKE(p->arena, skl_spans, job->num_legs);
    const double **offsets = SKL_TAKE(p->arena, const double *, job->num_legs);
    if (p->arena->failed) return 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        tracks[k] = *job->legs[k].foot.track;
        contacts[k] = job->legs[k].foot.contacts;
        offsets[k] = job->legs[k].offset;
    }
    const skl_feet feet = {job->num_legs, job->num_frames, tracks, NULL, contacts, job->ground->up};
    if (!skl_whole_rise(&feet, offsets, job->ground, jumps, p->arena, &whole)) return 0;
    for (int64_t f = 0; f < job->num_frames; f++) p->rise[f] = job->drift[f] + (job->whole ? whole : 0.0);
    return 1;
}

/* Turns of feet fade around their contacts; where nothing is to change they are over. */
static void end_turns(const skl_plan_job *job) {
    for (int64_t k = 0; k < job->num_legs; k++)
        for (int64_t f = 0; f < job->num_frames; f++)
            for (int c = 0; c < 3; c++) job->legs[k].turn[3 * f + c] *= job->ramp[f];
}

static int begin(plan *p) {
    skl_plan_job *job = p->job;
    const int64_t num = job->num_frames, legs = job->num_legs;
    skl_stances_job stances = {legs, num, job->ground, job->window, job->legs, {0}};
    if (skl_stances_run(&stances) != SKL_OK) {
        job->status = stances.status;
        p->arena->failed |= stances.status.code == SKL_NO_MEMORY;
        return 0;
    }
    end_turns(job);
    p->legs = SKL_TAKE(p->arena, planned, legs);
    p->paths = SKL_TAKE(p->arena, skl_path_leg, legs);
    p->free = SKL_TAKE(p->arena, uint8_t, num);
    p->rise = SKL_TAKE(p->arena, double, num);
    p->before = SKL_ZEROS(p->arena, double, num *SKL_PATHS_BEFORE(legs));
    p->cuts = SKL_ZEROS(p->arena, uint8_t, num);
    p->shift = SKL_TAKE(p->arena, double, 3 * num);
    p->points = SKL_TAKE(p->arena, double, 9 * legs * num);
    p->above = SKL_TAKE(p->arena, double, 3 * legs * num);
    p->frames = SKL_TAKE(p->arena, int64_t, 3 * legs * num);
    const skl_track **tracks = SKL_TAKE(p->arena, const skl_track *, legs);
    if (p->arena->failed || !find_rise(p)) return 0;
    p->length = 0.0;
    for (int64_t k = 0; k < legs; k++) {
        if (!begin_leg(p, k)) return 0;
        tracks[k] = p->legs[k].track;
        p->length += p->legs[k].track->length / (double)legs;
    }
    for (int64_t f = 0; f < num; f++) p->free[f] = job->ramp[f] > 0.0;
    return skl_body_cuts(legs, tracks, job->fps, p->arena, p->cuts);
}

static void begin_smooth(plan *p) {
    const skl_plan_job *job = p->job;
    const double *const up = job->ground->up;
    const double fade = USUAL_BLEND / fmax(job->blend, LEAST_BLEND);
    p->smooth =
        (skl_smooth_paths_job){.num_frames = job->num_frames,
                               .num_legs = job->num_legs,
                               .legs = p->paths,
                               .free = p->free,
                               .cuts = p->cuts,
                               .up = {up[0], up[1], up[2]},
                               .length = p->length,
                               .frame_time = 1.0 / job->fps,
                               .body_moves = job->body_moves,
                               .heights_only = job->heights_only,
                               .weights = {BODY_WEIGHT, ANKLE_WEIGHT, FLEXION_WEIGHT, JERK_WEIGHT, NOISE_WEIGHT,
                                           PATH_SPRING * fade * fade * fade * fade, job->acceleration / p->length},
                               .before = p->before,
                               .stays_open = !job->ground->is_level,
                               .body = job->body};
}

/* Where the body goes is for standing feet to say: what swings is lifted by its leg. */
static skl_code solve_body(plan *p) {
    skl_smooth_paths_job free = p->smooth;
    free.before = NULL;
    free.stays_open = 0;
    for (int64_t k = 0; k < p->job->num_legs; k++)
        for (int64_t f = 0; f < p->job->num_frames; f++) p->legs[k].bound[f] = -INFINITY;
    const skl_code code = skl_smooth_paths_run(&free);
    memcpy(p->shift, p->job->body, (size_t)(3 * p->job->num_frames) * sizeof *p->shift);
    p->job->status = free.status;
    p->has_shift = code == SKL_OK;
    p->smooth.shift = p->shift;
    p->smooth.body_moves = 0;
    return code;
}

/* How far below ground that is only assumed a foot would go in a swing, at most: from that follows how much of the
 * ground is there. */
static double part_of_ground(const plan *p, const planned *leg, const double *offsets, skl_span swing) {
    double most = 0.0;
    for (int64_t f = swing.first; f <= swing.last; f++)
        most = fmax(most, leg->bound[f] - skl_v3_dot(offsets + 3 * f, p->job->ground->up));
    return 1.0 - skl_smoothstep(most / (MOST_LIFT * p->length) - 1.0);
}

/* Set the least rises of feet in the air, beside the drift; returns whether the paths that came of the body's break
 * one.
 */
static int set_bounds(plan *p) {
    const skl_plan_job *const job = p->job;
    int broken = 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        planned *const leg = &p->legs[k];
        const double *const offsets = job->offsets + 3 * k * job->num_frames;
        skl_span swing;
        for (int64_t f = 0; f < job->num_frames; f++) leg->bound[f] = leg->lowest[f] - p->rise[f];
        for (int64_t from = 0; skl_next_run(leg->air, job->num_frames, from, &swing); from = swing.last + 1) {
            const double part = job->assumed ? part_of_ground(p, leg, offsets, swing) : 1.0;
            for (int64_t f = swing.first; f <= swing.last; f++) {
                const double now = skl_v3_dot(offsets + 3 * f, job->ground->up);
                if (job->assumed && leg->bound[f] > now)
                    leg->bound[f] = now + part * fmin(leg->bound[f] - now, MOST_LIFT * p->length);
                broken |= leg->bound[f] > now;
            }
        }
    }
    return broken;
}

/* Solve for the paths as contacts are now. */
static skl_code solve(plan *p) {
    skl_plan_job *job = p->job;
    const double *const up = job->ground->up;
    const int again = p->has_shift;
    if (!again && solve_body(p) != SKL_OK) return job->status.code;
    const int broken = set_bounds(p);
    if ((again || broken) && skl_smooth_paths_run(&p->smooth) != SKL_OK) {
        job->status = p->smooth.status;
        return p->smooth.status.code;
    }
    for (int64_t f = 0; f < job->num_frames; f++)
        for (int c = 0; c < 3 && !job->alone[f]; c++) {
            const double drift = p->rise[f] * up[c];
            job->body[3 * f + c] += drift;
            for (int64_t k = 0; k < job->num_legs; k++) job->offsets[3 * (k * job->num_frames + f) + c] += drift;
        }
    return SKL_OK;
}

static void sort_frames(plan *p) {
    for (int64_t k = 0; k < p->job->num_legs; k++)
        for (int64_t f = 0; f < p->job->num_frames; f++) {
            planned *leg = &p->legs[k];
            leg->holds[f] = leg->stands[f] && !leg->left_out[f];
            leg->air[f] = p->free[f] && !leg->holds[f];
        }
}

/* Write what came out, without what is hardly moved. */
static void finish(plan *p) {
    skl_plan_job *job = p->job;
    const double least = MOVES_NOTHING * p->length;
    for (int64_t f = 0; f < job->num_frames; f++) {
        double *body = job->body + 3 * f;
        if (skl_v3_length(body) < least) memset(body, 0, 3 * sizeof *body);
        for (int64_t k = 0; k < job->num_legs; k++) {
            const int64_t at = k * job->num_frames + f;
            double *offset = job->offsets + 3 * at, moved = 0.0;
            if (skl_v3_distance(offset, body) < least) memcpy(offset, body, 3 * sizeof *offset);
            for (int c = 0; c < 3; c++) moved += fabs(offset[c] - body[c]) + fabs(job->legs[k].turn[3 * f + c]);
            job->changed[at] = p->free[f] && moved > 0.0;
            job->missed[at] = p->legs[k].left_out[f] ? skl_v3_distance(offset, job->legs[k].offset + 3 * f) : 0.0;
        }
    }
}

/* Begin again, with other contacts. */
static void forget(plan *p) {
    skl_smooth_paths_close(&p->smooth);
    p->smooth.shift = NULL;
    p->smooth.body_moves = p->job->body_moves;
    p->has_shift = 0;
    memset(p->before, 0, (size_t)(p->job->num_frames * SKL_PATHS_BEFORE(p->job->num_legs)) * sizeof *p->before);
}

static skl_code run(plan *p) {
    const skl_plan_job *job = p->job;
    int settled = 0, more;
    if (!begin(p)) return SKL_STOPPED;
    begin_smooth(p);
    for (int look = 0; look < LOOKS; look++) {
        sort_frames(p);
        if ((!settled && !find_below(p)) || !find_lowest(p, look)) return SKL_STOPPED;
        if (settled && !touched(p)) break;
        const skl_code code = solve(p);
        if (code != SKL_OK) return code;
        if (!cut_reach(p, &more)) return SKL_STOPPED;
        settled = !more;
        /* Each look begins with what the last one found. */
        if (more) forget(p);
        if (settled && (job->ground->is_level || look + 1 >= LOOKS_AT_GROUND)) break;
    }
    finish(p);
    return SKL_OK;
}

skl_code skl_plan_run(skl_plan_job *job) {
    skl_arena arena = {0};
    plan p = {.job = job, .arena = &arena};
    job->status.code = SKL_OK;
    const skl_code code = run(&p);
    skl_smooth_paths_close(&p.smooth);
    const int failed = arena.failed;
    skl_arena_free(&arena);
    if (failed) return skl_fail(&job->status, SKL_NO_MEMORY, "feet", "");
    job->status.code = code;
    return code == SKL_OK ? skl_done(&job->status) : code;
}
