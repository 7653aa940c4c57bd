/* SPDX-License-Identifier: MIT */
/* Matrices of a few frames side by side. REAL is float or double, and REAL_SQRT and the like are its functions.
 *
 * Column vectors; the last row 0 0 0 1 of a matrix is left out. Sums are in Blender's order, which is why they are
 * spelled out: (first + second) + (third + fourth). */

/* at[column][row][frame] */
typedef struct lanes {
    REAL at[4][3][SKL_FRAMES];
} lanes;

/* at[column][row], the same in all frames. */
typedef struct fixed {
    REAL at[4][3];
} fixed;

#define FRAMES(l) for (int l = 0; l < SKL_FRAMES; l++)

static void lanes_fill(lanes *into, const fixed *from) {
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++) FRAMES(l) into->at[c][r][l] = from->at[c][r];
}

/* into = a b; all four columns. */
static void lanes_times_fixed(lanes *restrict into, const lanes *restrict a, const fixed *restrict b) {
    for (int c = 0; c < 4; c++) {
        const REAL x = b->at[c][0], y = b->at[c][1], z = b->at[c][2], w = c == 3;
        for (int r = 0; r < 3; r++) FRAMES(l)
        into->at[c][r][l] = (a->at[0][r][l] * x + a->at[1][r][l] * y) + (a->at[2][r][l] * z + a->at[3][r][l] * w);
    }
}

/* The first three columns of a b. */
static void lanes_times_lanes(lanes *restrict into, const lanes *restrict a, const lanes *restrict b) {
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) FRAMES(l)
    into->at[c][r][l] =
        (a->at[0][r][l] * b->at[c][0][l] + a->at[1][r][l] * b->at[c][1][l]) + a->at[2][r][l] * b->at[c][2][l];
}

/* The last column of `into`: a applied to the last column of b. */
static void lanes_move(lanes *restrict into, const lanes *restrict a, const lanes *restrict b) {
    for (int r = 0; r < 3; r++) FRAMES(l)
    into->at[3][r][l] =
        ((b->at[3][0][l] * a->at[0][r][l] + b->at[3][1][l] * a->at[1][r][l]) + a->at[2][r][l] * b->at[3][2][l]) +
        a->at[3][r][l];
}

static void fixed_take(fixed *into, const float *rows) {
    for (int c = 0; c < 4; c++)
        for (int r = 0; r < 3; r++) into->at[c][r] = (REAL)rows[4 * r + c];
}

/* Where a bone is, from its parent's head in the parent's axes. */
static fixed fixed_offset(const skl_blender_bones *bones, int64_t bone) {
    fixed at;
    const float *axes = bones->axes + 9 * bone;
    for (int c = 0; c < 3; c++)
        for (int r = 0; r < 3; r++) at.at[c][r] = (REAL)axes[3 * r + c];
    for (int r = 0; r < 3; r++) at.at[3][r] = (REAL)bones->offsets[3 * bone + r];
    at.at[3][1] += (REAL)bones->lengths[bones->parents[bone]];
    return at;
}
