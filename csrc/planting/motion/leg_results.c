/* SPDX-License-Identifier: MIT */
#include "legs.h"

#include "turns.h"
#include "core/base/stop.h"
#include "core/transforms/affine.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"

#include <math.h>

int64_t skl_seen_from(int64_t num_frames, const double *axes, const double *origins, const double *points,
                      double *out) {
    int64_t flat = num_frames;
    for (int64_t f = num_frames - 1; f >= 0 && skl_goes_on(f); f--) {
        double apart[3];
        skl_v3_minus(points + 3 * f, origins + 3 * f, apart);
        skl_m3_solve(axes + 9 * f, apart, out + 3 * f);
        if (!(fabs(skl_m3_determinant(axes + 9 * f)) > 0)) flat = f;
    }
    return flat;
}

void skl_turn_ends(int64_t num_frames, int64_t num_joints, int64_t end, int64_t parent, const double *vectors,
                   const double *globals, double *pose) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        const double *v = vectors + 3 * f, *frame = globals + 16 * num_joints * f;
        if (v[0] == 0 && v[1] == 0 && v[2] == 0) continue;
        skl_m3 turn, foot, above, inverse, turned, local;
        skl_turn_matrices(1, v, turn);
        skl_affine_linear(frame + 16 * end, foot);
        skl_affine_linear(frame + 16 * parent, above);
        skl_m3_inverse(above, inverse);
        skl_m3_multiply(turn, foot, turned);
        skl_m3_multiply(inverse, turned, local);
        double *out = pose + 16 * (num_joints * f + end);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) out[4 * i + j] = local[3 * i + j];
    }
}

void skl_changed_frames(int64_t num_frames, int64_t num_joints, int64_t joint, const double *before,
                        const double *after, uint8_t *out) {
    for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
        const double *a = before + 16 * (num_joints * f + joint), *b = after + 16 * (num_joints * f + joint);
        int differ = 0;
        for (int i = 0; i < 16; i++) differ |= a[i] != b[i];
        out[f] = (uint8_t)differ;
    }
}

void skl_measure_contacts(const double *steps, const double *heights, skl_spans contacts, const double *rises,
                          skl_contact_measure *out) {
    for (int64_t n = 0; n < contacts.count; n++) {
        const int64_t first = contacts.at[n].first, last = contacts.at[n].last;
        skl_contact_measure m = {0};
        double moved[3] = {0}, sum = 0;
        for (int64_t f = first; f <= last && skl_goes_on(f); f++) {
            if (f > first) {
                const double *step = steps + 3 * (f - 1);
                for (int i = 0; i < 3; i++) moved[i] += step[i];
                const double away = sqrt(skl_v3_dot(moved, moved));
                m.slide = fmax(m.slide, away);
                m.travel += sqrt(skl_v3_dot(step, step));
                sum += away;
            }
            m.penetration = fmax(m.penetration, rises[n] - heights[f]);
            m.floating = fmax(m.floating, heights[f] - rises[n]);
        }
        m.slide_mean = sum / (double)(last - first + 1);
        out[n] = m;
    }
}
