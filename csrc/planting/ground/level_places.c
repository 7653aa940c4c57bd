/* SPDX-License-Identifier: MIT */
#include "level_places.h"

#include "core/base/stop.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "ground_constants.h"

void skl_level_places(const skl_level_space *hold, const double *points, const double *rises, double *out) {
    const double *const up = hold->up;
    for (int64_t f = 0; f < hold->num_frames && skl_goes_on(f); f++) {
        const double *turn = hold->turns + 9 * f;
        double apart[3], normal[3];
        skl_v3_minus(points + 3 * f, hold->places + 3 * f, apart);
        skl_v3_flatten(up, apart);
        skl_m3_transform(turn, up, normal);
        const double lean = skl_v3_dot(normal, up);
        const double height = (rises[f] - skl_v3_dot(normal, apart)) / (lean > STEEPEST_PLACE ? lean : STEEPEST_PLACE);
        for (int i = 0; i < 3; i++) apart[i] += height * up[i];
        skl_m3_transform_back(turn, apart, out + 3 * f);
        skl_v3_flatten(up, out + 3 * f);
    }
}

void skl_world_places(const skl_level_space *hold, const double *level, const double *rises, double *out) {
    for (int64_t f = 0; f < hold->num_frames && skl_goes_on(f); f++) {
        double own[3];
        for (int i = 0; i < 3; i++) own[i] = level[3 * f + i] + rises[f] * hold->up[i];
        skl_m3_transform(hold->turns + 9 * f, own, out + 3 * f);
        for (int i = 0; i < 3; i++) out[3 * f + i] += hold->places[3 * f + i];
        skl_v3_flatten(hold->up, out + 3 * f);
    }
}

void skl_turn_points(int64_t num_points, int64_t num_frames, const double *turns, int back, const double *points,
                     double *out) {
    for (int64_t p = 0; p < num_points && skl_slowly_goes_on(p); p++)
        for (int64_t f = 0; f < num_frames && skl_goes_on(f); f++) {
            const int64_t at = 3 * (p * num_frames + f);
            if (back)
                skl_m3_transform_back(turns + 9 * f, points + at, out + at);
            else
                skl_m3_transform(turns + 9 * f, points + at, out + at);
        }
}
