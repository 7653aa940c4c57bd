/* SPDX-License-Identifier: MIT */
#include "upright_cells.h"

#include "core/base/stop.h"
#include "core/transforms/vector3.h"
#include "ground_constants.h"
#include "kernels/simd/inline.h"
#include "planting/curves/arena.h"
#include "planting/curves/spans.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A point, or a corner: two numbers in the level plane, and its height. */
typedef struct seen {
    double at[2], height;
} seen;

struct skl_upright_cells {
    skl_arena arena;
    double axes[3][3];      /* of the level plane, and up */
    double low[2], high[2]; /* of the mesh in that plane */
    double rate;            /* cells per length */
    int64_t count[2];       /* cells along the axes */
    int64_t num_faces;
    const seen *corners; /* num_faces x 3, those of each in the order of is_before */
    int32_t *begin;      /* cells and one: where the triangles of each begin */
    int32_t *inside;     /* those, rising in each cell */
};

/* The cells that a triangle may be in, from first to last along both axes. */
typedef struct patch {
    int64_t first[2], last[2];
} patch;

static seen see(const skl_upright_cells *c, const double place[3]) {
    return (seen){{skl_v3_dot(c->axes[0], place), skl_v3_dot(c->axes[1], place)}, skl_v3_dot(c->axes[2], place)};
}

/* On which side of the line from a to b a place is. */
static inline double side_of(const seen *a, const seen *b, const seen *place) {
    return (b->at[0] - a->at[0]) * (place->at[1] - a->at[1]) - (b->at[1] - a->at[1]) * (place->at[0] - a->at[0]);
}

/* Whether a triangle is above or below a place, and at which height there. Its corners are in order: two triangles say
 * the same of their common edge, and what lies on it, or next to it, is in one of them. */
static inline int height_at(const skl_upright_cells *c, int32_t face, const seen *place, double *height) {
    const seen *const p = c->corners + 3 * (int64_t)face, *const q = p + 1, *const r = p + 2;
    const double a = side_of(q, r, place), b = -side_of(p, r, place), d = side_of(p, q, place), sum = a + b + d;
    /* Nearly always outside, in no order that could be foreseen: one branch for all. */
    const int left = (a >= 0) & (b >= 0) & (d >= 0), right = (a <= 0) & (b <= 0) & (d <= 0);
    if (!((left | right) & (sum != 0))) return 0;
    *height = (a * p->height + b * q->height + d * r->height) / sum;
    return 1;
}

/* --- sorted --------------------------------------------------------------------------------------------------------
 */

static int64_t cell_of(const skl_upright_cells *c, int axis, double at) {
    const int64_t cell = (int64_t)((at - c->low[axis]) * c->rate);
    return cell < c->count[axis] ? cell : c->count[axis] - 1;
}

/* Nothing is met of triangles that have no area, or stand upright. */
static int is_met(const seen *corners) {
    double edges[2][3], square = 0;
    for (int k = 0; k < 2; k++) {
        const seen *const first = corners, *const other = corners + k + 1;
        for (int i = 0; i < 2; i++) edges[k][i] = other->at[i] - first->at[i];
        edges[k][2] = other->height - first->height;
    }
    double normal[3];
    skl_v3_cross(edges[0], edges[1], normal);
    square = skl_v3_dot(normal, normal);
    return fabs(normal[2]) > UPRIGHT_FACE * sqrt(square);
}

static int is_before(const seen *a, const seen *b) {
    return a->at[0] < b->at[0] || (a->at[0] == b->at[0] && a->at[1] < b->at[1]);
}

static void order_corners(seen *corners) {
    static const int pairs[3] = {0, 1, 0};
    for (int i = 0; i < 3; i++) {
        seen *const pair = corners + pairs[i], first = pair[0];
        if (!is_before(pair + 1, &first)) continue;
        pair[0] = pair[1];
        pair[1] = first;
    }
}

static patch patch_of(const skl_upright_cells *c, const seen *corners) {
    patch out;
    for (int axis = 0; axis < 2; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int k = 0; k < 3; k++) {
            low = fmin(low, corners[k].at[axis]);
            high = fmax(high, corners[k].at[axis]);
        }
        out.first[axis] = cell_of(c, axis, low);
        out.last[axis] = cell_of(c, axis, high);
    }
    return out;
}

static void set_cells(skl_upright_cells *c, double wanted) {
    const double wide = c->high[0] - c->low[0], deep = c->high[1] - c->low[1];
    const double size = fmax(sqrt(wide * deep / wanted), fmax(wide, deep) / wanted);
    c->rate = 1 / size;
    for (int axis = 0; axis < 2; axis++)
        c->count[axis] = 1 + (int64_t)fmin((c->high[axis] - c->low[axis]) / size, wanted);
}

/* In how many cells all triangles are together. */
static double count_patches(const skl_upright_cells *c, const uint8_t *met) {
    double sum = 0;
    for (int64_t face = 0; face < c->num_faces; face++) {
        if (!met[face]) continue;
        const patch own = patch_of(c, c->corners + 3 * face);
        sum += (double)(own.last[0] - own.first[0] + 1) * (double)(own.last[1] - own.first[1] + 1);
    }
    return sum;
}

/* Go through the cells of all triangles: count them, or fill in what they hold from `begin` on. */
static void each_cell(skl_upright_cells *c, const uint8_t *met, int fills) {
    for (int64_t face = 0; face < c->num_faces; face++) {
        if (!met[face]) continue;
        const patch own = patch_of(c, c->corners + 3 * face);
        for (int64_t i = own.first[0]; i <= own.last[0]; i++)
            for (int64_t j = own.first[1]; j <= own.last[1]; j++) {
                int32_t *const at = c->begin + i * c->count[1] + j;
                if (fills) c->inside[*at] = (int32_t)face;
                ++*at;
            }
    }
}

/* Whether triangles lie above each other in great numbers. */
static int is_crowded(const skl_upright_cells *c, double held) {
    double squares = 0;
    for (int64_t i = 0; i < c->count[0] * c->count[1]; i++) squares += (double)c->begin[i] * (double)c->begin[i];
    return squares > FACES_OF_CELL * held;
}

static skl_code sort(skl_upright_cells *c, const uint8_t *met, int *crowded) {
    double wanted = (double)c->num_faces, held;
    set_cells(c, wanted);
    while ((held = count_patches(c, met)) > CELLS_OF_FACE * (double)c->num_faces && wanted > 1) {
        wanted = fmax(1, wanted / 4);
        set_cells(c, wanted);
    }
    *crowded = held == 0 || held > INT32_MAX;
    if (*crowded) return SKL_OK;
    const int64_t cells = c->count[0] * c->count[1];
    c->begin = SKL_ZEROS(&c->arena, int32_t, cells + 1);
    c->inside = SKL_TAKE(&c->arena, int32_t, (int64_t)held);
    if (c->arena.failed) return SKL_NO_MEMORY;
    each_cell(c, met, 0);
    *crowded = is_crowded(c, held);
    if (*crowded) return SKL_OK;
    int32_t before = 0;
    for (int64_t i = 0; i <= cells; i++) {
        const int32_t own = c->begin[i];
        c->begin[i] = before;
        before += own;
    }
    each_cell(c, met, 1);
    /* Filled in, each ends where the next one begins. */
    memmove(c->begin + 1, c->begin, (size_t)cells * sizeof *c->begin);
    c->begin[0] = 0;
    return SKL_OK;
}

static skl_code fill(skl_upright_cells *c, const skl_triangles *mesh, const double up[3], int *crowded) {
    seen *const corners = SKL_TAKE(&c->arena, seen, 3 * mesh->num_faces);
    uint8_t *const met = SKL_TAKE(&c->arena, uint8_t, mesh->num_faces);
    if (c->arena.failed) return SKL_NO_MEMORY;
    skl_v3_level_axes(up, c->axes[0], c->axes[1]);
    memcpy(c->axes[2], up, sizeof c->axes[2]);
    c->corners = corners;
    c->num_faces = mesh->num_faces;
    for (int axis = 0; axis < 2; axis++) {
        c->low[axis] = INFINITY;
        c->high[axis] = -INFINITY;
    }
    for (int64_t i = 0; i < 3 * mesh->num_faces; i++) corners[i] = see(c, mesh->points + 3 * (int64_t)mesh->faces[i]);
    for (int64_t face = 0; face < mesh->num_faces; face++) {
        seen *const own = corners + 3 * face;
        met[face] = (uint8_t)is_met(own);
        order_corners(own);
        for (int k = 0; met[face] && k < 6; k++) {
            c->low[k / 3] = fmin(c->low[k / 3], own[k % 3].at[k / 3]);
            c->high[k / 3] = fmax(c->high[k / 3], own[k % 3].at[k / 3]);
        }
    }
    /* So small that lengths have no inverse is nothing that anybody stands on. */
    *crowded = !(c->high[0] - c->low[0] > NARROWEST_MESH && c->high[1] - c->low[1] > NARROWEST_MESH);
    return *crowded ? SKL_OK : sort(c, met, crowded);
}

skl_code skl_upright_cells_new(const skl_triangles *mesh, const double up[3], skl_upright_cells **out) {
    skl_upright_cells *const c = *out = calloc(1, sizeof *c);
    int crowded = 0;
    if (!c) return SKL_NO_MEMORY;
    const skl_code code = fill(c, mesh, up, &crowded);
    if (code == SKL_OK && !crowded) return SKL_OK;
    skl_upright_cells_free(c);
    *out = NULL;
    return code;
}

void skl_upright_cells_free(skl_upright_cells *cells) {
    if (!cells) return;
    skl_arena_free(&cells->arena);
    free(cells);
}

/* --- queries -------------------------------------------------------------------------------------------------------
 */

static int32_t first_inside(const skl_upright_cells *c, int32_t begin, int32_t end, const seen *place, int upward) {
    int32_t found = -1;
    double best = upward ? INFINITY : -INFINITY, height;
    for (int32_t i = begin; i < end; i++) {
        if (!height_at(c, c->inside[i], place, &height)) continue;
        if (upward ? height < place->height || height >= best : height > place->height || height <= best) continue;
        best = height;
        found = c->inside[i];
    }
    return found;
}

/* The cell of a place, or -1. */
static int64_t cell_at(const skl_upright_cells *c, const seen *place) {
    for (int axis = 0; axis < 2; axis++)
        if (!(place->at[axis] >= c->low[axis] && place->at[axis] <= c->high[axis])) return -1;
    return cell_of(c, 0, place->at[0]) * c->count[1] + cell_of(c, 1, place->at[1]);
}

/* Several at once, so that what the one waits for from memory is fetched for all of them. */
static void first_of_batch(const skl_upright_cells *c, int64_t num, const double *origins, int upward, int32_t *found) {
    seen places[BATCH];
    int64_t cells[BATCH];
    int32_t ends[BATCH][2];
    for (int64_t i = 0; i < num; i++) {
        places[i] = see(c, origins + 3 * i);
        cells[i] = cell_at(c, places + i);
        SKL_FETCH(c->begin + (cells[i] < 0 ? 0 : cells[i]));
    }
    for (int64_t i = 0; i < num; i++) {
        ends[i][0] = cells[i] < 0 ? 0 : c->begin[cells[i]];
        ends[i][1] = cells[i] < 0 ? 0 : c->begin[cells[i] + 1];
        SKL_FETCH(c->inside + ends[i][0]);
    }
    for (int64_t i = 0; i < num; i++)
        for (int32_t k = ends[i][0]; k < ends[i][1]; k++) {
            const seen *const corners = c->corners + 3 * (int64_t)c->inside[k];
            SKL_FETCH(corners);
            SKL_FETCH(corners + 2);
        }
    for (int64_t i = 0; i < num; i++) found[i] = first_inside(c, ends[i][0], ends[i][1], places + i, upward);
}

void skl_upright_first(const skl_upright_cells *cells, int64_t num, const double *origins, int upward, int32_t *found) {
    for (int64_t i = 0; i < num && skl_slowly_goes_on(i / BATCH); i += BATCH)
        first_of_batch(cells, skl_fewer(BATCH, num - i), origins + 3 * i, upward, found + i);
}
