/* SPDX-License-Identifier: MIT */
#include "loop.h"

#include <string.h>

#include "core/transforms/affine.h"
#include "core/transforms/matrix3.h"
#include "planting/motion/turns.h"

int64_t skl_loop_turn(const skl_loop *loop, int64_t frame) {
    const int64_t own = frame - loop->margin, turn = own / loop->period;
    return own % loop->period < 0 ? turn - 1 : turn;
}

int64_t skl_loop_frame(const skl_loop *loop, int64_t frame) {
    return frame - loop->margin - skl_loop_turn(loop, frame) * loop->period;
}

static void multiply(const double a[16], const double b[16], double out[16]) {
    double product[16];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            double sum = 0.0;
            for (int k = 0; k < 4; k++) sum += a[4 * i + k] * b[4 * k + j];
            product[4 * i + j] = sum;
        }
    memcpy(out, product, sizeof product);
}

static void invert(const double matrix[16], double out[16]) {
    skl_m3 linear, inverse;
    skl_affine_linear(matrix, linear);
    skl_m3_inverse(linear, inverse);
    for (int i = 0; i < 3; i++) {
        double back = 0.0;
        for (int j = 0; j < 3; j++) {
            out[4 * i + j] = inverse[3 * i + j];
            back -= inverse[3 * i + j] * matrix[4 * j + 3];
        }
        out[4 * i + 3] = back;
    }
    memcpy(out + 12, (double[4]){0, 0, 0, 1}, 4 * sizeof *out);
}

void skl_loop_power(const double matrix[16], int64_t times, double out[16]) {
    double square[16];
    memcpy(out, skl_no_travel, sizeof skl_no_travel);
    if (times < 0)
        invert(matrix, square);
    else
        memcpy(square, matrix, sizeof square);
    for (uint64_t left = times < 0 ? -(uint64_t)times : (uint64_t)times; left; left >>= 1) {
        if (left & 1) multiply(out, square, out);
        multiply(square, square, square);
    }
}

void skl_loop_move(const double matrix[16], const double place[3], double out[3]) {
    double there[3];
    for (int i = 0; i < 3; i++) {
        const double *row = matrix + 4 * i;
        there[i] = row[0] * place[0] + row[1] * place[1] + row[2] * place[2] + row[3];
    }
    memcpy(out, there, sizeof there);
}

/* Whether the first `columns` columns of a matrix are those of the identity. */
static int is_identity(const double matrix[16], int columns) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < columns; j++)
            if (matrix[4 * i + j] != (i == j ? 1.0 : 0.0)) return 0;
    return 1;
}

int skl_loop_travels(const double travel[16]) { return !is_identity(travel, 4); }

int skl_loop_turns(const double travel[16]) { return !is_identity(travel, 3); }

void skl_loop_unroll(const skl_loop *loop, const skl_skeleton *skeleton, const double *local, double *out) {
    const int64_t pose = 16 * skeleton->num_joints;
    const int travels = skl_loop_travels(loop->travel);
    double power[16];
    for (int64_t f = 0; f < skl_loop_frames(loop); f++, out += pose) {
        const int64_t turn = skl_loop_turn(loop, f);
        memcpy(out, local + pose * skl_loop_frame(loop, f), (size_t)pose * sizeof *out);
        if (!travels || !turn) continue;
        skl_loop_power(loop->travel, turn, power);
        for (int64_t j = 0; j < skeleton->num_joints; j++)
            if (skeleton->parents[j] < 0) multiply(power, out + 16 * j, out + 16 * j);
    }
}

void skl_loop_carried(const skl_loop *loop, const double place[3], int64_t frame, double out[3]) {
    double power[16];
    skl_loop_power(loop->travel, skl_loop_turn(loop, frame), power);
    skl_loop_move(power, place, out);
}

int skl_loop_repeat(const skl_loop *loop, skl_spans spans, skl_arena *arena, skl_spans *out) {
    const int64_t first = loop->margin, period = loop->period, last = skl_loop_frames(loop) - 1;
    const int64_t rounds = loop->margin / period + 1;
    int64_t begin = 0, end = 0;
    *out = (skl_spans){SKL_TAKE(arena, skl_span, (2 * rounds + 1) * spans.count + 1), 0};
    if (!out->at) return 0;
    for (int64_t i = 0; i < spans.count; i++) {
        if (spans.at[i].last - spans.at[i].first >= period) {
            out->at[out->count++] = (skl_span){0, last};
            return 1;
        }
        begin += spans.at[i].first < first;
        end += spans.at[i].first < first + period;
    }
    for (int64_t k = -rounds; k <= rounds; k++)
        for (int64_t i = begin; i < end; i++) {
            skl_span span = spans.at[i];
            if (i == end - 1) span.last = skl_fewer(span.last, spans.at[begin].first + period - 1);
            span = (skl_span){skl_more(span.first + k * period, 0), skl_fewer(span.last + k * period, last)};
            if (span.first < span.last) out->at[out->count++] = span;
        }
    return 1;
}

int skl_loop_unroll_spans(const skl_loop *loop, skl_spans spans, skl_arena *arena, skl_spans *out) {
    const int64_t first = loop->margin, last = loop->margin + loop->period;
    skl_spans own = {SKL_TAKE(arena, skl_span, spans.count), spans.count};
    if (!own.at) return 0;
    for (int64_t i = 0; i < spans.count; i++)
        own.at[i] = (skl_span){spans.at[i].first + first, spans.at[i].last + first};
    if (own.count > 1 && own.at[0].first == first && own.at[own.count - 1].last == last) {
        const skl_span whole = {own.at[own.count - 1].first, own.at[0].last + loop->period};
        /* The last pose is the first once more: what stands in it alone begins with the clip. */
        own.count--;
        if (whole.first != last) {
            memmove(own.at, own.at + 1, (size_t)(own.count - 1) * sizeof *own.at);
            own.at[own.count - 1] = whole;
        }
    }
    return skl_loop_repeat(loop, own, arena, out);
}

int skl_loop_creep(const skl_loop *loop, const skl_track *track, const skl_sole *sole, const double *turn,
                   const double up[3], skl_arena *arena, double step[3]) {
    const int64_t num = track->num_frames;
    const skl_arena mark = *arena;
    double *feet = SKL_TAKE(arena, double, 9 * num), *outline = SKL_TAKE(arena, double, 9 * num);
    double *steps = SKL_TAKE(arena, double, 3 * num);
    if (arena->failed) return 0;
    skl_turn_feet(num, turn, track->foot, feet);
    skl_sole_outline(sole, up, num, feet, outline);
    skl_rolling_steps(up, num, outline + 6 * num, outline + 3 * num, steps);
    for (int i = 0; i < 3; i++) {
        double sum = 0.0;
        for (int64_t f = loop->margin; f < loop->margin + loop->period; f++) sum += steps[3 * f + i];
        step[i] = (sum + loop->travel[4 * i + 3]) / (double)loop->period;
    }
    skl_arena_back(arena, mark);
    return 1;
}
