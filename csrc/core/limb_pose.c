/* SPDX-License-Identifier: MIT */
#include "limb_pose.h"

#include <math.h>
#include <string.h>

#include "affine.h"
#include "joint_limits.h"

static void load_matrix(const skl_limb_call *c, const char *pose, int64_t joint, double m[16]) {
    const char *at = pose + joint * c->job->out.step;
    if (c->job->dtype == SKL_FLOAT32)
        for (int i = 0; i < 12; i++) m[i] = (double)((const float *)(const void *)at)[i];
    else
        memcpy(m, at, 12 * sizeof *m);
    for (int i = 12; i < 16; i++) m[i] = i == 15 ? 1.0 : 0.0;
}

/* m = local[a] ... local[joint] @ m, where `a` is the last ancestor before `stop`. */
static void carry_up(const skl_limb_call *c, const char *pose, int64_t joint, int64_t stop, double m[16]) {
    double local[16], products[2][16], *from = m;
    int turn = 0;
    for (int64_t j = joint; j != stop; j = c->parents[j], turn = !turn) {
        load_matrix(c, pose, j, local);
        skl_affine_multiply(local, from, products[turn]);
        from = products[turn];
    }
    if (from != m) memcpy(m, from, sizeof products[0]);
}

static void identity(double m[16]) {
    for (int i = 0; i < 16; i++) m[i] = i % 5 == 0 ? 1.0 : 0.0;
}

static void linear_part(const double m[16], skl_m3 out) {
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) out[3 * i + k] = m[4 * i + k];
}

static void origin(const double m[16], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[4 * i + 3];
}

static void transform_point(const double m[16], const double p[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[4 * i] * p[0] + m[4 * i + 1] * p[1] + m[4 * i + 2] * p[2] + m[4 * i + 3];
}

static void transform_direction(const double m[16], const double v[3], double out[3]) {
    for (int i = 0; i < 3; i++) out[i] = m[4 * i] * v[0] + m[4 * i + 1] * v[1] + m[4 * i + 2] * v[2];
}

static double distance(const double p[3], const double q[3]) {
    const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return skl_length(d);
}

/* The chain's matrices and points in one frame. */
static void read_chain(const skl_limb_call *c, const int32_t *chain, const char *pose, skl_limb_frame *f) {
    const int32_t stop = c->parents[chain[0]];
    double knee[16], ankle[16], local[16];
    identity(f->parent);
    carry_up(c, pose, stop, -1, f->parent);
    identity(f->above_knee);
    carry_up(c, pose, c->parents[chain[1]], stop, f->above_knee);
    load_matrix(c, pose, chain[1], local);
    linear_part(local, f->axes[1]);
    skl_affine_multiply(f->above_knee, local, knee);
    double below[16];
    identity(below);
    carry_up(c, pose, c->parents[chain[2]], chain[1], below);
    skl_affine_multiply(knee, below, f->above_ankle);
    load_matrix(c, pose, chain[2], local);
    skl_affine_multiply(f->above_ankle, local, ankle);
    skl_affine_multiply(f->parent, ankle, f->ankle_global);

    load_matrix(c, pose, chain[0], local);
    linear_part(local, f->axes[0]);
    origin(local, f->limb.a);
    origin(knee, f->limb.b);
    origin(ankle, f->limb.c);
    double a[3], b[3], e[3];
    transform_point(f->parent, f->limb.a, a);
    transform_point(f->parent, f->limb.b, b);
    origin(f->ankle_global, e);
    f->leg = distance(a, b) + distance(b, e);
    f->largest = 0;
    for (int k = 0; k < 3; k++) {
        f->largest = skl_larger(f->largest, skl_larger(fabs(a[k]), skl_larger(fabs(b[k]), fabs(e[k]))));
        f->largest = skl_larger(f->largest, fabs(f->target[k]));
    }
}

/* 0 as long as the chain's points and axes are finite. */
static double not_finite(const skl_limb_frame *f) {
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        sum += f->parent[i] - f->parent[i];
        sum += (f->above_knee[i] - f->above_knee[i]) + (f->above_ankle[i] - f->above_ankle[i]);
    }
    for (int k = 0; k < 3; k++) sum += f->limb.c[k] - f->limb.c[k];
    return sum;
}

static double optional(const char *at, skl_dtype dtype, double otherwise) {
    return at ? skl_number(at, dtype, 0) : otherwise;
}

void skl_limb_read(const skl_limb_call *c, int64_t number, char *const *at, const char *pose, skl_limb_frame *f) {
    const skl_dtype dtype = c->job->dtype;
    const int32_t *chain = c->job->chains + 3 * number;
    double sum = skl_vector(at[TARGET], dtype, f->target), pole[3] = {0, 0, 0}, bend[3] = {0, 0, 0};
    if (at[POLE]) sum += skl_vector(at[POLE], dtype, pole);
    if (at[POLE_DIRECTION]) sum += skl_vector(at[POLE_DIRECTION], dtype, pole);
    if (at[BEND]) sum += skl_vector(at[BEND], dtype, bend);
    for (int k = 0; at[GOAL] && k < 4; k++) {
        f->goal[k] = skl_number(at[GOAL], dtype, k);
        sum += f->goal[k] - f->goal[k];
    }
    read_chain(c, chain, pose, f);
    sum += not_finite(f);
    double inverse[16];
    f->usable = sum >= 0 && sum <= 0;
    f->corrected = 0;
    f->why = SKL_BAD_INPUT;
    if (f->usable && !skl_affine_invert(f->parent, inverse)) {
        f->usable = 0;
        f->why = SKL_DEGENERATE;
    }
    if (!f->usable) return;
    skl_limb *limb = &f->limb;
    transform_point(inverse, f->target, limb->target);
    if (at[POLE]) {
        transform_point(inverse, pole, limb->pole);
        for (int k = 0; k < 3; k++) limb->pole[k] -= limb->a[k];
    } else {
        transform_direction(inverse, pole, limb->pole);
    }
    if (at[BEND]) {
        transform_direction(inverse, bend, limb->bend);
    } else {
        double upper[16];
        load_matrix(c, pose, chain[0], upper);
        transform_direction(upper, c->job->bends + 3 * number, limb->bend);
    }
    limb->soften = optional(at[SOFTEN], dtype, 0);
    limb->stretch = optional(at[STRETCH], dtype, 1);
    limb->stretch_start = optional(at[START], dtype, 1);
    limb->twist = optional(at[TWIST], dtype, 0);
    limb->weight = optional(at[WEIGHT], dtype, 1);
}

/* local[joint] = [turn @ axes | translation + shift]. */
static void turn_joint(const skl_limb_call *c, char *pose, int64_t joint, const skl_m3 turn, const double shift[3]) {
    double local[16];
    skl_m3 axes, turned;
    load_matrix(c, pose, joint, local);
    linear_part(local, axes);
    skl_m3_multiply(turn, axes, turned);
    char *at = pose + joint * c->job->out.step;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) skl_put(at, c->job->dtype, 4 * i + k, turned[3 * i + k]);
        if (shift) skl_put(at, c->job->dtype, 4 * i + 3, local[4 * i + 3] + shift[i]);
    }
}

/* The turn, in the model, that takes the end joint's axes to the goal. */
static void turn_to_goal(const skl_limb_frame *f, double weight, skl_m3 out) {
    skl_m3 axes, now, back, goal, turn;
    linear_part(f->ankle_global, axes);
    skl_m3_orthogonal(axes, now);
    if (skl_m3_determinant(now) < 0)
        for (int i = 0; i < 9; i++) now[i] = -now[i];
    double q[4], size = 0;
    for (int k = 0; k < 4; k++) size = skl_larger(size, fabs(f->goal[k]));
    double square = 0;
    for (int k = 0; k < 4; k++) square += f->goal[k] / size * (f->goal[k] / size);
    for (int k = 0; k < 4; k++) q[k] = f->goal[k] / size / sqrt(square);
    skl_m3_from_quaternion(q, goal);
    skl_m3_transpose(now, back);
    skl_m3_multiply(goal, back, turn);
    skl_m3_to_quaternion(turn, q);
    if (weight < 1) skl_partial_turn(q, weight);
    skl_m3_from_quaternion(q, out);
}

/* The end joint's own turn, in the frame of its parent; `whole` is the total rotation of the lower bone. */
static void turn_of_end(const skl_limb_call *c, const skl_limb_frame *f, const skl_m3 whole, skl_m3 out) {
    skl_m3 axes, frame, back, undone;
    linear_part(f->above_ankle, axes);
    skl_m3_orthogonal(axes, frame);
    skl_m3_transpose(whole, back);
    skl_m3_conjugate(frame, back, undone);
    if (c->job->end_rotation != SKL_END_GOAL) {
        memcpy(out, undone, sizeof undone);
        return;
    }
    skl_m3 parent, turned, above, wanted, seen;
    linear_part(f->parent, parent);
    skl_m3_multiply(whole, axes, turned);
    skl_m3_multiply(parent, turned, above);
    skl_m3_orthogonal(above, frame);
    turn_to_goal(f, f->limb.weight, wanted);
    skl_m3_conjugate(frame, wanted, seen);
    skl_m3_multiply(seen, undone, out);
}

void skl_limb_write(const skl_limb_call *c, int64_t number, const skl_limb_tile *tile, int i, const skl_limb_frame *f,
                    char *pose) {
    const int32_t *chain = c->job->chains + 3 * number;
    const skl_two_bone_tile *t = &tile->t;
    const double upper_q[4] = {t->turn[0][i], t->turn[1][i], t->turn[2][i], t->turn[3][i]};
    const double knee_q[4] = {t->lower[0][i], t->lower[1][i], t->lower[2][i], t->lower[3][i]};
    skl_m3 upper, whole, back, bend, axes, frame, knee, end;
    skl_m3_from_quaternion(upper_q, upper);
    skl_m3_from_quaternion(knee_q, whole);
    skl_m3_transpose(upper, back);
    skl_m3_multiply(back, whole, bend); /* the knee's turn as it was before the upper bone turned */
    linear_part(f->above_knee, axes);
    skl_m3_orthogonal(axes, frame);
    skl_m3_conjugate(frame, bend, knee);

    const double growth = t->factor[i] - 1;
    const int grows = growth > 0;
    double thigh[3], shin[3];
    if (grows) {
        double bone[3];
        for (int k = 0; k < 3; k++) bone[k] = growth * (f->limb.b[k] - f->limb.a[k]);
        (void)skl_m3_solve(axes, bone, thigh);
        linear_part(f->above_ankle, axes);
        for (int k = 0; k < 3; k++) bone[k] = growth * (f->limb.c[k] - f->limb.b[k]);
        (void)skl_m3_solve(axes, bone, shin);
    }
    turn_joint(c, pose, chain[0], upper, NULL);
    turn_joint(c, pose, chain[1], knee, grows ? thigh : NULL);
    if (c->job->end_rotation == SKL_KEEP_LOCAL) {
        static const skl_m3 none = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        if (grows) turn_joint(c, pose, chain[2], none, shin);
        return;
    }
    turn_of_end(c, f, whole, end);
    turn_joint(c, pose, chain[2], end, grows ? shin : NULL);
}

void skl_limb_limit_end(const skl_limb_call *c, int64_t number, const skl_joint_limit *limit, double weight,
                        char *pose) {
    const int64_t joint = c->job->chains[3 * number + 2];
    double local[16], q[4];
    skl_m3 axes, turn;
    load_matrix(c, pose, joint, local);
    linear_part(local, axes);
    if (!(skl_limit_turn(limit, axes, 1, c->job->dtype, turn) > 0)) return;
    if (weight < 1) {
        skl_m3_to_quaternion(turn, q);
        skl_partial_turn(q, weight);
        skl_m3_from_quaternion(q, turn);
    }
    turn_joint(c, pose, joint, turn, NULL);
}

/* What a solve that ended with `status` is called, after measuring whether the pose reaches. */
static skl_ik_status measured_status(skl_ik_status status, int reached) {
    if (reached) return SKL_REACHED;
    return status == SKL_REACHED ? SKL_NOT_CONVERGED : status;
}

/* Distance of the end joint, as the pose has it now, from the target. */
static double end_error(const skl_limb_call *c, int64_t number, const char *pose, const skl_limb_frame *f) {
    const int32_t *chain = c->job->chains + 3 * number, stop = c->parents[chain[0]];
    double local[16], end[3] = {0, 0, 0}, above[3];
    for (int64_t j = chain[2]; j != stop; j = c->parents[j]) {
        load_matrix(c, pose, j, local);
        transform_point(local, end, above);
        memcpy(end, above, sizeof end);
    }
    transform_point(f->parent, end, above); /* a limb's own turns leave its parent where it is */
    return distance(above, f->target);
}

void skl_limb_report(const skl_limb_call *c, int64_t number, const skl_limb_tile *tile, int i, const skl_limb_frame *f,
                     const char *pose, char *const *at) {
    const skl_dtype dtype = c->job->dtype;
    skl_ik_status status = f->why;
    double error = (double)NAN;
    if (f->usable && !f->corrected) status = skl_limb_status(tile, i, skl_limb_whole_miss(tile, i), NULL, 0);
    if (status != SKL_BAD_INPUT) {
        error = end_error(c, number, pose, f);
        if (f->usable && !(f->limb.weight < 1))
            status = measured_status(status, skl_limb_reached(dtype, error, f->leg, f->largest));
    }
    *(unsigned char *)at[OUT_STATUS] = (unsigned char)status;
    skl_put(at[OUT_ERROR], dtype, 0, error);
}

void skl_limb_report_again(const skl_limb_call *c, int64_t number, const char *pose, char *const *at) {
    const skl_dtype dtype = c->job->dtype;
    unsigned char *status = (unsigned char *)at[OUT_STATUS];
    if (*status == SKL_BAD_INPUT) return;
    skl_limb_frame f;
    (void)skl_vector(at[TARGET], dtype, f.target);
    read_chain(c, c->job->chains + 3 * number, pose, &f);
    const double error = end_error(c, number, pose, &f);
    if (!(optional(at[WEIGHT], dtype, 1) < 1))
        *status =
            (unsigned char)measured_status((skl_ik_status)*status, skl_limb_reached(dtype, error, f.leg, f.largest));
    skl_put(at[OUT_ERROR], dtype, 0, error);
}
