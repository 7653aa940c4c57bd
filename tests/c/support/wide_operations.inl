/* SPDX-License-Identifier: MIT */
/* The tests of test_wide.c for one precision. */

enum { K(SPECIALS) = 16 };

static const real K(specials)[K(SPECIALS)] = {
    0,        -(real)0,  1,     -1,     (real)1 / 3, (real)-2.7, (real)NAN,      -(real)NAN,
    INFINITY, -INFINITY, SMALL, -SMALL, LARGE,       -LARGE,     (real)DENORMAL, 1000003};

/* The same bits; every not-a-number is as good as any other. */
static int K(same)(real a, real b) {
    BITS x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return x == y || (isnan(a) && isnan(b));
}

static int K(same_all)(const real *a, const real *b, int n) {
    for (int i = 0; i < n; i++)
        if (!K(same)(a[i], b[i])) return 0;
    return 1;
}

static real K(fused)(real a, real b, real c) { /* volatile: no compiler may fuse what is to round twice */
#ifdef SKL_FUSES
    return FMA(a, b, c);
#else
    volatile real product = a * b;
    return product + c;
#endif
}

/* Compare out = OP(...) with `plain`, which may use a, b, c of lane i. */
#define K_EACH(call, plain)                                                                                            \
    do {                                                                                                               \
        real found[W(LANES)];                                                                                          \
        W(store)(found, call);                                                                                         \
        for (int i = 0; i < W(LANES); i++) CHECK(K(same)(found[i], plain));                                            \
    } while (0)

static void K(arithmetic)(const real *a, const real *b, const real *c) {
    const W(t) x = W(load)(a), y = W(load)(b), z = W(load)(c);
    K_EACH(x, a[i]);
    K_EACH(W(set1)(a[0]), a[0]);
    K_EACH(W(add)(x, y), a[i] + b[i]);
    K_EACH(W(sub)(x, y), a[i] - b[i]);
    K_EACH(W(mul)(x, y), a[i] * b[i]);
    K_EACH(W(div)(x, y), a[i] / b[i]);
    K_EACH(W(fma)(x, y, z), K(fused)(a[i], b[i], c[i]));
    K_EACH(W(fnma)(x, y, z), K(fused)(-a[i], b[i], c[i]));
    K_EACH(W(sqrt)(x), SQRT(a[i]));
    K_EACH(W(abs)(x), COPYSIGN(a[i], 1));
    K_EACH(W(neg)(x), -a[i]);
    K_EACH(W(min)(x, y), a[i] < b[i] ? a[i] : b[i]);
    K_EACH(W(max)(x, y), a[i] > b[i] ? a[i] : b[i]);
    K_EACH(W(copysign)(x, y), COPYSIGN(a[i], b[i]));
    K_EACH(W(select)(W(lt)(x, y), x, z), a[i] < b[i] ? a[i] : c[i]);
    K_EACH(W(select)(W(le)(x, y), x, z), a[i] <= b[i] ? a[i] : c[i]);
    K_EACH(W(select)(W(eq)(x, y), x, z), a[i] >= b[i] && a[i] <= b[i] ? a[i] : c[i]);
    K_EACH(W(select)(W(not)(W(lt)(x, y)), x, z), !(a[i] < b[i]) ? a[i] : c[i]);
    K_EACH(W(select)(W (and)(W(lt)(x, y), W(lt)(y, z)), x, z), a[i] < b[i] && b[i] < c[i] ? a[i] : c[i]);
    K_EACH(W(select)(W(or)(W(lt)(x, y), W(lt)(y, z)), x, z), a[i] < b[i] || b[i] < c[i] ? a[i] : c[i]);
    int any = 0, all = 1;
    for (int i = 0; i < W(LANES); i++) {
        any |= a[i] < b[i];
        all &= a[i] < b[i];
    }
    CHECK(W(any)(W(lt)(x, y)) == any);
    CHECK(W(all)(W(lt)(x, y)) == all);
}

/* Every pair of special numbers meets in every lane. */
static void K(arithmetic_is_that_of_plain_c)(void) {
    real a[W(LANES)], b[W(LANES)], c[W(LANES)];
    for (int first = 0; first < K(SPECIALS); first++)
        for (int second = 0; second < K(SPECIALS); second++) {
            for (int i = 0; i < W(LANES); i++) {
                a[i] = K(specials)[(first + i) % K(SPECIALS)];
                b[i] = K(specials)[(second + 3 * i) % K(SPECIALS)];
                c[i] = K(specials)[(first + second + 5 * i) % K(SPECIALS)];
            }
            K(arithmetic)(a, b, c);
        }
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < W(LANES); i++) {
            a[i] = (real)next_number();
            b[i] = (real)next_number();
            c[i] = -a[i] * b[i];
        }
        K(arithmetic)(a, b, c);
    }
}

/* `any` and `all` see each single lane. */
static void K(masks_see_every_lane)(void) {
    for (int lane = 0; lane < W(LANES); lane++) {
        real one[W(LANES)] = {0}, rest[W(LANES)];
        for (int i = 0; i < W(LANES); i++) rest[i] = i == lane ? 0 : 1;
        one[lane] = 1;
        const W(t) zero = W(set1)(0);
        CHECK(W(any)(W(lt)(zero, W(load)(one))));
        CHECK(W(all)(W(lt)(zero, W(load)(one))) == (W(LANES) == 1));
        CHECK(!W(all)(W(lt)(zero, W(load)(rest))));
        CHECK(W(any)(W(lt)(zero, W(load)(rest))) == (W(LANES) > 1));
    }
    CHECK(W(all)(W(eq)(W(set1)(2), W(set1)(2))) && !W(any)(W(lt)(W(set1)(2), W(set1)(2))));
}

typedef void K(load_fn)(const char *, int64_t, int, W(t) *);
typedef void K(store_fn)(char *, int64_t, int, const W(t) *);

static void K(load_1)(const char *at, int64_t step, int n, W(t) * out) { W(load1)(at, step, n, out); }
static void K(load_3)(const char *at, int64_t step, int n, W(t) * out) { W(load3)(at, step, n, out); }
static void K(load_4)(const char *at, int64_t step, int n, W(t) * out) { W(load4)(at, step, n, out); }
static void K(store_1)(char *at, int64_t step, int n, const W(t) * in) { W(store1)(at, step, n, in); }
static void K(store_3)(char *at, int64_t step, int n, const W(t) * in) { W(store3)(at, step, n, in); }
static void K(store_4)(char *at, int64_t step, int n, const W(t) * in) { W(store4)(at, step, n, in); }

/* n items of `width` numbers, `gap` numbers between them, forwards or backwards; memory ends with the last number. */
static void K(items)(int width, int n, int gap, int back, K(load_fn) * load, K(store_fn) * store) {
    const int step = width + gap, count = (n - 1) * step + width;
    real *from = exactly((size_t)count * sizeof(real)), *to = exactly((size_t)count * sizeof(real));
    for (int i = 0; i < count; i++) {
        from[i] = K(specials)[(i + n) % K(SPECIALS)];
        to[i] = 77;
    }
    const int64_t bytes = (back ? -step : step) * (int64_t)sizeof(real);
    const int64_t begin = back ? (n - 1) * step : 0;
    W(t) lanes[4];
    load((const char *)(from + begin), bytes, n, lanes);
    for (int k = 0; k < width; k++) {
        real numbers[W(LANES)];
        W(store)(numbers, lanes[k]);
        for (int i = 0; i < W(LANES); i++)
            CHECK(K(same)(numbers[i], i < n ? from[begin + (back ? -i : i) * step + k] : 0));
    }
    store((char *)(to + begin), bytes, n, lanes);
    for (int i = 0; i < count; i++) CHECK(K(same)(to[i], i % step < width ? from[i] : 77));
    free(from);
    free(to);
}

static void K(items_become_lanes_and_nothing_behind_them_is_touched)(void) {
    for (int n = 1; n <= W(LANES); n++)
        for (int gap = 0; gap < 3; gap++)
            for (int back = 0; back < 2; back++) {
                K(items)(1, n, gap, back, K(load_1), K(store_1));
                K(items)(3, n, gap, back, K(load_3), K(store_3));
                K(items)(4, n, gap, back, K(load_4), K(store_4));
            }
}

static void K(whole_wides_move)(void) {
    enum { N = W(LANES) };
    real numbers[N * N], turned[N * N], found[N];
    W(t) rows[N];
    for (int i = 0; i < N * N; i++) numbers[i] = (real)next_number();
    for (int i = 0; i < N; i++) {
        rows[i] = W(load)(numbers + N * i);
        for (int k = 0; k < N; k++) turned[N * k + i] = numbers[N * i + k];
    }
    W(transpose)(rows);
    for (int i = 0; i < N; i++) {
        W(store)(found, rows[i]);
        CHECK(K(same_all)(found, turned + N * i, N));
    }
    _Alignas(64) real line[N];
    W(stream)(line, rows[0]);
    skl_stream_done();
    CHECK(K(same_all)(line, turned, N));
}

/* One item for all lanes. */
static void K(a_step_of_zero_repeats_the_item)(void) {
    K(load_fn) *const load[3] = {K(load_1), K(load_3), K(load_4)};
    const int widths[3] = {1, 3, 4};
    for (int way = 0; way < 3; way++)
        for (int n = 1; n <= W(LANES); n++) {
            real *item = exactly((size_t)widths[way] * sizeof(real)), numbers[W(LANES)];
            W(t) lanes[4];
            for (int k = 0; k < widths[way]; k++) item[k] = (real)next_number();
            load[way]((const char *)item, 0, n, lanes);
            for (int k = 0; k < widths[way]; k++) {
                W(store)(numbers, lanes[k]);
                for (int i = 0; i < W(LANES); i++) CHECK(K(same)(numbers[i], i < n ? item[k] : 0));
            }
            free(item);
        }
}

/* Each item has memory of its own that ends with its last number; those beyond n are not written. */
static void K(items_at_any_addresses)(int width, int n) {
    const char *from[W(LANES)];
    char *to[W(LANES)];
    real numbers[W(LANES)];
    W(t) lanes[4];
    for (int i = 0; i < W(LANES); i++) {
        real *item = exactly((size_t)width * sizeof(real)), *place = exactly((size_t)width * sizeof(real));
        for (int k = 0; k < width; k++) {
            item[k] = K(specials)[(5 * i + k + n) % K(SPECIALS)];
            place[k] = 77;
        }
        from[i] = (const char *)item;
        to[i] = (char *)place;
    }
    if (width == 3)
        W(collect3)(from, lanes);
    else
        W(collect4)(from, lanes);
    for (int k = 0; k < width; k++) {
        W(store)(numbers, lanes[k]);
        for (int i = 0; i < W(LANES); i++) CHECK(K(same)(numbers[i], ((const real *)from[i])[k]));
    }
    if (width == 3)
        W(scatter3)(to, n, lanes);
    else
        W(scatter4)(to, n, lanes);
    for (int i = 0; i < W(LANES); i++) {
        for (int k = 0; k < width; k++) CHECK(K(same)(((real *)to[i])[k], i < n ? ((const real *)from[i])[k] : 77));
        free((void *)(uintptr_t)from[i]);
        free(to[i]);
    }
}

static void K(items_are_collected_and_scattered)(void) {
    for (int n = 1; n <= W(LANES); n++) {
        K(items_at_any_addresses)(3, n);
        K(items_at_any_addresses)(4, n);
    }
}

/* The first and the last matrix begin and end the memory. */
static void K(matrices_of_lanes_are_stored)(void) {
    enum { N = W(LANES), STEP = 17 };
    real *to = exactly(((N - 1) * STEP + 16) * sizeof(real)), numbers[12][N];
    W(t) m[12];
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < N; k++) numbers[i][k] = (real)next_number();
        m[i] = W(load)(numbers[i]);
    }
    W(store_affine)((char *)to, STEP * (int64_t)sizeof(real), m);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < 16; i++) CHECK(K(same)(to[k * STEP + i], i < 12 ? numbers[i][k] : i == 15 ? 1 : 0));
    free(to);
}

/* Sixteen numbers that end the memory, weighted and added up. */
static void K(matrices_of_columns_are_blended_and_stored)(void) {
    real *first = exactly(16 * sizeof(real)), *second = exactly(16 * sizeof(real)), *sum = exactly(16 * sizeof(real));
    for (int shift = 0; shift < K(SPECIALS); shift++) {
        const real w = (real)next_number(), v = K(specials)[(7 * shift) % K(SPECIALS)];
        for (int i = 0; i < 16; i++) {
            first[i] = K(specials)[(i + shift) % K(SPECIALS)];
            second[i] = (real)next_number();
        }
        const R(matrix) scaled = R(matrix_scale)(R(matrix_set1)(w), first);
        R(matrix_store)(sum, scaled);
        for (int i = 0; i < 16; i++) CHECK(K(same)(sum[i], w * first[i]));
        R(matrix_store)(sum, R(matrix_fma)(R(matrix_set1)(v), second, scaled));
        for (int i = 0; i < 16; i++) CHECK(K(same)(sum[i], K(fused)(v, second[i], w * first[i])));
    }
    free(first);
    free(second);
    free(sum);
}

static void K(rows_of_four)(void) {
    real found[4], *three = exactly(3 * sizeof(real));
    for (int shift = 0; shift < K(SPECIALS); shift++) {
        real m[16], p[3];
        R(t) r[4];
        for (int i = 0; i < 16; i++) m[i] = K(specials)[(i + shift) % K(SPECIALS)];
        for (int i = 0; i < 4; i++) r[i] = R(load)(m + 4 * i);
        R(store)(found, R(add)(r[0], r[1]));
        for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], m[i] + m[4 + i]));
        R(store)(found, R(mul)(r[0], r[1]));
        for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], m[i] * m[4 + i]));
        R(store)(found, R(fma)(r[0], r[1], r[2]));
        for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], K(fused)(m[i], m[4 + i], m[8 + i])));
        R(store)(found, R(last)(r[0]));
        for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], i == 3 ? m[3] : 0));
        R(store)(found, R(set)(m[0], m[1], m[2], m[3]));
        CHECK(K(same_all)(found, m, 4));
        R(store)(found, R(set1)(m[5]));
        for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], m[5]));
        R(store)(found, R(zero)());
        for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], 0));
        const R(t) splat[4] = {R(splat)(r[0], 0), R(splat)(r[0], 1), R(splat)(r[0], 2), R(splat)(r[0], 3)};
        for (int k = 0; k < 4; k++) {
            R(store)(found, splat[k]);
            for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], m[k]));
        }
        R(store3)(three, r[0]);
        CHECK(K(same_all)(three, m, 3));
        R(transpose)(&r[0], &r[1], &r[2], &r[3]);
        for (int k = 0; k < 4; k++) {
            R(store)(found, r[k]);
            for (int i = 0; i < 4; i++) CHECK(K(same)(found[i], m[4 * i + k]));
        }
        for (int i = 0; i < 3; i++) p[i] = (real)next_number();
        const real w = (real)next_number(), v = (real)next_number();
        R(matrix) blend = R(matrix_scale)(R(matrix_set1)(w), m);
        blend = R(matrix_fma)(R(matrix_set1)(v), m, blend);
        R(store)(found, R(matrix_point)(blend, p));
        for (int i = 0; i < 4; i++) {
            real column[4];
            for (int k = 0; k < 4; k++) column[k] = K(fused)(v, m[4 * k + i], w * m[4 * k + i]);
            real sum = column[0] * p[0];
            sum = K(fused)(column[1], p[1], sum);
            sum = K(fused)(column[2], p[2], sum);
            CHECK(K(same)(found[i], sum + column[3]));
        }
    }
    free(three);
}

static void K(all)(void) {
    K(arithmetic_is_that_of_plain_c)();
    K(masks_see_every_lane)();
    K(items_become_lanes_and_nothing_behind_them_is_touched)();
    K(a_step_of_zero_repeats_the_item)();
    K(items_are_collected_and_scattered)();
    K(whole_wides_move)();
    K(matrices_of_lanes_are_stored)();
    K(matrices_of_columns_are_blended_and_stored)();
    K(rows_of_four)();
}

#undef K_EACH
