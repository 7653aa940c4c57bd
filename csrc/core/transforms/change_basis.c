/* SPDX-License-Identifier: MIT */
/* Changes of basis: X and its inverse once per pair of bases, then a map. */
#include <math.h>
#include <stdlib.h>

#include "affine.h"
#include "core/base/map.h"
#include "core/base/numbers.h"
#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "core/base/view.h"

/* X and its inverse for each pair of bases, in the precision of the job. */
typedef struct bases {
    skl_array forth, back;
    void *memory;
} bases;

/* Read 12 numbers; 0 if one of them is not finite. */
static int read_basis(const char *at, int64_t row, skl_dtype dtype, double m[16]) {
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        const char *line = at + i / 4 * row;
        m[i] = skl_number(line, dtype, i % 4);
        sum += m[i] - m[i];
    }
    for (int i = 0; i < 4; i++) m[12 + i] = i == 3;
    return sum >= 0 && sum <= 0;
}

static void write_basis(char *at, skl_dtype dtype, const double m[16]) {
    for (int i = 0; i < 12; i++) skl_put(at, dtype, i, m[i]);
}

/* Numbers that are not finite go through as not a number. */
static void invert_basis(const double m[16], int finite, double out[16]) {
    if (!finite || !skl_affine_invert(m, out))
        for (int i = 0; i < 16; i++) out[i] = (double)NAN;
}

static void write_pair(const char *from_at, int64_t from_row, const char *to_at, int64_t to_row, skl_dtype dtype,
                       char *forth, char *back) {
    double from[16], to[16], inverse[16], product[16];
    const int from_finite = read_basis(from_at, from_row, dtype, from);
    const int to_finite = read_basis(to_at, to_row, dtype, to);
    invert_basis(to, to_finite, inverse);
    skl_affine_multiply(inverse, from, product);
    write_basis(forth, dtype, product);
    invert_basis(from, from_finite, inverse);
    skl_affine_multiply(inverse, to, product);
    write_basis(back, dtype, product);
}

/* Every basis has an inverse; else the first without is named. */
static skl_code check_basis(const skl_array *basis, const char *name, skl_dtype dtype, skl_status *status) {
    const skl_map_job map = {.verb = SKL_MAP_INVERT,
                             .dtype = dtype,
                             .inputs = 1,
                             .in = {{basis, name, SKL_INVERTIBLE, NULL}},
                             .status = status};
    return skl_map_check(&map);
}

/* Room for X and its inverse of every pair; freed by the caller. */
static skl_code begin_bases(bases *b, const skl_change_basis_job *job, skl_status *status) {
    const int64_t size = 12 * skl_itemsize(job->dtype);
    b->forth.ndim = skl_broadcast((const skl_array *const[]){&job->from_basis, &job->to_basis}, 2, b->forth.shape);
    if (b->forth.ndim < 0)
        return skl_fail(status, SKL_BAD_SHAPE, "bases", "the leading dimensions do not broadcast with each other");
    int64_t pairs = 1;
    for (int d = b->forth.ndim - 1; d >= 0; d--) {
        b->forth.strides[d] = pairs * size;
        pairs *= b->forth.shape[d];
    }
    b->memory = malloc((size_t)(pairs > 0 ? 2 * pairs * size : 1));
    if (!b->memory) return skl_fail(status, SKL_NO_MEMORY, "bases", "out of memory");
    b->forth.step = size / 3;
    b->back = b->forth;
    b->forth.data = b->memory;
    b->back.data = (char *)b->memory + pairs * size;
    return SKL_OK;
}

static skl_code fill_bases(const bases *b, skl_change_basis_job *job) {
    int64_t items = 0;
    skl_batch batch;
    skl_walk w;
    skl_batch_of(&batch, &b->forth);
    batch.arrays[1] = &b->back;
    batch.arrays[2] = &job->from_basis;
    batch.arrays[3] = &job->to_basis;
    batch.count = 4;
    for (skl_walk_begin(&w, &batch); w.remaining > 0; skl_walk_next(&w))
        for (int64_t i = 0; i < w.run && skl_goes_on(items); i++, items++)
            write_pair(w.at[2] + i * w.step[2], job->from_basis.step, w.at[3] + i * w.step[3], job->to_basis.step,
                       job->dtype, w.at[0] + i * w.step[0], w.at[1] + i * w.step[1]);
    return skl_done_after(items, &job->status);
}

static skl_code change(skl_change_basis_job *job, int points) {
    bases b = {.memory = NULL};
    job->status.code = SKL_OK;
    const skl_pointer pointers[] = {{job->values.data, "values"},
                                    {job->from_basis.data, "from_basis"},
                                    {job->to_basis.data, "to_basis"},
                                    {job->out.data, "out"}};
    skl_code code = skl_check_dtype(job->dtype, &job->status);
    if (code == SKL_OK) code = SKL_CHECK_POINTERS(pointers, &job->status);
    if (code == SKL_OK && !points) code = skl_check_rows(job->out_rows, "out_rows", &job->status);
    if (code == SKL_OK) code = begin_bases(&b, job, &job->status);
    if (code == SKL_OK) code = check_basis(&job->from_basis, "from_basis", job->dtype, &job->status);
    if (code == SKL_OK) code = check_basis(&job->to_basis, "to_basis", job->dtype, &job->status);
    if (code == SKL_OK) code = fill_bases(&b, job);
    if (code == SKL_OK) {
        const skl_map_job map = {.verb = points ? SKL_MAP_TRANSFORM_POINTS : SKL_MAP_CONJUGATE,
                                 .dtype = job->dtype,
                                 .inputs = points ? 2 : 3,
                                 .outputs = 1,
                                 .in = {{&b.forth, "bases", SKL_ANY, NULL},
                                        {&job->values, "values", SKL_ANY, NULL},
                                        {&b.back, "bases", SKL_ANY, NULL}},
                                 .out = {{&job->out, "out", points ? 3 : 4, points ? 1 : job->out_rows}},
                                 .out_rows = job->out_rows,
                                 .status = &job->status};
        code = skl_map_run(&map);
    }
    free(b.memory);
    return code;
}

skl_code skl_change_basis_run(skl_change_basis_job *job) { return change(job, 0); }
skl_code skl_change_basis_points_run(skl_change_basis_job *job) { return change(job, 1); }
