/* SPDX-License-Identifier: MIT */
/* Euler angles over time: of each rotation the triple that is nearest to the one before. */
#include <math.h>

#include "motion_text.h"
#include "core/base/stop.h"

#define TURN 360.0

static void twin(const double *angles, double *other) {
    other[0] = angles[0] + 180.0;
    other[1] = 180.0 - angles[1];
    other[2] = angles[2] + 180.0;
}

/* How far two triples are apart when full turns do not count. */
static double distance(const double *a, const double *b) {
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        const double difference = a[k] - b[k];
        sum += fabs(difference - TURN * rint(difference / TURN));
    }
    return sum;
}

/* What to add to an angle so that it comes within half a turn of the one before. */
static double full_turns(double step) {
    if (fabs(step) < TURN / 2) return 0.0;
    double rest = fmod(step + TURN / 2, TURN);
    if (rest < 0.0) rest += TURN;
    rest -= TURN / 2;
    if (rest == -TURN / 2 && step > 0.0) rest = TURN / 2;
    return rest - step;
}

/* Choose between each triple and its twin so that neighbours are near, or take the twin of all; then take out full
 * turns. `frames` × 3, in place allowed. */
static void smooth(const double *angles, int64_t frames, int choose, double *out) {
    double last[3] = {0}, before[3] = {0}, added[3] = {0};
    int swapped = 0;
    for (int64_t i = 0; i < frames && skl_goes_on(i); i++) {
        const double own[3] = {angles[3 * i], angles[3 * i + 1], angles[3 * i + 2]};
        double other[3], chosen[3];
        twin(own, other);
        /* The distance between twins equals that between the triples, so one comparison per step decides all. */
        if (choose && i) swapped ^= distance(own, before) > distance(other, before);
        for (int k = 0; k < 3; k++) {
            before[k] = own[k];
            chosen[k] = swapped || !choose ? other[k] : own[k];
            if (i) added[k] += full_turns(chosen[k] - last[k]);
            last[k] = chosen[k];
            out[3 * i + k] = chosen[k] + added[k];
        }
    }
}

/* Move a whole run by full turns, or to its twin, so that it begins near the anchor. */
static void shift(double *run, int64_t frames, const double *anchor) {
    double other[3], turns[3];
    twin(run, other);
    if (distance(other, anchor) < distance(run, anchor)) smooth(run, frames, 0, run);
    for (int k = 0; k < 3; k++) turns[k] = TURN * rint((run[k] - anchor[k]) / TURN);
    for (int64_t i = 0; i < frames; i++)
        for (int k = 0; k < 3; k++) run[3 * i + k] -= turns[k];
}

void skl_smooth_run(const skl_smooth_job *job) {
    for (int64_t first = 0, stop; first < job->num_frames; first = stop + 1) {
        for (stop = first; stop < job->num_frames && job->changed[stop]; stop++) {
        }
        if (stop == first) continue;
        double *run = job->result + 3 * first;
        const double *neighbour = first ? run - 3 : run;
        const double anchor[3] = {neighbour[0], neighbour[1], neighbour[2]};
        smooth(job->angles + 3 * first, stop - first, 1, run);
        if (job->known) shift(run, stop - first, anchor);
    }
}
