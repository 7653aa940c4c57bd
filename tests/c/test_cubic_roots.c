/* SPDX-License-Identifier: MIT */
/* Roots of many cubics at a time, against the same formula for one. */
#include "blender/curves/cubic_root.h"
#include "check.h"

#include <stdint.h>

static int64_t solved, inside;

static float between(double low, double high) { return (float)(low + (next_number() + 1) / 2 * (high - low)); }

/* A segment of an F-curve in time: from 0 to a span, with handles that keep to it, nearly reach it, or do not. */
static void segment(int kind, float c[4]) {
    const float start = kind & 1 ? 0.0f : between(-2e5, 2e5), span = kind & 2 ? 10.0f : between(0.01, 500);
    const float reach[5][2] = {{0, 1}, {0.32f, 0.35f}, {0.999f, 1}, {-0.5f, 1.5f}, {1, 1}};
    const float *of = reach[(kind >> 2) % 5];
    const float q1 = start + between(of[0], of[1]) * span, q2 = start + span - between(of[0], of[1]) * span;
    const float q3 = start + span;
    c[0] = start;
    c[1] = 3.0f * (q1 - start);
    c[2] = 3.0f * (start - 2.0f * q1 + q2);
    c[3] = q3 - start + 3.0f * (q1 - q2);
    if (kind % 7 == 0)
        for (int i = 1; i < 4; i++) c[i] = between(-1, 1) * powf(10.0f, between(-18, 18));
}

static void roots_in_batches_have_the_bits_of_those_alone(int kind) {
    float c[4], constants[SKL_CUBICS], roots[SKL_CUBICS];
    const skl_cubic *cubics[SKL_CUBICS];
    segment(kind, c);
    const skl_cubic cubic = skl_cubic_of(c);
    for (int i = 0; i < SKL_CUBICS; i++) {
        cubics[i] = &cubic;
        constants[i] = -between(-0.1, 1.1) * (c[1] + c[2] + c[3]);
    }
    skl_rising_roots(cubics, constants, SKL_CUBICS, roots);
    for (int i = 0; i < SKL_CUBICS; i++) {
        c[0] = constants[i];
        const float alone = (float)skl_rising_root(c);
        CHECK(memcmp(&roots[i], &alone, sizeof alone) == 0);
        solved++;
        inside += alone > 0.0f && alone < 1.0f;
    }
}

static void the_cubic_is_zero_at_its_root(void) {
    const float c[4] = {-0.3f, 1.2f, -0.9f, 0.7f};
    const double x = skl_rising_root(c),
                 value = (double)c[0] + x * ((double)c[1] + x * ((double)c[2] + x * (double)c[3]));
    CHECK(x > 0 && x < 1 && fabs(value) < 1e-15);
}

int main(int count, char **arguments) {
    const int rounds = count > 1 ? atoi(arguments[1]) : 4000;
    the_cubic_is_zero_at_its_root();
    for (int kind = 0; kind < rounds; kind++) roots_in_batches_have_the_bits_of_those_alone(kind);
    CHECK(inside > solved / 2);
    return REPORT();
}
