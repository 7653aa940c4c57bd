/* SPDX-License-Identifier: MIT */
#include "rays.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"

#include <math.h>

/* The corners of a triangle seen from `origin`; 0 if it or one of them does not exist. */
static int corners_from(const skl_triangles *mesh, int32_t face, const double origin[3], double corners[3][3]) {
    if (face < 0 || face >= mesh->num_faces) return 0;
    for (int k = 0; k < 3; k++) {
        const int32_t at = mesh->faces[3 * (int64_t)face + k];
        if (at < 0 || at >= mesh->num_points) return 0;
        skl_v3_minus(mesh->points + 3 * (int64_t)at, origin, corners[k]);
    }
    return 1;
}

/* The cross product of two edges. */
static void normal_of(double corners[3][3], double *restrict normal) {
    double u[3], v[3];
    skl_v3_minus(corners[1], corners[0], u);
    skl_v3_minus(corners[2], corners[0], v);
    skl_v3_cross(u, v, normal);
}

int64_t skl_ray_hits(const skl_triangles *mesh, const skl_rays *rays, double *distance, double *normal) {
    for (int64_t ray = 0; ray < rays->num_rays && skl_goes_on(ray); ray++) {
        double *const out = normal + 3 * ray, corners[3][3];
        const double *direction = rays->directions + (rays->one_direction ? 0 : 3 * ray);
        if (rays->found[ray] == -1) {
            distance[ray] = INFINITY;
            out[0] = out[1] = out[2] = 0;
            continue;
        }
        if (!corners_from(mesh, rays->found[ray], rays->origins + 3 * ray, corners)) return ray;
        normal_of(corners, out);
        distance[ray] = skl_v3_dot(corners[0], out) / skl_v3_dot(direction, out);
        if (!isfinite(distance[ray]))
            distance[ray] = fmin(fmin(skl_v3_dot(corners[0], direction), skl_v3_dot(corners[1], direction)),
                                 skl_v3_dot(corners[2], direction));
    }
    return rays->num_rays;
}
