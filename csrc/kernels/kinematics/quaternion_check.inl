/* SPDX-License-Identifier: MIT */
/* The search for a quaternion that has no direction: all zero, or not finite. */

static int K(has_direction)(const real *q) {
    real finite = 0;
    int zero = 1;
    for (int i = 0; i < 4; i++) {
        finite += q[i] - q[i]; /* 0 for every finite number, not for the others */
        if (q[i] < 0 || q[i] > 0) zero = 0;
    }
    return !zero && finite >= 0;
}

/* The first one, or -1. Lanes are quaternions; only where a square is out of range their numbers are looked at. */
static int64_t K(find_bad_quaternion)(const skl_quaternion_block *b) {
    for (int64_t i = 0; i < b->count; i += W(LANES)) {
        const char *at = b->rotations + i * b->step;
        const int64_t left = b->count - i;
        const int n = left < W(LANES) ? (int)left : W(LANES);
        if (n == W(LANES)) {
            W(t) q[4];
            W(load4)(at, b->step, W(LANES), q);
            if (W(all)(K(in_range)(K(square4)(q)))) continue;
        }
        for (int k = 0; k < n; k++)
            if (!K(has_direction)((const real *)(const void *)(at + k * b->step))) return i + k;
    }
    return -1;
}
