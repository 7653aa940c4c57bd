/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "contact_constants.h"
#include "contacts.h"
#include "find_standing.h"
#include "core/transforms/vector3.h"
#include "planting/curves/filters.h"
#include "planting/curves/median.h"
#include "planting/motion/cuts.h"
#include "planting/motion/fit_foot.h"

/* What is seen of each foot by the limits: num_legs x num_frames. */
typedef struct seen {
    double *speeds, *above; /* above its own lowest, in mean leg lengths */
    uint8_t *still;
} seen;

static void see(const skl_standing_job *job, const skl_foot_signal *signals, const seen *s) {
    const int64_t num = job->tracks->num_frames;
    const double mean = skl_mean_length(job->tracks, job->num_legs);
    for (int64_t k = 0; k < job->num_legs; k++) {
        double *speeds = s->speeds + k * num;
        skl_leg_speeds(job, k, &signals[k], speeds);
        for (int64_t f = 0; f < num; f++) {
            s->still[k * num + f] =
                speeds[f] < job->limits.enter && fabs(signals[k].climb[f]) < fmin(job->limits.enter, RISES);
            s->above[k * num + f] = signals[k].height[f] * (job->tracks[k].length / mean) - job->limits.lowest[k];
        }
    }
}

/* Whether a foot is not held up beside the lowest other one; and whether all others move meanwhile. */
static int is_down(const skl_standing_job *job, const seen *s, int64_t leg, int64_t frame, int *alone) {
    const int64_t num = job->tracks->num_frames;
    double lowest = INFINITY;
    *alone = 1;
    for (int64_t k = 0; k < job->num_legs; k++) {
        if (k == leg) continue;
        lowest = fmin(lowest, s->above[k * num + frame]);
        *alone &= !s->still[k * num + frame];
    }
    return s->above[leg * num + frame] - lowest < HELD_UP;
}

/* Leave what is not held up; up a stair, the step it stands on is high for its surroundings; yet nothing else carries
 * the body. */
static void beside_others(const skl_standing_job *job, const seen *s, int64_t leg, uint8_t *carries, uint8_t *core) {
    const int64_t num = job->tracks->num_frames;
    for (int64_t f = 0; f < num; f++) {
        int alone;
        const int down = is_down(job, s, leg, f, &alone);
        core[f] &= (uint8_t)down;
        carries[f] = s->still[leg * num + f] && down && alone;
    }
    skl_span run;
    for (int64_t from = 0; skl_next_run(carries, num, from, &run); from = run.last + 1)
        if ((double)skl_span_frames(run) > ALONE * job->fps) memset(core + run.first, 1, (size_t)skl_span_frames(run));
}

/* Take out moments in which a foot is still at its highest: in a jump it is below the body. */
static void drop_tops(const double *height, int64_t num, double fps, uint8_t *core) {
    const int64_t near = (int64_t)fmax(2.0, rint(SHORTEST_CORE * fps));
    skl_span run;
    for (int64_t from = 0; skl_next_run(core, num, from, &run); from = run.last + 1) {
        if (run.first < near || run.last + near >= num || !((double)skl_span_frames(run) < ALONE * fps)) continue;
        const double around = fmax(height[run.first - near], height[run.last + near]);
        memset(core + run.first, around > fmin(height[run.first], height[run.last]) - BELOW_TOP,
               (size_t)skl_span_frames(run));
    }
}

/* Where a foot is low in space, or low for the body: a clip that floats for a while moves both feet away from the
 * ground. `low` and `above_hips` are scratch. */
static void find_core(const skl_standing_job *job, const skl_foot_signal *signal, const seen *s, int64_t leg,
                      double *low, double *above_hips, uint8_t *carries, uint8_t *core) {
    const int64_t num = job->tracks->num_frames, half = skl_envelope_frames(job->fps);
    skl_running_min(signal->height, num, half, job->arena, low);
    skl_running_min(signal->above_hips, num, half, job->arena, above_hips);
    for (int64_t f = 0; f < num; f++)
        core[f] = s->still[leg * num + f] &&
                  (signal->height[f] - low[f] < LOW || signal->above_hips[f] - above_hips[f] < LOW);
    if (job->num_legs > 1) beside_others(job, s, leg, carries, core);
    drop_tops(signal->height, num, job->fps, core);
}

static skl_contact_limits limits_of(const skl_standing_job *job, int64_t leg) {
    const double fps = job->fps, shortest = fmax(1.0, rint(SHORTEST_CORE * fps)), length = job->tracks[leg].length;
    skl_contact_limits limits = {
        .shortest_core = shortest,
        .shortest_rest = fmax(LEAST_REST, shortest),
        .shortest = fmax(LEAST_CONTACT, rint(SHORTEST * fps)),
        .steady = fmax(STEADY, STEADY_PART * job->limits.enter),
        .stay = STAYS_LOW,
        .quiet = QUIET,
        .lift = LIFTS / fps,
        .noise = NOISY,
        .sets_off = SETS_OFF / fps,
        .rises_off = RISES_OFF / (fps * fps),
        .departing = rint(DEPARTING * fps),
        .brief = fmax(1.0, floor(ROLLS_ON * fps)),
        .gap = GAP * fps,
        .same_place = SAME_PLACE * length,
    };
    const double mean = skl_mean_length(job->tracks, job->num_legs);
    for (int i = 0; i < 3; i++) limits.ground_step[i] = job->limits.ground_velocity[i] / fps * mean;
    return limits;
}

/* How far a foot goes up or down between frames, beside any other: a body that floats or sinks takes all along. */
static void rises_beside(const skl_standing_job *job, const seen *s, int64_t leg, double *out) {
    const int64_t num = job->tracks->num_frames;
    for (int64_t f = 0; f + 1 < num; f++) {
        const double own = s->above[leg * num + f + 1] - s->above[leg * num + f];
        out[f] = fabs(own);
        for (int64_t k = 0; k < job->num_legs; k++)
            if (k != leg) out[f] = fmin(out[f], fabs(own - s->above[k * num + f + 1] + s->above[k * num + f]));
    }
}

/* How much higher than in most of a span a foot is, in each of its frames. */
static int higher_by(const double *height, skl_span span, skl_arena *arena, double *out) {
    const skl_arena mark = *arena;
    const int64_t frames = skl_span_frames(span);
    double *scratch = SKL_TAKE(arena, double, frames);
    if (!scratch) return 0;
    memcpy(scratch, height + span.first, (size_t)frames * sizeof *scratch);
    const double down = skl_quantile(scratch, frames, DOWN_PART);
    for (int64_t f = 0; f < frames; f++) out[f] = height[span.first + f] - down;
    skl_arena_back(arena, mark);
    return 1;
}

/* By how much a foot is lifted in each frame of a span: what the lowest point of its sole rises in space, and beside
 * the hips or another foot that is still, since a clip that floats takes all of them along. */
static int lifted_by(const skl_standing_job *job, const skl_foot_signal *signals, const seen *s, int64_t leg,
                     skl_span span, double *out) {
    const skl_arena mark = *job->arena;
    const int64_t frames = skl_span_frames(span), num = job->tracks->num_frames;
    double *above_hips = SKL_TAKE(job->arena, double, frames), *other = SKL_TAKE(job->arena, double, frames);
    if (job->arena->failed || !higher_by(signals[leg].height, span, job->arena, out) ||
        !higher_by(signals[leg].above_hips, span, job->arena, above_hips))
        return 0;
    for (int64_t k = 0; k < job->num_legs; k++) {
        if (k == leg) continue;
        if (!higher_by(signals[k].height, span, job->arena, other)) return 0;
        for (int64_t f = 0; f < frames; f++)
            if (s->still[k * num + span.first + f]) above_hips[f] = fmax(above_hips[f], out[f] - other[f]);
    }
    for (int64_t f = 0; f < frames; f++) out[f] = fmin(out[f], above_hips[f]);
    skl_arena_back(job->arena, mark);
    return 1;
}

/* Whether a foot that has stood stands at the same place again, soon: then it was lifted, if it is higher. */
static int stays(const skl_standing_job *job, const skl_track *track, skl_span before, skl_span after) {
    double travelled[3];
    if ((double)(after.first - before.last) > SOON * job->fps) return 0;
    skl_v3_minus(track->ankle + 3 * after.first, track->ankle + 3 * before.last, travelled);
    skl_v3_flatten(job->up, travelled);
    return skl_v3_length(travelled) <= IN_PLACE * track->length;
}

/* Add the moments in which a foot is lifted and put down again, in contacts that follow each other within a span: at
 * its ends a foot leaves, or comes down, and where it does that others see. */
static void add_lifts(const double *lifts, skl_span all, double fps, skl_spans *out) {
    for (int64_t f = all.first; f <= all.last; f++) {
        const int64_t first = f;
        while (f <= all.last && lifts[f - all.first] > LIFTED) f++;
        if (first > all.first && f <= all.last && (double)(f - first) >= LIFT_SEEN * fps)
            out->at[out->count++] = (skl_span){first, f - 1};
    }
}

/* What is left of contacts that follow each other; those that touch are one. */
static int64_t keep_down(const skl_span *found, int64_t count, skl_spans lifts, int64_t shortest, uint8_t *stands,
                         skl_span *out) {
    const skl_span all = {found[0].first, found[count - 1].last};
    int64_t kept = 0;
    skl_span run;
    memset(stands + all.first, 0, (size_t)skl_span_frames(all));
    for (int64_t i = 0; i < count; i++) memset(stands + found[i].first, 1, (size_t)skl_span_frames(found[i]));
    for (int64_t i = 0; i < lifts.count; i++)
        memset(stands + lifts.at[i].first, 0, (size_t)skl_span_frames(lifts.at[i]));
    for (int64_t from = all.first; skl_next_run(stands, all.last + 1, from, &run); from = run.last + 1)
        if (skl_span_frames(run) >= shortest) out[kept++] = run;
    return kept;
}

/* A foot that is lifted does not stand meanwhile, be it in a part of a contact or, held still up there, in one of its
 * own beside others at the same place. */
static void break_at_lifts(const skl_standing_job *job, const skl_foot_signal *signals, const seen *s, int64_t leg,
                           const skl_contact_limits *limits, skl_spans *found, skl_spans *lifted) {
    const skl_track *track = &job->tracks[leg];
    const int64_t num = track->num_frames;
    const skl_arena mark = *job->arena;
    double *lifts = SKL_TAKE(job->arena, double, num);
    uint8_t *stands = SKL_TAKE(job->arena, uint8_t, num);
    skl_span *kept = SKL_TAKE(job->arena, skl_span, 2 * skl_most_runs(num) + 1);
    if (job->arena->failed) return;
    int64_t count = 0;
    lifted->count = 0;
    for (int64_t i = 0, next; i < found->count; i = next) {
        for (next = i + 1; next < found->count; next++)
            if (!stays(job, track, found->at[next - 1], found->at[next])) break;
        const skl_span all = {found->at[i].first, found->at[next - 1].last};
        const int64_t known = lifted->count;
        if (!lifted_by(job, signals, s, leg, all, lifts)) return;
        add_lifts(lifts, all, job->fps, lifted);
        if (lifted->count == known) {
            memcpy(kept + count, found->at + i, (size_t)(next - i) * sizeof *kept);
            count += next - i;
            continue;
        }
        const skl_spans own = {lifted->at + known, lifted->count - known};
        count += keep_down(found->at + i, next - i, own, (int64_t)limits->shortest, stands, kept + count);
    }
    memcpy(found->at, kept, (size_t)count * sizeof *kept);
    found->count = count;
    skl_arena_back(job->arena, mark);
}

static void detect_one(skl_standing_job *job, const skl_foot_signal *signals, const seen *s, int64_t leg) {
    const skl_foot_signal *signal = &signals[leg];
    const int64_t num = job->tracks->num_frames;
    skl_spans *found = &job->contacts[leg];
    found->at = SKL_TAKE(job->arena, skl_span, 2 * skl_most_runs(num) + 1);
    job->lifts[leg].at = SKL_TAKE(job->arena, skl_span, skl_most_runs(num) + 1);
    const skl_arena mark = *job->arena;
    double *low = SKL_TAKE(job->arena, double, num), *above_hips = SKL_TAKE(job->arena, double, num), step[3];
    double *rises = SKL_TAKE(job->arena, double, num);
    uint8_t *flags = SKL_TAKE(job->arena, uint8_t, 4 * num);
    if (job->arena->failed) return;
    uint8_t *const core = flags, *const leave = flags + num, *const rests = leave + num, *const carries = rests + num;
    find_core(job, signal, s, leg, low, above_hips, carries, core);
    for (int64_t f = 0; f < num; f++) leave[f] = s->speeds[leg * num + f] < LEAVES * job->limits.enter;
    skl_leg_velocity(job, leg, step);
    for (int i = 0; i < 3; i++) step[i] /= job->fps;
    rises_beside(job, s, leg, rises);
    skl_fixed_frames(signal, LIFTS / job->fps, step, job->arena, rests);
    skl_contacts_job one = {.num_frames = num,
                            .core = core,
                            .leave = leave,
                            .rests = rests,
                            .height = signal->height,
                            .velocity = signal->velocity,
                            .place = signal->place,
                            .slips = signal->slips,
                            .rises = rises,
                            .limits = limits_of(job, leg),
                            .spans = found->at};
    if (skl_contacts_run(&one) == SKL_NO_MEMORY) job->arena->failed = 1;
    found->count = one.num_spans;
    break_at_lifts(job, signals, s, leg, &one.limits, found, &job->lifts[leg]);
    skl_arena_back(job->arena, mark);
}

skl_code skl_detect_contacts(skl_standing_job *job, const skl_foot_signal *signals) {
    const int64_t all = job->num_legs * job->tracks->num_frames;
    const seen s = {SKL_TAKE(job->arena, double, all), SKL_TAKE(job->arena, double, all),
                    SKL_TAKE(job->arena, uint8_t, all)};
    if (!job->arena->failed) see(job, signals, &s);
    for (int64_t k = 0; k < job->num_legs && !job->arena->failed && !skl_stopped(); k++)
        detect_one(job, signals, &s, k);
    if (!job->arena->failed) (void)skl_break_at_tears(job->num_legs, job->tracks, job->fps, job->arena, job->contacts);
    return skl_standing_done(job);
}
