/* SPDX-License-Identifier: MIT */
#include "ground.h"

#include "core/transforms/vector3.h"

#include <string.h>

int skl_ground_below(const skl_ground *ground, int64_t num, const double *points, const int64_t *frames,
                     const skl_footing *out) {
    if (!ground->is_level) return num ? ground->below(ground->context, num, points, frames, out) : 0;
    for (int64_t i = 0; i < num; i++) {
        out->heights[i] = ground->level;
        if (out->normals) memcpy(out->normals + 3 * i, ground->up, sizeof ground->up);
        if (out->surface) out->surface[i] = -1;
    }
    return 0;
}

int skl_ground_above(const skl_ground *ground, int64_t num, const double *points, const int64_t *frames, double *out) {
    if (skl_ground_below(ground, num, points, frames, &(skl_footing){.heights = out})) return 1;
    for (int64_t i = 0; i < num; i++)
        out[i] = isnan(out[i]) ? INFINITY : skl_v3_dot(points + 3 * i, ground->up) - out[i];
    return 0;
}

int skl_ground_carry(const skl_ground *ground, int64_t num, const double *points, const int64_t *surface,
                     const int64_t *from, const int64_t *to, double *out) {
    if (ground->moves) return num ? ground->carry(ground->context, num, points, surface, from, to, out) : 0;
    memcpy(out, points, (size_t)num * 3 * sizeof *out);
    return 0;
}
