/* SPDX-License-Identifier: MIT */
#include "rays.h"

#include "core/base/stop.h"

#include <math.h>

static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* The corners of a triangle seen from `origin`; 0 if it or one of them does not exist. */
static int corners_from(const skl_triangles *mesh, int32_t face, const double origin[3], double corners[3][3]) {
    if (face < 0 || face >= mesh->num_faces) return 0;
    for (int k = 0; k < 3; k++) {
        const int32_t at = mesh->faces[3 * (int64_t)face + k];
        if (at < 0 || at >= mesh->num_points) return 0;
        for (int i = 0; i < 3; i++) corners[k][i] = mesh->points[3 * (int64_t)at + i] - origin[i];
    }
    return 1;
}

/* The cross product of two edges. */
static void normal_of(double corners[3][3], double *restrict normal) {
    double u[3], v[3];
    for (int i = 0; i < 3; i++) {
        u[i] = corners[1][i] - corners[0][i];
        v[i] = corners[2][i] - corners[0][i];
    }
    normal[0] = u[1] * v[2] - u[2] * v[1];
    normal[1] = u[2] * v[0] - u[0] * v[2];
    normal[2] = u[0] * v[1] - u[1] * v[0];
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
        distance[ray] = dot(corners[0], out) / dot(direction, out);
        if (!isfinite(distance[ray]))
            distance[ray] =
                fmin(fmin(dot(corners[0], direction), dot(corners[1], direction)), dot(corners[2], direction));
    }
    return rays->num_rays;
}
