/* SPDX-License-Identifier: MIT */
#include "loop_ground.h"

#include <math.h>
#include <string.h>

#include "core/transforms/vector3.h"
#include "loop_constants.h"
#include "planting/curves/median.h"

enum { LINE = 5, FOOT = 2 * LINE, ASIDES = 7, FRAMES = 3 };

/* --- both ends -----------------------------------------------------------------------------------------------------
 */

/* Places under the foot of the first pose, FOOT of them. */
static void read_below_foot(const skl_track *track, const double up[3], double *out) {
    double ahead[3] = {0}, level[3], aside[3];
    for (int i = 0; track->has_ball && i < 3; i++) ahead[i] = skl_v3_dot(track->foot + 3 * i, track->ball);
    const double width = HALF_WIDTH * track->length;
    memcpy(level, ahead, sizeof level);
    skl_v3_flatten(up, level);
    if (skl_v3_length(level) < width) {
        skl_v3_level_axes(up, level, aside);
        for (int i = 0; i < 3; i++) ahead[i] = width * level[i];
    }
    skl_v3_cross(up, level, aside);
    const double size = skl_v3_length(aside);
    for (int n = 0; n < LINE; n++)
        for (int i = 0; i < 3; i++) {
            const double at = track->ankle[i] + ALONG_FOOT[n] * ahead[i], side = aside[i] * (width / size);
            out[3 * n + i] = at - side;
            out[3 * (LINE + n) + i] = at + side;
        }
}

/* The ground under both poses. */
typedef struct both_ends {
    const skl_ground *ground;
    int64_t count, last; /* places; the clip's last frame */
    double *first, *heights;
    int64_t *surface, *begin, *end; /* frames: all 0, and all the last */
    double *there;                  /* ASIDES x count: heights under the last pose, beside each place too */
    double near, rise, own;
} both_ends;

static int take_both(const skl_loop_ends *ends, int64_t num_clip, skl_arena *arena, both_ends *b) {
    const int64_t count = FOOT * ends->num_legs;
    b->count = count;
    b->last = num_clip - 1;
    b->first = SKL_TAKE(arena, double, 3 * count);
    b->heights = SKL_TAKE(arena, double, count);
    b->surface = SKL_TAKE(arena, int64_t, count);
    b->begin = SKL_ZEROS(arena, int64_t, count);
    b->end = SKL_TAKE(arena, int64_t, ASIDES *count);
    b->there = SKL_TAKE(arena, double, ASIDES *count);
    if (arena->failed) return 0;
    for (int64_t n = 0; n < ASIDES * count; n++) b->end[n] = b->last;
    for (int64_t k = 0; k < ends->num_legs; k++) read_below_foot(&ends->tracks[k], ends->up, b->first + 3 * FOOT * k);
    return 1;
}

/* At the edge of a step rounding decides between above and below: there the ground a little aside counts too. */
static int query_both(both_ends *b, const double travel[16], skl_arena *arena) {
    double *points = SKL_TAKE(arena, double, 3 * ASIDES * b->count);
    const skl_footing first = {.heights = b->heights, .surface = b->surface}, last = {.heights = b->there};
    if (!points || skl_ground_below(b->ground, b->count, b->first, b->begin, &first)) return 0;
    for (int a = 0; a < ASIDES; a++) {
        double aside[3] = {0};
        if (a) aside[(a - 1) % 3] = a <= 3 ? b->near : -b->near;
        const double height = skl_v3_dot(aside, b->ground->up);
        for (int64_t n = 0; n < b->count; n++) {
            double *at = points + 3 * (a * b->count + n);
            skl_loop_move(travel, b->first + 3 * n, at);
            for (int i = 0; i < 3; i++) at[i] += aside[i] - height * b->ground->up[i];
        }
    }
    return !skl_ground_below(b->ground, ASIDES * b->count, points, b->end, &last);
}

/* How much further up the ground is; whether it is the same everywhere but for that. -1 where memory failed. */
static int is_alike(both_ends *b, skl_arena *arena) {
    double *apart = SKL_TAKE(arena, double, b->count);
    int64_t known = 0;
    if (!apart) return -1;
    for (int64_t n = 0; n < b->count; n++)
        if (isfinite(b->there[n] - b->heights[n])) apart[known++] = b->there[n] - b->heights[n];
    b->rise = known ? skl_median(apart, known) : b->own;
    for (int64_t n = 0; n < b->count; n++) {
        int same = 0;
        for (int a = 0; a < ASIDES; a++) {
            const double there = b->there[a * b->count + n];
            same |= fabs(there - b->heights[n] - b->rise) <= b->near || (isnan(there) && isnan(b->heights[n]));
        }
        if (!same) return 0;
    }
    return 1;
}

/* Places on ground that moves, those that are known, and what they belong to. */
typedef struct ridden {
    int64_t count;
    double *start, *there; /* in the first frame, and where the loop carries them to in the last */
    int64_t *surface, *surface_there, *from, *to;
    double *begin[FRAMES], *end[FRAMES], *carried;
} ridden;

static int take_ridden(const both_ends *b, const double whole[16], skl_arena *arena, ridden *r) {
    const double *up = b->ground->up;
    *r = (ridden){.start = SKL_TAKE(arena, double, 3 * b->count),
                  .there = SKL_TAKE(arena, double, 3 * b->count),
                  .surface = SKL_TAKE(arena, int64_t, b->count),
                  .surface_there = SKL_TAKE(arena, int64_t, b->count),
                  .from = SKL_TAKE(arena, int64_t, b->count),
                  .to = SKL_TAKE(arena, int64_t, b->count),
                  .carried = SKL_TAKE(arena, double, 3 * b->count)};
    double *heights = SKL_TAKE(arena, double, b->count);
    for (int i = 0; i < FRAMES; i++) {
        r->begin[i] = SKL_TAKE(arena, double, 3 * b->count);
        r->end[i] = SKL_TAKE(arena, double, 3 * b->count);
    }
    if (arena->failed) return 0;
    for (int64_t n = 0; n < b->count; n++) {
        if (!isfinite(b->there[n] - b->heights[n])) continue;
        const double raise = b->heights[n] - skl_v3_dot(b->first + 3 * n, up);
        double *start = r->start + 3 * r->count;
        for (int i = 0; i < 3; i++) start[i] = b->first[3 * n + i] + raise * up[i];
        skl_loop_move(whole, start, r->there + 3 * r->count);
        r->surface[r->count++] = b->surface[n];
    }
    const skl_footing below = {.heights = heights, .surface = r->surface_there};
    return !skl_ground_below(b->ground, r->count, r->there, b->end, &below);
}

static int carry(const both_ends *b, ridden *r, const double *points, const int64_t *surface, int64_t from, int64_t to,
                 double *out) {
    for (int64_t n = 0; n < r->count; n++) {
        r->from[n] = from;
        r->to[n] = to;
    }
    return !skl_ground_carry(b->ground, r->count, points, surface, r->from, r->to, out);
}

static int carry_all(const both_ends *b, ridden *r) {
    for (int i = 0; i < FRAMES; i++)
        if (!carry(b, r, r->start, r->surface, 0, i, r->begin[i]) ||
            !carry(b, r, r->there, r->surface_there, b->last, b->last - i, r->end[i]))
            return 0;
    return carry(b, r, r->start, r->surface, 0, b->last, r->carried);
}

/* How the speed of the ground changes at the seam, and how it changes beside that, at most. */
static double step_at_seam(const ridden *r, const double travel[16], double *beside) {
    double most = 0.0;
    *beside = 0.0;
    for (int64_t n = 0; n < 3 * r->count; n++) {
        const int64_t at = n - n % 3;
        double step = r->end[1][n] - r->end[0][n];
        for (int i = 0; i < 3; i++) step += travel[4 * (n % 3) + i] * (r->begin[1][at + i] - r->begin[0][at + i]);
        most = fmax(most, fabs(step));
        *beside = fmax(*beside, fabs(r->begin[2][n] - 2.0 * r->begin[1][n] + r->begin[0][n]));
        *beside = fmax(*beside, fabs(r->end[2][n] - 2.0 * r->end[1][n] + r->end[0][n]));
    }
    return most;
}

int skl_compare_ground_at_ends(const skl_ground *ground, const skl_loop_ends *ends, int64_t num_clip,
                               const double travel[16], double near, skl_arena *arena, skl_ground_at_ends *out) {
    const double length = skl_mean_length(ends->tracks, ends->num_legs);
    double whole[16], beside;
    *out = (skl_ground_at_ends){.rides = 1};
    if (!ground->moves && !skl_loop_travels(travel)) return 1;
    both_ends b = {.ground = ground, .near = near * length};
    b.own = travel[3] * ends->up[0] + travel[7] * ends->up[1] + travel[11] * ends->up[2];
    if (!take_both(ends, num_clip, arena, &b) || !query_both(&b, travel, arena)) return 0;
    const int alike = is_alike(&b, arena);
    *out = (skl_ground_at_ends){.other = !alike};
    if (alike < 1) return alike == 0;
    out->lift = b.rise - b.own;
    if (!ground->moves) return 1;
    memcpy(whole, travel, sizeof whole);
    for (int i = 0; i < 3; i++) whole[4 * i + 3] += out->lift * ends->up[i];
    ridden r;
    if (!take_ridden(&b, whole, arena, &r) || !carry_all(&b, &r)) return 0;
    if (step_at_seam(&r, travel, &beside) > SEAM_BUMP * beside + SEAM_EVEN * length) {
        *out = (skl_ground_at_ends){.other = 2};
        return 1;
    }
    out->rides = 1;
    for (int64_t n = 0; n < 3 * r.count; n++) out->rides &= fabs(r.carried[n] - r.there[n]) <= b.near;
    return 1;
}

/* --- the endless motion --------------------------------------------------------------------------------------------
 */

/* A matrix as many times as was last requested. */
typedef struct powers {
    const double *matrix;
    int64_t times;
    double power[16];
} powers;

static void take_along(powers *p, int64_t times, const double point[3], double out[3]) {
    if (!times) {
        memmove(out, point, 3 * sizeof *out);
        return;
    }
    if (p->times != times) skl_loop_power(p->matrix, p->times = times, p->power);
    skl_loop_move(p->power, point, out);
}

static int below(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out) {
    const skl_loop_ground *own = context;
    skl_arena arena = {0};
    powers back = {.matrix = own->loop->travel}, on = {.matrix = own->loop->travel};
    double *taken = SKL_TAKE(&arena, double, 3 * num);
    int64_t *when = SKL_TAKE(&arena, int64_t, num);
    int failed = arena.failed;
    for (int64_t n = 0; !failed && n < num; n++) {
        when[n] = skl_loop_frame(own->loop, frames[n]);
        take_along(&back, -skl_loop_turn(own->loop, frames[n]), points + 3 * n, taken + 3 * n);
    }
    failed = failed || skl_ground_below(own->clip, num, taken, when, out);
    skl_arena_free(&arena);
    const int turns = !failed && out->normals && skl_loop_turns(own->loop->travel);
    for (int64_t n = 0; !failed && n < num; n++) {
        const int64_t turn = skl_loop_turn(own->loop, frames[n]);
        out->heights[n] += (double)turn * own->rise;
        if (!turns || !turn) continue;
        double moved[3], origin[3] = {0}, *normal = out->normals + 3 * n;
        take_along(&on, turn, normal, moved);
        take_along(&on, turn, origin, origin);
        skl_v3_minus(moved, origin, normal);
    }
    return failed;
}

/* Points that are carried from one period to the next. */
typedef struct carried_points {
    int64_t count;
    int64_t *turn, *goal, *frame, *there, *surface; /* where each is, and where it goes to */
    int64_t *rows, *from, *edge, *known;            /* those that have not arrived, and what is queried for them */
    double *at, *moved, *heights;
} carried_points;

static int take_points(skl_arena *arena, int64_t num, carried_points *c) {
    int64_t **const numbers[] = {&c->turn, &c->goal, &c->frame, &c->there, &c->surface,
                                 &c->rows, &c->from, &c->edge,  &c->known};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) *numbers[i] = SKL_TAKE(arena, int64_t, num);
    c->at = SKL_TAKE(arena, double, 3 * num);
    c->moved = SKL_TAKE(arena, double, 3 * num);
    c->heights = SKL_TAKE(arena, double, num);
    return !arena->failed;
}

/* One period on, for all that have not arrived: they leave the clip at one end, and come in at its other, on the ground
 * that is there. */
static int next_period(const skl_loop_ground *own, carried_points *c, double *out) {
    const int64_t period = own->loop->period;
    powers on = {.matrix = own->loop->planted};
    for (int64_t i = 0; i < c->count; i++) {
        const int64_t n = c->rows[i];
        c->from[i] = c->frame[n];
        c->edge[i] = c->goal[n] > c->turn[n] ? period : 0;
        c->known[i] = c->surface[n];
        memcpy(c->at + 3 * i, out + 3 * n, 3 * sizeof *out);
    }
    if (skl_ground_carry(own->clip, c->count, c->at, c->known, c->from, c->edge, c->moved)) return 0;
    for (int64_t i = 0; i < c->count; i++) {
        take_along(&on, c->edge[i] ? -1 : 1, c->moved + 3 * i, c->at + 3 * i);
        c->from[i] = period - c->edge[i];
    }
    const skl_footing below_them = {.heights = c->heights, .surface = c->known};
    if (skl_ground_below(own->clip, c->count, c->at, c->from, &below_them)) return 0;
    for (int64_t i = 0; i < c->count; i++) {
        const int64_t n = c->rows[i];
        c->turn[n] += c->edge[i] ? 1 : -1;
        c->frame[n] = c->from[i];
        c->surface[n] = c->known[i];
        memcpy(out + 3 * n, c->at + 3 * i, 3 * sizeof *out);
    }
    return 1;
}

static int carry_on(const skl_loop_ground *own, int64_t num, const double *points, const int64_t *surface,
                    const int64_t *from, const int64_t *to, skl_arena *arena, double *out) {
    const skl_loop *loop = own->loop;
    powers back = {.matrix = loop->planted}, on = {.matrix = loop->planted};
    carried_points c = {0};
    if (!take_points(arena, num, &c)) return 0;
    for (int64_t n = 0; n < num; n++) {
        c.turn[n] = skl_loop_turn(loop, from[n]);
        c.frame[n] = skl_loop_frame(loop, from[n]);
        c.goal[n] = skl_loop_turn(loop, to[n]);
        c.there[n] = skl_loop_frame(loop, to[n]);
        c.surface[n] = surface[n];
        take_along(&back, -c.turn[n], points + 3 * n, out + 3 * n);
    }
    for (;;) {
        c.count = 0;
        for (int64_t n = 0; n < num; n++)
            if (c.turn[n] != c.goal[n]) c.rows[c.count++] = n;
        if (!c.count) break;
        if (!next_period(own, &c, out)) return 0;
    }
    if (skl_ground_carry(own->clip, num, out, c.surface, c.frame, c.there, c.moved)) return 0;
    for (int64_t n = 0; n < num; n++) take_along(&on, c.goal[n], c.moved + 3 * n, out + 3 * n);
    return 1;
}

static int carry_over(void *context, int64_t num, const double *points, const int64_t *surface, const int64_t *from,
                      const int64_t *to, double *out) {
    skl_arena arena = {0};
    const int done = carry_on(context, num, points, surface, from, to, &arena, out);
    skl_arena_free(&arena);
    return !done;
}

void skl_loop_ground_of(const skl_ground *clip, const skl_loop *loop, skl_loop_ground *out) {
    const double *up = clip->up, *planted = loop->planted;
    *out = (skl_loop_ground){.ground = {.moves = clip->moves, .context = out, .below = below, .carry = carry_over},
                             .clip = clip,
                             .loop = loop,
                             .rise = planted[3] * up[0] + planted[7] * up[1] + planted[11] * up[2]};
    memcpy(out->ground.up, up, sizeof out->ground.up);
}
