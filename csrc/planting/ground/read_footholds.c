/* SPDX-License-Identifier: MIT */
#include "read_footholds.h"

#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "ground_constants.h"
#include "planting/curves/curves.h"
#include "planting/motion/turns.h"

/* A foot and what is worked out for it. */
typedef struct reading {
    skl_sloped_foot foot;
    skl_foothold_leg *leg;
    double *spin;        /* num_frames x 9: how the ground under it has turned; NULL: it keeps still */
    int64_t num_samples; /* frames in which slopes are read, */
    int64_t *samples;    /* which they are, */
    int64_t *rows;       /* where they are among all frames of the contacts, */
    int64_t *begins;     /* and where each contact's are among them; one more than there are contacts */
} reading;

static const skl_m3 IDENTITY = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* --- where the ground carries feet ---------------------------------------------------------------------------------
 */

/* The turn from three axes, rows of `axes`, to the right-handed frame of the first of two edges, and square to it. */
static void turn_between(const double *first, const double *second, const double *axes, skl_m3 out) {
    double columns[3][3];
    memcpy(columns[0], first, sizeof columns[0]);
    skl_v3_cross(first, second, columns[2]);
    skl_v3_cross(columns[2], first, columns[1]);
    memset(out, 0, 9 * sizeof *out);
    for (int j = 0; j < 3; j++) {
        const double length = fmax(skl_v3_length(columns[j]), SKL_TINY);
        for (int r = 0; r < 3; r++)
            for (int c = 0; c < 3; c++) out[3 * r + c] += columns[j][r] / length * axes[3 * j + c];
    }
}

/* All contacts of all feet: the place under the ball in the middle of each. */
typedef struct places {
    int64_t count;
    double *points, *heights, *normals;
    int64_t *middles, *surface;
} places;

static int take_places(skl_footholds_job *job, skl_arena *arena, places *out) {
    out->count = 0;
    for (int64_t k = 0; k < job->num_legs; k++) out->count += job->legs[k].contacts.count;
    out->points = SKL_TAKE(arena, double, 3 * out->count);
    out->heights = SKL_TAKE(arena, double, out->count);
    out->normals = SKL_TAKE(arena, double, 3 * out->count);
    out->middles = SKL_TAKE(arena, int64_t, out->count);
    out->surface = SKL_TAKE(arena, int64_t, out->count);
    if (arena->failed) return 0;
    int64_t n = 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        const skl_foothold_leg *leg = &job->legs[k];
        const int64_t count = leg->contacts.count;
        double *feet = SKL_TAKE(arena, double, 9 * count), *outline = SKL_TAKE(arena, double, 9 * count);
        if (arena->failed) return 0;
        for (int64_t i = 0; i < count; i++) {
            out->middles[n + i] = (leg->contacts.at[i].first + leg->contacts.at[i].last) / 2;
            memcpy(feet + 9 * i, leg->track->foot + 9 * out->middles[n + i], 9 * sizeof *feet);
        }
        skl_sole_outline(&leg->model->sole, job->ground->up, count, feet, outline);
        for (int64_t i = 0; i < count; i++, n++)
            for (int c = 0; c < 3; c++)
                out->points[3 * n + c] = leg->track->ankle[3 * out->middles[n] + c] + outline[3 * (count + i) + c];
    }
    const skl_footing footing = {out->heights, out->normals, out->surface};
    if (skl_ground_below(job->ground, out->count, out->points, out->middles, &footing)) return 0;
    for (n = 0; n < out->count; n++) {
        const double off = out->heights[n] - skl_v3_dot(out->points + 3 * n, job->ground->up);
        for (int c = 0; c < 3; c++) out->points[3 * n + c] += isnan(off) ? 0.0 : off * job->ground->up[c];
    }
    return 1;
}

/* Where the ground carries the place of one contact, and how it turns there, in each frame of it. */
static int carry_contact(skl_footholds_job *job, skl_arena *arena, const places *at, int64_t n, skl_span span,
                         reading *r) {
    const skl_arena mark = *arena;
    const int64_t count = skl_span_frames(span);
    double *from = SKL_TAKE(arena, double, 9 * count), *there = SKL_TAKE(arena, double, 9 * count);
    int64_t *surface = SKL_TAKE(arena, int64_t, 3 * count), *begin = SKL_TAKE(arena, int64_t, 3 * count);
    int64_t *end = SKL_TAKE(arena, int64_t, 3 * count);
    if (arena->failed) return 0;
    double axes[9];
    const double reach = PATCH * r->leg->track->length;
    skl_v3_level_axes(job->ground->up, axes, axes + 3);
    memcpy(axes + 6, job->ground->up, 3 * sizeof *axes);
    for (int64_t i = 0; i < 3 * count; i++) {
        surface[i] = at->surface[n];
        begin[i] = at->middles[n];
        end[i] = span.first + i / 3;
        for (int c = 0; c < 3; c++)
            from[3 * i + c] = at->points[3 * n + c] + (i % 3 ? reach * axes[3 * (i % 3 - 1) + c] : 0.0);
    }
    if (skl_ground_carry(job->ground, 3 * count, from, surface, begin, end, there)) return 0;
    for (int64_t i = 0; i < count; i++) {
        double edges[6];
        const double *own = there + 9 * i;
        for (int c = 0; c < 6; c++) edges[c] = own[3 + c] - own[c % 3];
        memcpy(r->leg->hold.place + 3 * (span.first + i), own, 3 * sizeof *own);
        turn_between(edges, edges + 3, axes, r->spin + 9 * (span.first + i));
    }
    skl_arena_back(arena, mark);
    return 1;
}

static int find_places(skl_footholds_job *job, reading *readings, skl_arena *arena) {
    places at;
    if (!take_places(job, arena, &at)) return 0;
    for (int64_t k = 0, n = 0; k < job->num_legs; k++) {
        reading *r = &readings[k];
        for (int64_t f = 0; r->spin && f < job->num_frames; f++) memcpy(r->spin + 9 * f, IDENTITY, sizeof IDENTITY);
        for (int64_t i = 0; i < r->leg->contacts.count; i++, n++) {
            const skl_span span = r->leg->contacts.at[i];
            if (r->spin && !carry_contact(job, arena, &at, n, span, r)) return 0;
            for (int64_t f = span.first; !r->spin && f <= span.last; f++)
                memcpy(r->leg->hold.place + 3 * f, at.points + 3 * n, 3 * sizeof *at.points);
        }
    }
    return 1;
}

/* --- how it slopes -------------------------------------------------------------------------------------------------
 */

/* The shortest turn from up to a normal of any length; 0 where that is hardly any. */
static void turn_from(const double up[3], const double normal[3], double out[3]) {
    skl_v3_cross(up, normal, out);
    const double sine = skl_v3_length(out), angle = atan2(sine, skl_v3_dot(normal, up));
    for (int i = 0; i < 3; i++) out[i] *= angle > LEVEL_SLOPE ? angle / sine : 0.0;
}

/* The mean normal below the sole of a contact, as the ground carries it; up where there is none. `known` are all frames
 * of contacts, or the samples. */
static void mean_normal(const skl_footholds_job *job, const reading *r, const skl_sole_ground *known, int64_t contact,
                        int every, double out[3]) {
    memset(out, 0, 3 * sizeof *out);
    for (int64_t s = r->begins[contact]; s < r->begins[contact + 1]; s++) {
        double sum[3] = {0.0, 0.0, 0.0}, back[3];
        for (int p = 0; p < 3; p++) {
            const int64_t n = p * known->count + (every ? r->rows[s] : s);
            if (!isfinite(known->heights[n]) || !(skl_v3_dot(known->normals + 3 * n, job->ground->up) >= job->steepest))
                continue;
            for (int c = 0; c < 3; c++) sum[c] += known->normals[3 * n + c];
        }
        if (r->spin) skl_m3_transform_back(r->spin + 9 * r->samples[s], sum, back);
        for (int c = 0; c < 3; c++) out[c] += r->spin ? back[c] : sum[c];
    }
    if (out[0] == 0.0 && out[1] == 0.0 && out[2] == 0.0) memcpy(out, job->ground->up, 3 * sizeof *out);
}

/* What is left of the ground's turn beside the change of its slope in one contact: a turn about up. */
static void yaw_contact(reading *r, skl_span span, const double *slope) {
    const int64_t middle = (span.first + span.last) / 2;
    skl_m3 lean, there, back, turned;
    skl_turn_matrices(1, slope + 3 * middle, there);
    for (int64_t f = span.first; f <= span.last; f++) {
        skl_turn_matrices(1, slope + 3 * f, lean);
        skl_m3_transpose(lean, back);
        skl_m3_multiply(back, r->spin + 9 * f, turned);
        skl_m3_multiply(turned, there, r->leg->hold.yaw + 9 * f);
    }
}

/* Take over what is known of the ground below the sole. */
static int learn(const skl_footholds_job *job, reading *r, const skl_sole_ground *known, int every, skl_arena *arena) {
    const skl_arena mark = *arena;
    double *slope = SKL_ZEROS(arena, double, 3 * job->num_frames);
    if (!slope) return 0;
    const skl_foothold *hold = &r->leg->hold;
    const skl_spans contacts = r->leg->contacts;
    int any = 0;
    for (int64_t i = 0; i < contacts.count; i++) {
        double mean[3], own[3];
        mean_normal(job, r, known, i, every, mean);
        for (int64_t f = contacts.at[i].first; f <= contacts.at[i].last; f++) {
            if (r->spin) skl_m3_transform(r->spin + 9 * f, mean, own);
            turn_from(job->ground->up, r->spin ? own : mean, slope + 3 * f);
            for (int c = 0; c < 3; c++) any |= slope[3 * f + c] != 0.0;
        }
    }
    memset(hold->tilt, 0, (size_t)job->num_frames * 3 * sizeof *hold->tilt);
    if (r->spin) {
        for (int64_t f = 0; f < job->num_frames; f++) memcpy(hold->yaw + 9 * f, IDENTITY, sizeof IDENTITY);
        for (int64_t i = 0; i < contacts.count; i++) yaw_contact(r, contacts.at[i], slope);
    }
    if (job->weight > 0.0 && any) {
        for (int64_t n = 0; n < 3 * job->num_frames; n++) slope[n] *= job->weight;
        skl_smooth_between(&(skl_known_curves){job->num_frames, 3, slope, contacts, job->window}, arena, hold->tilt);
    }
    skl_arena_back(arena, mark);
    return !arena->failed;
}

/* What is known of the ground under a foot, for the next reading. */
static void update(const skl_footholds_job *job, reading *r) {
    skl_foothold *hold = &r->leg->hold;
    skl_turn_matrices(job->num_frames, hold->tilt, hold->lean);
    hold->tilts = 0;
    for (int64_t n = 0; n < 3 * job->num_frames && !hold->tilts; n++) hold->tilts = hold->tilt[n] != 0.0;
    for (int64_t f = 0; hold->yaw && f < job->num_frames; f++)
        skl_m3_multiply(hold->lean + 9 * f, hold->yaw + 9 * f, hold->turn + 9 * f);
}

/* Read how the ground slopes: from what is known at all frames of the contacts, or where each foot stands now. `known`
 * is NULL where nothing is. */
static int read_slopes(skl_footholds_job *job, reading *readings, const skl_sole_ground *known, int sloped_only,
                       skl_arena *arena) {
    skl_standing_foot *feet = SKL_TAKE(arena, skl_standing_foot, job->num_legs);
    skl_sole_ground *below = SKL_TAKE(arena, skl_sole_ground, job->num_legs);
    int64_t queried = 0;
    if (arena->failed) return 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        const reading *r = &readings[k];
        if (!r->leg->contacts.count || (sloped_only && !r->leg->hold.tilts) || (known && known[k].count >= 0)) continue;
        below[queried] = (skl_sole_ground){.count = r->num_samples, .frames = r->samples};
        feet[queried++] = (skl_standing_foot){.track = r->leg->track,
                                              .sole = &r->leg->model->sole,
                                              .contacts = r->leg->contacts,
                                              .ground = &r->leg->hold,
                                              .pinned = job->pin};
    }
    if (!skl_ground_below_soles(job->ground, feet, queried, arena, below)) return 0;
    queried = 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        reading *r = &readings[k];
        if (!r->leg->contacts.count || (sloped_only && !r->leg->hold.tilts)) continue;
        const int every = known && known[k].count >= 0;
        if (!learn(job, r, every ? &known[k] : &below[queried++], every, arena)) return 0;
        update(job, r);
    }
    return 1;
}

/* --- all of it -----------------------------------------------------------------------------------------------------
 */

/* Choose frames of contacts to read slopes in. */
static int take_samples(reading *r, skl_arena *arena) {
    const skl_spans contacts = r->leg->contacts;
    r->foot.count = skl_spans_frames(contacts);
    r->foot.frames = SKL_TAKE(arena, int64_t, r->foot.count);
    r->samples = SKL_TAKE(arena, int64_t, r->foot.count);
    r->rows = SKL_TAKE(arena, int64_t, r->foot.count);
    r->begins = SKL_TAKE(arena, int64_t, contacts.count + 1);
    if (arena->failed) return 0;
    r->num_samples = 0;
    int64_t n = 0;
    for (int64_t i = 0; i < contacts.count; i++) {
        const skl_span span = contacts.at[i];
        const int64_t step = 1 + (span.last - span.first) / SLOPE_SAMPLES;
        r->begins[i] = r->num_samples;
        for (int64_t f = span.first; f <= span.last; f++, n++) {
            r->foot.frames[n] = f;
            if ((f - span.first) % step) continue;
            r->rows[r->num_samples] = n;
            r->samples[r->num_samples++] = f;
        }
    }
    r->begins[contacts.count] = r->num_samples;
    return 1;
}

static int begin(skl_footholds_job *job, int64_t k, reading *r, skl_arena *arena) {
    skl_foothold_leg *leg = &job->legs[k];
    const int64_t num = job->num_frames;
    const int moves = job->ground->moves;
    *r = (reading){.leg = leg, .foot.leg = leg, .spin = moves ? SKL_TAKE(arena, double, 9 * num) : NULL};
    leg->hold = (skl_foothold){.num_frames = num,
                               .place = SKL_ZEROS(arena, double, 3 * num),
                               .yaw = moves ? SKL_TAKE(arena, double, 9 * num) : NULL,
                               .tilt = SKL_ZEROS(arena, double, 3 * num),
                               .lean = SKL_TAKE(arena, double, 9 * num)};
    leg->hold.turn = moves ? SKL_TAKE(arena, double, 9 * num) : leg->hold.lean;
    return !arena->failed && take_samples(r, arena);
}

/* All feet of a clip lie along its ground, or none does, where what they touch shows it. */
static int find_along(skl_footholds_job *job, reading *readings, skl_arena *arena) {
    skl_sloped_foot **sloped = SKL_TAKE(arena, skl_sloped_foot *, job->num_legs);
    int64_t num = 0;
    if (!sloped) return 0;
    for (int64_t k = 0; k < job->num_legs; k++)
        if (job->legs[k].hold.tilts) sloped[num++] = &readings[k].foot;
    const int touching = skl_touch_along(job, sloped, num, arena);
    if (touching < -1) return 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        skl_foothold *hold = &job->legs[k].hold;
        if (!hold->tilts) continue;
        hold->along = touching < 0 ? skl_lies_along(job, &readings[k].foot, arena) : touching;
        if (hold->along < 0) return 0;
    }
    return 1;
}

static int run(skl_footholds_job *job, skl_arena *arena) {
    skl_sole_ground *known = SKL_TAKE(arena, skl_sole_ground, job->num_legs);
    reading *readings = SKL_TAKE(arena, reading, job->num_legs);
    if (arena->failed || !skl_keep_standable(job, arena, known)) return 0;
    if (job->nowhere) return 1;
    for (int64_t k = 0; k < job->num_legs; k++)
        if (!begin(job, k, &readings[k], arena)) return 0;
    if (!find_places(job, readings, arena)) return 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        const skl_foothold *hold = &job->legs[k].hold;
        if (hold->yaw) memcpy(hold->yaw, readings[k].spin, (size_t)job->num_frames * 9 * sizeof *hold->yaw);
        update(job, &readings[k]);
    }
    if ((job->weight > 0.0 || job->ground->moves) && !read_slopes(job, readings, known, 0, arena)) return 0;
    if (!find_along(job, readings, arena)) return 0;
    for (int round = 1; round < SLOPE_READINGS; round++)
        if (!read_slopes(job, readings, NULL, 1, arena)) return 0;
    for (int64_t k = 0; k < job->num_legs; k++) job->legs[k].slopes = job->ground->moves || job->legs[k].hold.tilts;
    return 1;
}

skl_code skl_footholds_run(skl_footholds_job *job, skl_arena *arena) {
    job->holes = job->steep = job->nowhere = 0;
    const int done = run(job, arena);
    if (arena->failed) return skl_fail(&job->status, SKL_NO_MEMORY, "feet", "");
    job->status.code = done ? SKL_OK : SKL_STOPPED;
    return done ? skl_done(&job->status) : SKL_STOPPED;
}
