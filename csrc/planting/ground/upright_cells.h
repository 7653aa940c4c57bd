/* SPDX-License-Identifier: MIT */
/* Which triangle is met first straight above or below a point, in double: triangles sorted into the square cells of a
 * level plane. What several triangles have in common, an edge or a corner, is part of each of them. */
#pragma once

#include "rays.h"
#include "skelkin/skelkin.h"

typedef struct skl_upright_cells skl_upright_cells;

/* Sort the triangles of a mesh, all of whose points exist and are finite, for the lines along `up`, a unit vector; the
 * mesh is not needed any more. SKL_OK with `*out` NULL where too many of them lie above each other, or none can be met
 * from above; else SKL_NO_MEMORY. */
skl_code skl_upright_cells_new(const skl_triangles *mesh, const double up[3], skl_upright_cells **out);
void skl_upright_cells_free(skl_upright_cells *cells);

/* The first triangle of each line from `origins` (num x 3) down, or up; -1 where there is none. */
void skl_upright_first(const skl_upright_cells *cells, int64_t num, const double *origins, int upward, int32_t *found);
