/* SPDX-License-Identifier: MIT */
/* Where rays meet the triangles that a search in single precision found for them: in double. */
#pragma once

#include <stdint.h>

typedef struct skl_triangles {
    const double *points; /* num_points x 3 */
    const int32_t *faces; /* num_faces x 3, points of each */
    int64_t num_points, num_faces;
} skl_triangles;

/* Rays, packed, num_rays x 3 each. */
typedef struct skl_rays {
    const double *origins, *directions;
    int64_t num_rays;
    int one_direction;    /* `directions` is one for all */
    const int32_t *found; /* num_rays: the triangle of each, -1 for none */
} skl_rays;

/* How far along its ray each meets the plane of its triangle, and the normal of that, as long as the triangle is large;
 * a ray in the plane of its triangle meets it at its nearest corner. Infinity and 0 0 0 where there is none.
 *
 * Returns the first ray whose triangle, or a point of that, does not exist; num_rays where all do. */
int64_t skl_ray_hits(const skl_triangles *mesh, const skl_rays *rays, double *distance, double *normal);
