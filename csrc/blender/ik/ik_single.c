/* SPDX-License-Identifier: MIT */
#include "ik_single.h"

#include <math.h>

void skl_single_unit_axes(const double *matrix, skl_single_m3 out, float length[3]) {
    for (int c = 0; c < 3; c++) {
        const float x = (float)matrix[c], y = (float)matrix[4 + c], z = (float)matrix[8 + c];
        length[c] = sqrtf(x * x + y * y + z * z);
        const float by = length[c] > 0 ? 1 / length[c] : 0;
        out[c] = x * by;
        out[3 + c] = y * by;
        out[6 + c] = z * by;
    }
}

void skl_single_multiply(const skl_single_m3 a, const skl_single_m3 b, skl_single_m3 out) {
    for (int i = 0; i < 9; i++) {
        const float *row = a + i / 3 * 3, *column = b + i % 3;
        out[i] = row[0] * column[0] + row[1] * column[3] + row[2] * column[6];
    }
}

void skl_single_transform(const skl_single_m3 m, const float v[3], float out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[3 * i] * v[0] + m[3 * i + 1] * v[1] + m[3 * i + 2] * v[2];
}

void skl_single_inverse(const skl_single_m3 m, skl_single_m3 out) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int r = (j + 1) % 3, s = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            out[3 * i + j] = m[3 * r + c] * m[3 * s + d] - m[3 * r + d] * m[3 * s + c];
        }
    const float size = m[0] * out[0] + m[1] * out[3] + m[2] * out[6];
    const float by = fabsf(size) > 0 ? 1 / size : 0;
    for (int i = 0; i < 9; i++) out[i] *= by;
}

/* A block of 2 x 2. */
typedef struct block {
    float a, b, c, d;
} block;

static block times(block l, block r) {
    return (block){l.a * r.a + l.b * r.c, l.a * r.b + l.b * r.d, l.c * r.a + l.d * r.c, l.c * r.b + l.d * r.d};
}

static block adjugate(block m) { return (block){m.d, -m.b, -m.c, m.a}; }

static float size_of(block m) { return m.a * m.d - m.b * m.c; }

/* scale * m - n */
static block less(block m, float scale, block n) {
    return (block){m.a * scale - n.a, m.b * scale - n.b, m.c * scale - n.c, m.d * scale - n.d};
}

/* The block of the transposed matrix at a row and a column of it. */
static block block_at(const skl_single_m4 m, int row, int column) {
    const float *at = m + 4 * column + row;
    return (block){at[0], at[4], at[1], at[5]};
}

static void put(block m, float by, int row, int column, skl_single_m4 out) {
    float *at = out + 4 * column + row;
    at[0] = m.a * by;
    at[4] = m.b * by;
    at[1] = m.c * by;
    at[5] = m.d * by;
}

void skl_single_inverse4(const skl_single_m4 m, skl_single_m4 out) {
    const block a = block_at(m, 0, 0), b = block_at(m, 0, 2), c = block_at(m, 2, 0), d = block_at(m, 2, 2);
    const block across = times(adjugate(a), b), down = times(adjugate(d), c);
    const float trace = (down.a * across.a + down.b * across.c) + (down.c * across.b + down.d * across.d);
    const float size = (size_of(a) * size_of(d) + size_of(b) * size_of(c)) - trace;
    const float by = fabsf(size) > 0 ? 1 / size : 0;
    put(adjugate(less(a, size_of(d), times(b, down))), by, 0, 0, out);
    put(adjugate(less(c, size_of(b), times(d, adjugate(across)))), by, 0, 2, out);
    put(adjugate(less(b, size_of(c), times(a, adjugate(down)))), by, 2, 0, out);
    put(adjugate(less(d, size_of(a), times(c, across))), by, 2, 2, out);
}

void skl_single_transform4(const skl_single_m4 m, const float v[3], float last, float out[3]) {
    for (int i = 0; i < 3; i++)
        out[i] = (m[4 * i] * v[0] + m[4 * i + 1] * v[1]) + (m[4 * i + 2] * v[2] + m[4 * i + 3] * last);
}
