/* SPDX-License-Identifier: MIT */
/* Matrices of poses into rows of doubles, and back. */
static void K(pose_rows_load)(const char *at, int64_t item, int count, skl_affine_rows out) {
    for (int i = 0; i < count; i += W(LANES)) {
        const int n = count - i < W(LANES) ? count - i : W(LANES);
        W(t) m[12];
        K(load_poses)(at + i * item, item, n, m);
        for (int k = 0; k < 12; k++) {
            real numbers[W(LANES)];
            W(store)(numbers, m[k]);
            for (int lane = 0; lane < W(LANES); lane++) out[k][i + lane] = (double)numbers[lane];
        }
    }
}

/* As many numbers as there are lanes of double. */
SKL_INLINE w64_t K(widen)(const real *numbers) {
    double wide_numbers[w64_LANES];
    for (int lane = 0; lane < w64_LANES; lane++) wide_numbers[lane] = (double)numbers[lane];
    return w64_load(wide_numbers);
}

/* m = the matrices of the poses @ m. In one go: the matrices in double are never in memory. */
static void K(pose_rows_carry)(const char *at, int64_t item, int count, skl_affine_rows m) {
    for (int i = 0; i < count; i += W(LANES)) {
        const int n = count - i < W(LANES) ? count - i : W(LANES);
        W(t) lanes[12];
        real left[12][W(LANES)];
        K(load_poses)(at + i * item, item, n, lanes);
        for (int k = 0; k < 12; k++) W(store)(left[k], lanes[k]);
        for (int part = 0; part < W(LANES); part += w64_LANES) {
            w64_t r[12];
            for (int k = 0; k < 12; k++) r[k] = w64_load(m[k] + i + part);
            for (int row = 0; row < 3; row++) {
                const w64_t x = K(widen)(left[4 * row] + part), y = K(widen)(left[4 * row + 1] + part),
                            z = K(widen)(left[4 * row + 2] + part), t = K(widen)(left[4 * row + 3] + part);
                for (int k = 0; k < 4; k++) {
                    const w64_t first = k == 3 ? w64_fma(x, r[3], t) : w64_mul(x, r[k]);
                    w64_store(m[4 * row + k] + i + part, w64_fma(z, r[8 + k], w64_fma(y, r[4 + k], first)));
                }
            }
        }
    }
}

static void K(pose_rows_store)(char *at, int64_t item, int count, const skl_affine_rows m) {
    for (int i = 0; i < count; i += W(LANES)) {
        const int n = count - i < W(LANES) ? count - i : W(LANES);
        W(t) lanes[12];
        for (int k = 0; k < 12; k++) {
            real numbers[W(LANES)];
            for (int lane = 0; lane < W(LANES); lane++) numbers[lane] = (real)m[k][i + lane];
            lanes[k] = W(load)(numbers);
        }
        K(store_poses)(at + i * item, item, n, lanes, 3);
    }
}
