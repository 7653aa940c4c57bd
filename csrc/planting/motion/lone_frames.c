/* SPDX-License-Identifier: MIT */
#include "lone_frames.h"

#include <math.h>
#include <string.h>

#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"
#include "planting/curves/median.h"

enum { JOINTS = 3 };

/* The motion that is looked at. */
typedef struct motion {
    int64_t num_legs, num_frames;
    const skl_track *tracks;
    double *off;     /* num_frames: how far half of the joints are from where their neighbours lead, in legs */
    double *scratch; /* for medians */
    double length, fps;
} motion;

static const double *place(const motion *m, int64_t joint, int64_t frame) {
    const skl_track *track = &m->tracks[joint / JOINTS];
    const double *const paths[JOINTS] = {track->hip, track->knee, track->ankle};
    return paths[joint % JOINTS] + 3 * frame;
}

/* How far a joint is from the middle of its neighbours, twice. */
static double second(const motion *m, int64_t joint, int64_t frame) {
    const double *at = place(m, joint, frame);
    double apart[3];
    for (int c = 0; c < 3; c++) apart[c] = at[3 + c] - 2.0 * at[c] + at[c - 3];
    return skl_v3_length(apart);
}

static double least_off(const motion *m) { return fmax(OFF_HALF, THROWN / (m->fps * m->fps)); }

/* Whether half of the joints are off anywhere: in most motions they are not. */
static int may_jump(const motion *m) {
    const int64_t joints = JOINTS * m->num_legs;
    const double least = least_off(m) * m->length;
    for (int64_t f = 1; f + 1 < m->num_frames; f++) {
        int64_t many = 0;
        for (int64_t j = 0; j < joints; j++) many += second(m, j, f) > least;
        if (2 * many >= joints) return 1;
    }
    return 0;
}

/* Find how far off frames are, and those that are so clearly. */
static int64_t find_jumps(const motion *m, int64_t *jumps) {
    const int64_t joints = JOINTS * m->num_legs;
    const double least = least_off(m);
    int64_t count = 0;
    memset(m->off, 0, (size_t)m->num_frames * sizeof *m->off);
    for (int64_t f = 1; f + 1 < m->num_frames; f++) {
        double sum = 0.0;
        for (int64_t j = 0; j < joints; j++) {
            const double own = second(m, j, f);
            m->scratch[j] = own * own;
            sum += own;
        }
        m->off[f] = sqrt(skl_median(m->scratch, joints)) / m->length;
        if (m->off[f] > least && sum / (double)joints / m->length > OFF_MEAN) jumps[count++] = f;
    }
    return count;
}

/* Keep the jumps after which (direction 1), or before which (-1), nothing else is as far off. */
static int64_t keep_jumps(const motion *m, const int64_t *jumps, int64_t count, int direction, int64_t *out) {
    const int64_t near = (int64_t)fmax(3.0, rint(OFF_AROUND * m->fps));
    int64_t kept = 0;
    for (int64_t i = 0; i < count; i++) {
        const int64_t left = direction > 0 ? m->num_frames - 1 - jumps[i] : jumps[i];
        const int64_t beside = left < near ? left : near;
        if (left < 3) continue;
        for (int64_t k = 0; k < beside; k++) m->scratch[k] = m->off[jumps[i] + direction * (k + 1)];
        if (m->off[jumps[i]] > OFF_TIMES * skl_quantile(m->scratch, beside, OFF_MOSTLY)) out[kept++] = jumps[i];
    }
    return kept;
}

/* Whether the motion before frame a continues behind frame b. */
static int goes_on(const motion *m, int64_t a, int64_t b) {
    const int64_t joints = JOINTS * m->num_legs;
    for (int64_t j = 0; j < joints; j++) {
        const double *from = place(m, j, a), *to = place(m, j, b);
        double missed[3];
        for (int c = 0; c < 3; c++)
            missed[c] = to[c] - from[c] - 0.5 * (double)(b - a) * (from[c] - from[c - 3] + to[c + 3] - to[c]);
        m->scratch[j] = skl_v3_length(missed);
    }
    return skl_median(m->scratch, joints) < fmin(m->off[a], m->off[b]) * m->length / OFF_TIMES;
}

static void mark(const motion *m, const int64_t *after, int64_t num_after, const int64_t *before, int64_t num_before,
                 uint8_t *out) {
    const int64_t longest = (int64_t)rint(LONE_LONGEST * m->fps), most = longest > LONE_FEW ? longest : LONE_FEW;
    const int64_t num = m->num_frames, edge = skl_fewer(most, num / 2);
    int64_t begin = 0, end = num;
    for (int64_t i = 0; i < num_after; i++)
        if (after[i] <= edge) begin = after[i];
    for (int64_t i = num_before - 1; i >= 0; i--)
        if (before[i] >= num - 1 - edge) end = before[i];
    memset(out, 1, (size_t)begin);
    if (end + 1 < num) memset(out + end + 1, 1, (size_t)(num - end - 1));
    for (int64_t i = 0; i < num_before; i++)
        for (int64_t k = 0; k < num_after && after[k] <= before[i] + most + 1; k++) {
            if (after[k] <= before[i] + 1 || !goes_on(m, before[i], after[k])) continue;
            memset(out + before[i] + 1, 1, (size_t)(after[k] - before[i] - 1));
            break;
        }
}

void skl_mark_flat(const double *foot, int64_t num_frames, uint8_t *out) {
    double largest = 0.0;
    for (int64_t f = 0; f < num_frames; f++) largest = fmax(largest, fabs(skl_m3_determinant(foot + 9 * f)));
    for (int64_t f = 0; f < num_frames; f++)
        if (!(fabs(skl_m3_determinant(foot + 9 * f)) > HIDDEN * largest)) out[f] = 1;
}

int skl_lone_frames(int64_t num_legs, const skl_track *tracks, double fps, skl_arena *arena, uint8_t *out) {
    const skl_arena start = *arena;
    const int64_t num = tracks->num_frames, joints = JOINTS * num_legs;
    const double length = skl_mean_length(tracks, num_legs);
    motion m = {.num_legs = num_legs, .num_frames = num, .tracks = tracks, .fps = fps, .length = length};
    memset(out, 0, (size_t)num);
    for (int64_t k = 0; k < num_legs; k++) skl_mark_flat(tracks[k].foot, num, out);
    if (num < 5 || !may_jump(&m)) return 1;
    int64_t *jumps = SKL_TAKE(arena, int64_t, num), *after = SKL_TAKE(arena, int64_t, num);
    int64_t *before = SKL_TAKE(arena, int64_t, num);
    m.off = SKL_TAKE(arena, double, num);
    m.scratch = SKL_TAKE(arena, double, num > joints ? num : joints);
    if (arena->failed) return 0;
    const int64_t count = find_jumps(&m, jumps), num_after = keep_jumps(&m, jumps, count, 1, after);
    mark(&m, after, num_after, before, keep_jumps(&m, jumps, count, -1, before), out);
    skl_arena_back(arena, start);
    return 1;
}
