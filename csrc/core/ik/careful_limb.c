/* SPDX-License-Identifier: MIT */
#include "careful_limb.h"

#include <math.h>
#include <string.h>

#include "limb_search.h"
#include "swivel.h"
#include "core/transforms/turn.h"
#include "core/transforms/affine.h"

/* A miss, of the leg, that counts as rounding. */
static const double MISSED[2] = {1e-6, 2.5e-13};

/* How much nearer, of the leg, the knee's own plane must come to be taken instead of the closed form's: far more than
 * poses are rounded, far less than can be seen. */
static const double NEARER = 1e-4;

/* Sine between upper bone and target at which the side of a knee is clear: of the rounding of a pose, a swivel
 * back to that side makes at most some six times as much. */
static const double CLEAR = 0.2;

static const skl_m3 NO_TURN = {1, 0, 0, 0, 1, 0, 0, 0, 1};

/* A limb seen from its hip, before its upper bone turns, and the turns found for it. */
typedef struct careful {
    skl_knee_path path; /* u, above and shin are set; the rest belongs to the search */
    double d[3];        /* hip to target */
    const skl_limb *limb;
    const skl_limb_frame *f;
    const skl_chain_limits *limits;
    skl_m3 upper, knee;         /* the knee's in the frame of its parent */
    int minimal;                /* roll: the turns of the closed form are what is corrected */
    double factor, aimed, soft; /* aimed and soft: distances before the bones grow */
} careful;

static void rotate(const skl_m3 m, const double v[3], double out[3]) { skl_m3_transform(m, v, out); }

/* Hip to end before the upper bone turns, for a turn of the knee. */
static void end_of(const careful *s, const skl_m3 knee, double out[3]) {
    double w[3], v[3];
    rotate(knee, s->path.shin, w);
    rotate(s->path.above, w, v);
    for (int k = 0; k < 3; k++) out[k] = s->factor * (s->path.u[k] + v[k]);
}

/* Distance of the end from the target. */
static double miss(const careful *s, const skl_m3 upper, const skl_m3 knee) {
    double p[3], e[3];
    end_of(s, knee, p);
    rotate(upper, p, e);
    for (int k = 0; k < 3; k++) e[k] -= s->d[k];
    return skl_length(e);
}

/* How far from the hip the end is to go and how much the bones grow, as in the closed form, but with the reach that
 * this knee has. */
static void aim(careful *s) {
    const double d = skl_length(s->d), full = s->path.most, soften = s->limb->soften;
    const double soft = soften > 0 ? skl_soft_distance(d, full, soften) : fmin(d, full);
    const double least = fmin(soft, s->limb->stretch_start * full);
    const int grows = least > 0 && d > least && s->limb->stretch > 1;
    const double ratio = grows ? d / least : 1;
    s->factor = fmin(ratio, s->limb->stretch);
    const double to = grows && ratio <= s->limb->stretch ? least : fmin(d / s->factor, soft);
    s->soft = to;
    s->aimed = fmax(to, s->path.least);
}

/* The axis about which the knee bends further in its plane, in the frame of its parent. */
static void bend_axis(const careful *s, const skl_m3 base, double out[3]) {
    double thigh[3], shin[3], q[4];
    (void)skl_m3_solve(s->path.above, s->path.u, thigh);
    rotate(base, s->path.shin, shin);
    for (int k = 0; k < 3; k++)
        out[k] = thigh[(k + 1) % 3] * shin[(k + 2) % 3] - thigh[(k + 2) % 3] * shin[(k + 1) % 3];
    if (skl_length(out) > 1e-6 * skl_length(thigh) * skl_length(shin)) return;
    skl_m3_to_quaternion(s->knee, q);
    for (int k = 0; k < 3; k++) out[k] = q[0] < 0 ? -q[k + 1] : q[k + 1];
    if (skl_length(out) > 1e-9) return;
    int least = 0;
    for (int k = 1; k < 3; k++)
        if (fabs(thigh[k]) < fabs(thigh[least])) least = k;
    const double e[3] = {least == 0, least == 1, least == 2};
    for (int k = 0; k < 3; k++) out[k] = thigh[(k + 1) % 3] * e[(k + 2) % 3] - thigh[(k + 2) % 3] * e[(k + 1) % 3];
}

/* The turn about the third axis of path->left that is nearest to the knee's turn now. */
static double angle_now(const careful *s) {
    skl_m3 left, right, part, about;
    double q[4];
    skl_m3_transpose(s->path.left, left);
    skl_m3_transpose(s->path.right, right);
    skl_m3_multiply(left, s->knee, part);
    skl_m3_multiply(part, right, about);
    skl_m3_to_quaternion(about, q);
    double angle = 2 * atan2(q[3], q[0]);
    const double middle = 0.5 * (s->path.low + s->path.high), half = 0.5 * (s->path.high - s->path.low);
    angle = middle + remainder(angle - middle, 6.28318530717958647692);
    return fmin(fmax(angle, middle - half), middle + half);
}

/* Turn the upper bone so that the end lies towards the target, and its knee where it was (the pole, the bend) as near
 * as a limit of the upper joint lets it. Returns 0 where no swivel is allowed. */
static int aim_upper(careful *s, const skl_swivel *swivel) {
    double p[3], e[3], axis[3], before[3], after[3];
    skl_m3 aimed;
    rotate(s->upper, s->path.u, before);
    end_of(s, s->knee, p);
    rotate(s->upper, p, e);
    skl_swivel_aim(e, s->d, s->upper, aimed);
    const double away = skl_length(s->d), length = skl_length(e);
    for (int k = 0; k < 3; k++) axis[k] = away > 0 ? s->d[k] / away : length > 0 ? e[k] / length : k == 0;
    rotate(aimed, s->path.u, after);
    /* Back about the target's line to where the knee was. */
    double along[2] = {0, 0}, cosine = 0, sine = 0, size[2] = {0, 0};
    for (int k = 0; k < 3; k++) {
        along[0] += before[k] * axis[k];
        along[1] += after[k] * axis[k];
    }
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        const double x = before[k] - along[0] * axis[k], y = after[k] - along[1] * axis[k];
        cosine += x * y;
        size[0] += x * x;
        size[1] += y * y;
        sine += axis[k] * (after[i] * before[j] - after[j] * before[i]);
    }
    const double thigh = skl_length(before), least = 1e-12 * thigh, enough = least * least;
    double back = size[0] > enough && size[1] > enough ? atan2(sine, cosine) : 0;
    if (s->minimal) {
        const double clear = fmin(sqrt(fmin(size[0], size[1])) / (CLEAR * thigh), 1);
        back *= clear * clear * (3 - 2 * clear);
    }
    skl_swivel_by(axis, back, aimed, s->upper);
    if (!swivel) return 1;
    double angle;
    skl_m3 wanted;
    memcpy(wanted, s->upper, sizeof wanted);
    const int inside = skl_swivel_inside(swivel, axis, wanted, &angle);
    skl_swivel_by(axis, angle, wanted, s->upper);
    return inside;
}

/* Start from where the closed form is nearest to what is allowed, and from the best samples of what is allowed. */
static void search(careful *s, const skl_swivel *swivel, double leg, double angle) {
    skl_limb_search search = {.limit = &swivel->limit, .path = &s->path};
    skl_limb_numbers pose = {.bend = angle};
    double knee[3], wanted[3], toward[3], q[4];
    const double away = skl_length(s->d), soften = s->limb->soften, by = s->factor / leg;
    /* Softening holds the end back here as it does where the target can be reached. */
    const double nearer = soften > 0 && away > 0 ? fmin(s->soft * s->factor / away, 1) : 1;
    for (int k = 0; k < 3; k++) toward[k] = nearer * s->d[k] / leg;
    rotate(swivel->left, toward, search.goal);
    skl_m3_transpose(swivel->right, search.back);
    for (int k = 0; k < 9; k++) search.back[k] *= by;
    rotate(s->upper, s->path.u, wanted);
    for (int k = 0; k < 3; k++) toward[k] = by * wanted[k];
    rotate(swivel->left, toward, knee);
    skl_swivel_rotation(swivel, s->upper, q);
    skl_limit_clamp(&swivel->limit, q, pose.swing, &pose.twist);
    skl_limb_nearest(&search, knee, &pose);
    skl_limit_compose(pose.swing, 0.5 * pose.twist, q);
    skl_swivel_turn(swivel, q, s->upper);
    skl_knee_turn(&s->path, pose.bend, s->knee);
}

/* Softness: the turn that easing makes of one inside of the widened limit. */
static void ease(const skl_joint_limit *limit, const skl_m3 axes, skl_m3 turn) {
    skl_m3 now, more, whole;
    if (!limit) return;
    skl_m3_multiply(turn, axes, now);
    if (!(skl_limit_turn(limit, now, 1, SKL_FLOAT64, more) > 0)) return;
    skl_m3_multiply(more, turn, whole);
    memcpy(turn, whole, sizeof whole);
}

/* The knee's path from the turn `base`, its reach, and the answer of a limb whose upper joint is free. Returns how many
 * angles of the knee are good. */
static int bend_knee(careful *s, const skl_m3 base, const skl_joint_limit *wide, double angles[2]) {
    double axis[3], q[4];
    skl_m3 proper;
    if (wide && !(wide->swing[0] > 0) && !(wide->swing[1] > 0)) {
        skl_limit_rotation(wide, s->f->axes[1], proper, q);
        skl_knee_hinge(&s->path, wide, proper);
    } else {
        bend_axis(s, base, axis);
        memcpy(s->path.axes, s->f->axes[1], sizeof s->path.axes);
        skl_knee_about(&s->path, axis, base, wide);
    }
    skl_knee_measure(&s->path);
    aim(s);
    const int count = skl_knee_at_distance(&s->path, s->aimed, angle_now(s), angles);
    skl_knee_turn(&s->path, angles[0], s->knee);
    return count;
}

/* Correct what uneven scale makes of the closed form. With minimal roll its turns are the answer but for that, whatever
 * the plane in which the knee was bent before; the hinge bends in the knee's own plane, and so does what only that can
 * reach. */
static void correct(careful *s, double leg) {
    careful own = *s;
    double angles[2], missed = INFINITY;
    if (s->minimal) {
        (void)bend_knee(s, own.knee, NULL, angles);
        (void)aim_upper(s, NULL);
        missed = miss(s, s->upper, s->knee);
        if (missed <= NEARER * leg) return;
    }
    (void)bend_knee(&own, NO_TURN, NULL, angles);
    (void)aim_upper(&own, NULL);
    if (miss(&own, own.upper, own.knee) < missed - NEARER * leg) *s = own;
}

/* 1 if a joint would be outside of its limit, or in its soft part. */
static int breaks(const skl_joint_limit *limit, const skl_m3 axes, const skl_m3 turn, skl_dtype dtype) {
    skl_m3 now;
    if (!limit) return 0;
    skl_m3_multiply(turn, axes, now);
    return skl_limit_breaks(limit, now, dtype);
}

/* Inside of the limits. */
static void solve_limited(careful *s, double leg) {
    const skl_joint_limit *upper = s->limits->of[0], *lower = s->limits->of[1];
    skl_joint_limit wide;
    skl_swivel swivel;
    if (lower) {
        wide = *lower;
        skl_limit_widen(&wide);
    }
    double angles[2];
    skl_m3 before, knee;
    memcpy(before, s->upper, sizeof before);
    memcpy(knee, s->knee, sizeof knee);
    const int count = bend_knee(s, lower || s->minimal ? knee : NO_TURN, lower ? &wide : NULL, angles);
    if (upper) skl_swivel_begin(&swivel, upper, s->f->axes[0]);
    if (!aim_upper(s, upper ? &swivel : NULL)) {
        careful other = *s;
        memcpy(other.upper, before, sizeof before);
        if (count > 1) skl_knee_turn(&s->path, angles[1], other.knee);
        if (count > 1 && aim_upper(&other, &swivel)) {
            *s = other;
        } else {
            memcpy(s->upper, before, sizeof before);
            search(s, &swivel, leg, angles[0]);
        }
    }
    if (lower && lower->soft > 0) {
        ease(lower, s->f->axes[1], s->knee);
        if (!upper || !(upper->soft > 0)) {
            memcpy(before, s->upper, sizeof before);
            if (!aim_upper(s, upper ? &swivel : NULL)) memcpy(s->upper, before, sizeof before);
        }
    }
    if (upper && upper->soft > 0) ease(upper, s->f->axes[0], s->upper);
}

/* From the row of the tile, and back into it with the weight. */
static void take_row(const skl_limb_tile *tile, int i, const skl_m3 frame, careful *s) {
    const skl_two_bone_tile *t = &tile->t;
    const double upper[4] = {t->turn[0][i], t->turn[1][i], t->turn[2][i], t->turn[3][i]};
    const double lower[4] = {t->lower[0][i], t->lower[1][i], t->lower[2][i], t->lower[3][i]};
    skl_m3 whole, back, bend;
    skl_m3_from_quaternion(upper, s->upper);
    skl_m3_from_quaternion(lower, whole);
    skl_m3_transpose(s->upper, back);
    skl_m3_multiply(back, whole, bend);
    skl_m3_conjugate(frame, bend, s->knee);
    s->factor = t->factor[i];
}

static void give_row(skl_limb_tile *tile, int i, const skl_m3 frame, const careful *s) {
    skl_two_bone_tile *t = &tile->t;
    const double weight = s->limb->weight;
    double upper[4], knee[4], lower[4];
    skl_m3 turn, bend, back, seen, whole;
    skl_m3_to_quaternion(s->upper, upper);
    skl_m3_to_quaternion(s->knee, knee);
    if (weight < 1) {
        skl_partial_turn(upper, weight);
        skl_partial_turn(knee, weight);
    }
    skl_m3_from_quaternion(upper, turn);
    skl_m3_from_quaternion(knee, bend);
    skl_m3_transpose(frame, back);
    skl_m3_conjugate(back, bend, seen);
    skl_m3_multiply(turn, seen, whole);
    skl_m3_to_quaternion(whole, lower);
    for (int k = 0; k < 4; k++) {
        t->turn[k][i] = upper[k];
        t->lower[k][i] = lower[k];
    }
    t->factor[i] = 1 + (s->factor - 1) * weight;
}

static skl_ik_status status_of(const careful *s, double missed, double free_miss, double leg, skl_dtype dtype) {
    double largest = 0;
    for (int k = 0; k < 3; k++) largest = fmax(largest, fmax(fabs(s->limb->target[k]), fabs(s->limb->a[k])));
    if (skl_limb_reached(dtype, missed, leg, largest)) return SKL_REACHED;
    if (!(skl_length(s->path.u) > 0) || !(skl_length(s->path.shin) > 0)) return SKL_DEGENERATE;
    if (missed > free_miss + MISSED[skl_is_wide(dtype)] * leg) return SKL_LIMITED;
    const double away = skl_length(s->d), aimed = s->aimed * s->factor;
    if (fabs(missed - fabs(away - aimed)) > MISSED[skl_is_wide(dtype)] * leg) return SKL_NOT_CONVERGED;
    return away > aimed ? SKL_TOO_FAR : SKL_TOO_CLOSE;
}

/* 1 if the closed form is clearly all that there is to do: even scale, whole weight, joints well inside. */
static int stays_free(const skl_limb_tile *tile, int i, const skl_limb_frame *f, const skl_chain_limits *limits) {
    skl_m3 above, upper, lower, back, bend, knee;
    if (f->limb.weight < 1) return 0;
    skl_affine_linear(f->above_knee, above);
    const double scale = skl_m3_even_scale(above);
    if (!(scale > 0)) return 0;
    const skl_two_bone_tile *t = &tile->t;
    const double upper_q[4] = {t->turn[0][i], t->turn[1][i], t->turn[2][i], t->turn[3][i]};
    skl_m3_from_quaternion(upper_q, upper);
    if (limits->of[0] && !skl_limit_well_inside(limits->of[0], f->axes[0], upper, tile->dtype)) return 0;
    if (!limits->of[1]) return 1;
    const double lower_q[4] = {t->lower[0][i], t->lower[1][i], t->lower[2][i], t->lower[3][i]};
    skl_m3_from_quaternion(lower_q, lower);
    skl_m3_transpose(upper, back);
    skl_m3_multiply(back, lower, bend);
    for (int k = 0; k < 9; k++) above[k] /= scale;
    skl_m3_conjugate(above, bend, knee);
    return skl_limit_well_inside(limits->of[1], f->axes[1], knee, tile->dtype);
}

void skl_limb_correct(skl_limb_tile *tile, int i, skl_limb_frame *f, const skl_chain_limits *limits) {
    const skl_limb *limb = &f->limb;
    skl_m3 frame;
    double v[3];
    if (limits->any && stays_free(tile, i, f, limits)) return;
    careful s = {.limb = limb, .f = f, .limits = limits, .minimal = !tile->t.how.hinge};
    for (int k = 0; k < 3; k++) {
        s.path.u[k] = limb->b[k] - limb->a[k];
        v[k] = limb->c[k] - limb->b[k];
        s.d[k] = limb->target[k] - limb->a[k];
    }
    const double leg = skl_length(s.path.u) + skl_length(v);
    skl_affine_linear(f->above_knee, s.path.above);
    skl_m3_orthogonal(s.path.above, frame);
    take_row(tile, i, frame, &s);
    s.aimed = tile->t.distance[i] * tile->size[i] / s.factor;
    if (skl_m3_solve(s.path.above, v, s.path.shin)) {
        double p[3], e[3], off[3];
        end_of(&s, s.knee, p);
        rotate(s.upper, p, e);
        for (int k = 0; k < 3; k++) off[k] = e[k] - tile->t.end_at[k][i] * tile->size[i];
        if (skl_length(off) > MISSED[skl_is_wide(tile->dtype)] * leg) {
            correct(&s, leg);
            f->corrected = 1;
        }
        const double free_miss = miss(&s, s.upper, s.knee);
        if (breaks(limits->of[0], f->axes[0], s.upper, tile->dtype) ||
            breaks(limits->of[1], f->axes[1], s.knee, tile->dtype)) {
            solve_limited(&s, leg);
            f->corrected = 1;
        }
        if (f->corrected) f->why = status_of(&s, miss(&s, s.upper, s.knee), free_miss, leg, tile->dtype);
    }
    if (f->corrected || limb->weight < 1) give_row(tile, i, frame, &s);
}
