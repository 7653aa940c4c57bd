/* SPDX-License-Identifier: MIT */
/* The body of test_whole_lines.c, for one precision. */
#include "kernels/base/lines.inl"
/* after it */
#include "kernels/kinematics/pose_lanes.inl"
#include "kernels/base/unstage.inl"

enum { K(matrices) = 3, K(vertices) = 40, K(most) = 12 * K(vertices) + 3 * K(line_numbers) };

/* Matrices of a tile, at the beginning of a line or behind it. */
static void K(check_matrices)(int behind) {
    static _Alignas(SKL_LINE) real memory[W(LANES)][(K(matrices) + 1) * 16];
    W(t) m[12];
    for (int i = 0; i < 12; i++) m[i] = W(set1)((real)i);
    forget_notes();
    for (int j = 0; j < K(matrices); j++)
        K(stream_poses)((char *)(memory[0] + 16 * j + behind), (int64_t)sizeof memory[0], m, behind);
    CHECK(notes.begun == (int)(K(matrices) * W(LANES) * 16 / K(line_numbers)));
    CHECK(all_lines_whole());
}

/* Bytes from anywhere to `shift` bytes behind the beginning of a line: all of them, and none beside them. */
static void K(check_copy)(int shift, int bytes) {
    static _Alignas(SKL_LINE) char memory[8 * SKL_LINE], wanted[8 * SKL_LINE], from[6 * SKL_LINE];
    for (int i = 0; i < (int)sizeof from; i++) from[i] = (char)(7 * i + shift);
    memset(memory, 1, sizeof memory);
    memset(wanted, 1, sizeof wanted);
    memcpy(wanted + shift, from + 3, (size_t)bytes);
    forget_notes();
    K(copy_past_cache)(memory + shift, from + 3, bytes);
    CHECK(all_lines_whole());
    const int head = (SKL_LINE - shift) % SKL_LINE;
    CHECK(notes.begun == (bytes > head ? (bytes - head) / SKL_LINE : 0));
    CHECK(memcmp(memory, wanted, sizeof memory) == 0);
}

/* Vectors of `poses` poses, each of which begins `shift` numbers into a line; `gap` lines and numbers lie between. */
static void K(check_vectors)(int poses, int size, int shift, int gap) {
    static _Alignas(SKL_LINE) real memory[W(LANES) * K(most)], staged[12 * K(vertices) * W(LANES)];
    static skl_stream waiting;
    const int numbers = size * K(vertices), item = (numbers / K(line_numbers) + 1) * K(line_numbers) + gap;
    for (int i = 0; i < 12 * K(vertices) * W(LANES); i++) staged[i] = (real)next_number();
    const skl_unstage_block block = {staged,
                                     K(vertices),
                                     poses,
                                     size,
                                     (char *)(memory + shift),
                                     item * (int64_t)sizeof(real),
                                     size * (int64_t)sizeof(real)};
    waiting.begins = waiting.ends = 1;
    forget_notes();
    K(unstage_stream)(&block, &waiting);
    CHECK(notes.begun > 0);
    CHECK(all_lines_whole());
    for (int p = 0; p < poses; p++)
        for (int i = 0; i < numbers; i++)
            if (memory[p * item + shift + i] != staged[i * W(LANES) + p]) {
                CHECK(0);
                return;
            }
    K(unstage)(&block);
}

static void K(all)(void) {
    K(check_matrices)(0);
    K(check_matrices)((int)(SKL_ROW_BEHIND / sizeof(real)));
    for (int shift = 0; shift < K(line_numbers); shift++) {
        for (int poses = 1; poses <= W(LANES); poses++)
            for (int size = 3; size <= 4; size++)
                for (int gap = 0; gap < 4; gap++) K(check_vectors)(poses, size, shift, gap);
        K(check_vectors)(W(LANES), 12, shift, 0); /* matrices of three rows */
    }
    for (int shift = 0; shift < SKL_LINE; shift += 4)
        for (int bytes = 0; bytes <= 5 * SKL_LINE; bytes += 4) K(check_copy)(shift, bytes);
}
