/* SPDX-License-Identifier: MIT */
/* Lanes are poses: the twelve numbers of an affine matrix (rows 0 to 2) as twelve wides, in registers and in scratch of
 * the shape [joint][12][LANES].
 *
 * load_poses store_poses stream_poses: matrices of n poses in memory · read_scratch write_scratch: scratch ·
 * multiply_poses */

enum { K(pose_lanes_of) = W(LANES) };

/* The first n lanes. */
SKL_INLINE W(m) K(lanes_below)(int n) {
    static const real numbers[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    return W(lt)(W(load)(numbers), W(set1)((real)n));
}

SKL_INLINE void K(load_poses)(const char *at, int64_t item, int n, W(t) * m) {
    for (int i = 0; i < 3; i++) W(load4)(at + 4 * i * (int64_t)sizeof(real), item, n, m + 4 * i);
}

SKL_INLINE void K(store_poses)(char *at, int64_t item, int n, const W(t) * m, int32_t rows) {
    if (n == W(LANES) && rows == 4) {
        W(store_affine)(at, item, m);
        return;
    }
    for (int i = 0; i < 3; i++) W(store4)(at + 4 * i * (int64_t)sizeof(real), item, n, m + 4 * i);
    if (rows == 3) return;
    static const real last[4] = {0, 0, 0, 1};
    const R(t) row = R(load)(last);
    for (int p = 0; p < n; p++) R(store)((real *)(void *)(at + p * item) + 12, row);
}

/* The 4 x 4 matrices of a whole tile past the cache. A line begins `behind` numbers before a matrix; these belong to
 * the matrix before, and since they are of its last row, they are the same in all matrices. */
SKL_INLINE void K(stream_poses)(char *at, int64_t item, const W(t) * m, int behind) {
    W(t) numbers[16];
    for (int i = 0; i < 16; i++) {
        const int own = i < behind ? 16 + i - behind : i - behind;
        numbers[i] = own < 12 ? m[own] : W(set1)(own == 15);
    }
    for (int first = 0; first < 16; first += K(line_numbers))
        K(stream_lines)(at + (first - behind) * (int64_t)sizeof(real), item, W(LANES), numbers + first);
}

SKL_INLINE void K(read_scratch)(const real *scratch, W(t) * m) {
    for (int i = 0; i < 12; i++) m[i] = W(load)(scratch + i * W(LANES));
}

SKL_INLINE void K(write_scratch)(real *scratch, const W(t) * m) {
    for (int i = 0; i < 12; i++) W(store)(scratch + i * W(LANES), m[i]);
}

/* left @ right, all in scratch, `out` somewhere else. The translation comes first in the sum, then columns 0, 1, 2, as
 * in multiply_affine. Every number is stored at once: there are too few registers for two matrices and their product.
 */
SKL_INLINE void K(multiply_scratch)(const real *restrict left, const real *restrict right, real *restrict out) {
    W(t) r[12];
    K(read_scratch)(right, r);
    for (int i = 0; i < 3; i++) {
        const real *a = left + 4 * i * W(LANES);
        for (int k = 0; k < 4; k++) {
            const W(t) first = k == 3 ? W(load)(a + 3 * W(LANES)) : W(set1)(0);
            W(t) sum = W(fma)(W(load)(a), r[k], first);
            sum = W(fma)(W(load)(a + W(LANES)), r[4 + k], sum);
            sum = W(fma)(W(load)(a + 2 * W(LANES)), r[8 + k], sum);
            W(store)(out + (4 * i + k) * W(LANES), sum);
        }
    }
}
