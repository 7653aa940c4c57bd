/* SPDX-License-Identifier: MIT */
#include "cost.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"

#include <math.h>
#include <string.h>

/* The square of the tangent of 7 degrees: a knee that is bent less has no direction that one sees. */
static const double TAN2_BENT = 0.0150760484;
static const double BODY = 20, ANKLE = 0.2, FLEXION = 1000, FLEXION_JERK = 0.1, SPRING = 3000;
static const double OPENS = 4; /* degrees: a straighter knee counts as bent so far in how fast it opens */

static double size3(const double v[3]) { return sqrt(skl_v3_dot(v, v)); }

/* How far the knee is off the line from hip to ankle; returns whether one sees it. */
static int bend_of(const skl_leg_motion *leg, int64_t f, double out[3]) {
    double thigh[3], shin[3], line[3], normal[3];
    skl_v3_minus(leg->knee + 3 * f, leg->hip + 3 * f, thigh);
    skl_v3_minus(leg->ankle + 3 * f, leg->knee + 3 * f, shin);
    skl_v3_minus(leg->ankle + 3 * f, leg->hip + 3 * f, line);
    const double along = skl_v3_dot(thigh, line) / fmax(skl_v3_dot(line, line), 1e-300);
    for (int i = 0; i < 3; i++) out[i] = thigh[i] - along * line[i];
    skl_v3_cross(thigh, shin, normal);
    const double cosine = skl_v3_dot(thigh, shin);
    return cosine <= 0 || skl_v3_dot(normal, normal) > TAN2_BENT * cosine * cosine;
}

static double bent_by(const double *points, int64_t f) {
    double v[3];
    for (int i = 0; i < 3; i++) v[i] = points[3 * f - 3 + i] - 2 * points[3 * f + i] + points[3 * f + 3 + i];
    return size3(v);
}

void skl_leg_jumps(const skl_leg_motion *leg, const double *flexion, const skl_leg_jumps_rows *out) {
    const int64_t count = leg->num_frames;
    double before[3] = {0}, bend[3];
    int last = 0;
    for (int64_t f = 0; f < count && skl_goes_on(f); f++) {
        const int now = bend_of(leg, f, bend);
        const int inner = f > 0 && f + 1 < count;
        out->overturned[f] = last && now && skl_v3_dot(before, bend) < 0;
        out->hip[f] = inner ? bent_by(leg->hip, f) : 0;
        out->ankle[f] = inner ? bent_by(leg->ankle, f) : 0;
        out->flexion[f] = inner ? fabs(flexion[f - 1] - 2 * flexion[f] + flexion[f + 1]) : 0;
        out->flexion_jerk[f] =
            inner && f > 1 ? fabs(flexion[f + 1] - 3 * flexion[f] + 3 * flexion[f - 1] - flexion[f - 2]) : 0;
        memcpy(before, bend, sizeof before);
        last = now;
    }
}

/* How far a point of a leg is moved. */
static void moved(const skl_correction *c, const double *from, const double *to, int64_t leg, int64_t f,
                  double out[3]) {
    const int64_t at = 3 * (leg * c->num_frames + f);
    for (int i = 0; i < 3; i++) out[i] = (to[at + i] - from[at + i]) / c->length;
}

static void body_moved(const skl_correction *c, int64_t f, double out[3]) {
    double hip[3], sum[3] = {0};
    for (int64_t k = 0; k < c->num_legs; k++) {
        moved(c, c->hip, c->new_hip, k, f, hip);
        for (int i = 0; i < 3; i++) sum[i] += hip[i];
    }
    for (int i = 0; i < 3; i++) out[i] = sum[i] / (double)c->num_legs;
}

/* The change of a knee's flexion beside what is wanted, in radians, linear about the original. */
static double flexion_change(const skl_correction *c, int64_t leg, int64_t f, const double body[3],
                             const double ankle[3]) {
    const int64_t row = leg * c->num_frames + f;
    double line[3], thigh[3], shin[3];
    skl_v3_minus(c->hip + 3 * row, c->ankle + 3 * row, line);
    skl_v3_minus(c->knee + 3 * row, c->hip + 3 * row, thigh);
    skl_v3_minus(c->ankle + 3 * row, c->knee + 3 * row, shin);
    const double bones = (size3(thigh) + size3(shin)) / c->length, far = size3(line);
    if (!(bones > 0 && far > 0)) return 0;
    const double d = far / c->length, cosine = fmin(d / bones, 1);
    const double gain = 2 / (bones * fmax(sqrt(1 - cosine * cosine), sin(OPENS * SKL_DEGREE)));
    double longer = c->flexion[row] < 0 ? d - bones : 0;
    for (int i = 0; i < 3; i++) longer += line[i] / far * (body[i] - ankle[i]);
    return gain * longer;
}

/* What of one leg, or of the body (leg -1), is summed up in a frame. */
typedef struct places_of_frame {
    double body[3], ankle[3], flexion;
} places_of_frame;

static places_of_frame read_frame(const skl_correction *c, int64_t leg, int64_t f) {
    places_of_frame out = {.flexion = 0};
    body_moved(c, f, out.body);
    if (leg < 0) return out;
    moved(c, c->ankle, c->new_ankle, leg, f, out.ankle);
    out.flexion = flexion_change(c, leg, f, out.body, out.ankle);
    return out;
}

/* `by` times the second difference over three frames. */
static places_of_frame bend_over(const places_of_frame p[3], double by) {
    places_of_frame out;
    for (int i = 0; i < 3; i++) {
        out.body[i] = by * (p[0].body[i] - 2 * p[1].body[i] + p[2].body[i]);
        out.ankle[i] = by * (p[0].ankle[i] - 2 * p[1].ankle[i] + p[2].ankle[i]);
    }
    out.flexion = by * (p[0].flexion - 2 * p[1].flexion + p[2].flexion);
    return out;
}

static double relative_square(const places_of_frame *p) {
    double v[3];
    skl_v3_minus(p->ankle, p->body, v);
    return skl_v3_dot(v, v);
}

void skl_correction_cost(const skl_correction *c, const skl_correction_rows *out) {
    const int64_t count = c->num_frames;
    const double h = 1 / c->fps, rate2 = c->fps * c->fps;
    double *const rows[] = {out->places, out->bends, out->body, out->body_added, out->leg_added};
    for (int n = 0; n < 5; n++) memset(rows[n], 0, (size_t)count * sizeof **rows);
    for (int64_t leg = -1; leg < c->num_legs; leg++) {
        places_of_frame p[3] = {{.flexion = 0}};
        for (int64_t f = 0; f < count && skl_goes_on(f); f++) {
            p[0] = p[1];
            p[1] = p[2];
            p[2] = read_frame(c, leg, f);
            const places_of_frame bend = bend_over(p, rate2);
            const int inner = f > 1;
            if (leg < 0) {
                const double far2 = skl_v3_dot(p[2].body, p[2].body), bent2 = skl_v3_dot(bend.body, bend.body);
                out->body[f] = sqrt(far2);
                out->places[f] += h * BODY * SPRING * far2;
                if (!inner) continue;
                out->body_added[f - 1] = bent2;
                out->bends[f - 1] += h * BODY * bent2;
                continue;
            }
            out->places[f] += h * (SPRING * (relative_square(p + 2) + ANKLE * skl_v3_dot(p[2].ankle, p[2].ankle)) +
                                   FLEXION * p[2].flexion * p[2].flexion);
            if (!inner) continue;
            const double relative = relative_square(&bend);
            out->leg_added[f - 1] += relative;
            out->bends[f - 1] += h * (relative + ANKLE * skl_v3_dot(bend.ankle, bend.ankle) +
                                      FLEXION_JERK * bend.flexion * bend.flexion);
        }
    }
}
