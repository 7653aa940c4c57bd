/* SPDX-License-Identifier: MIT */
/* Legs, as the rest pose says. */
#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "core/base/validate.h"
#include "core/transforms/matrix3.h"
#include "core/transforms/vector3.h"
#include "motion_constants.h"
#include "read_legs.h"
#include "skelkin/ik.h"
#include "skelkin/planting.h"
#include "core/transforms/affine.h"

/* Thickness of the sole, the height of the ball (of the ankle, where there is none) in leg lengths; NaN where the rest
 * pose does not stand on the origin's plane: hips at the origin, legs along an axis, `up`, which is set from 0 0 0. */
static double rest_sole(const double hip[3], const double knee[3], const double ankle[3], const double *ball,
                        double up[3]) {
    double upper[3], lower[3], body[3];
    skl_v3_minus(knee, hip, upper);
    skl_v3_minus(ankle, knee, lower);
    skl_v3_minus(hip, ankle, body);
    const double length = skl_v3_length(upper) + skl_v3_length(lower);
    if (!(length > 0)) return NAN;
    int k = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(body[i]) > fabs(body[k])) k = i;
    up[k] = body[k] < 0 ? -1.0 : 1.0;
    const double over_hip = hip[k] * up[k] / length, over_ankle = ankle[k] * up[k] / length;
    if (fabs(body[k]) < UPRIGHT * skl_v3_length(body) || !(HIP_LOW < over_hip && over_hip < HIP_HIGH)) return NAN;
    if (!ball) return ANKLE_LOW < over_ankle && over_ankle < ANKLE_HIGH ? over_ankle : NAN;
    const double over_ball = ball[k] * up[k] / length;
    const int stands = 0.0 <= over_ball && over_ball < BALL_HIGH && over_ball <= over_ankle + BALL_OVER_ANKLE &&
                       over_ankle < ANKLE_HIGH;
    return stands ? over_ball : NAN;
}

/* The furthest child of a toe joint, in its frame. */
static int tip_of(const skl_skeleton *skeleton, int32_t toe, const double *end_site, double out[3]) {
    double most = 0.0;
    for (int64_t j = toe + 1; j < skeleton->num_joints; j++) {
        double offset[3];
        if (skeleton->parents[j] != toe) continue;
        for (int i = 0; i < 3; i++) offset[i] = skeleton->rest_local[16 * j + 4 * i + 3];
        if (skl_v3_length(offset) <= most) continue;
        most = skl_v3_length(offset);
        memcpy(out, offset, sizeof offset);
    }
    if (end_site && skl_v3_length(end_site) > most) {
        most = skl_v3_length(end_site);
        memcpy(out, end_site, 3 * sizeof *out);
    }
    return most > 0.0;
}

static int hangs_from(const skl_skeleton *skeleton, int32_t joint, int32_t above) {
    for (joint = skeleton->parents[joint]; joint >= 0; joint = skeleton->parents[joint])
        if (joint == above) return 1;
    return 0;
}

skl_code skl_check_leg_joints(const skl_skeleton *skeleton, const int32_t chain[3], int32_t toe, int32_t heel,
                              skl_status *status) {
    const int32_t all[5] = {chain[0], chain[1], chain[2], toe, heel};
    for (int i = 0; i < 5; i++)
        if (all[i] >= skeleton->num_joints || all[i] < (i < 3 ? 0 : -1))
            return skl_fail_at(status, "chain", i, all[i], "a leg's joints must be those of the skeleton");
    for (int i = 1; i < 3; i++)
        if (!hangs_from(skeleton, chain[i], chain[i - 1]))
            return skl_fail_at(status, "chain", i, chain[i], "it must be below the one before it");
    if (toe >= 0 && toe != chain[2] && !hangs_from(skeleton, toe, chain[2]))
        return skl_fail_at(status, "toe", 0, toe, "it must be the foot joint or below it");
    return SKL_OK;
}

/* A vector in the frame of the foot at rest. */
static skl_code seen_by_foot(const skl_m3 foot, int32_t joint, const double v[3], double out[3], skl_status *status) {
    if (skl_m3_is_singular(foot)) return skl_fail_at(status, "rest_global", joint, 0, "no scale may be 0");
    skl_m3_solve(foot, v, out);
    return SKL_OK;
}

skl_code skl_plant_leg_init(skl_plant_leg *leg, const skl_skeleton *skeleton, const int32_t chain[3], int32_t toe,
                            int32_t heel, const double *end_site, skl_status *status) {
    double hip[3], knee[3], ankle[3], ball[3], mark[3], up[3] = {0};
    skl_m3 foot;
    const skl_pointer pointers[] = {{leg, "leg"}, {chain, "chain"}};
    skl_code code = skl_check_skeleton(skeleton, status);
    if (code == SKL_OK) code = SKL_CHECK_POINTERS(pointers, status);
    if (code == SKL_OK) code = skl_check_leg_joints(skeleton, chain, toe, heel, status);
    if (code != SKL_OK) return code;
    *leg = (skl_plant_leg){.chain = {chain[0], chain[1], chain[2]}, .toe = toe, .clearance = NAN};
    skl_affine_place(skeleton->rest_global + 16 * chain[0], hip);
    skl_affine_place(skeleton->rest_global + 16 * chain[1], knee);
    skl_affine_place(skeleton->rest_global + 16 * chain[2], ankle);
    skl_affine_linear(skeleton->rest_global + 16 * chain[2], foot);
    if (toe >= 0) {
        skl_affine_place(skeleton->rest_global + 16 * toe, ball);
        leg->has_tip = tip_of(skeleton, toe, end_site, leg->tip);
    } else if (end_site) {
        leg->has_end_site = 1;
        memcpy(leg->end_site, end_site, sizeof leg->end_site);
        skl_m3_transform(foot, end_site, ball);
        for (int i = 0; i < 3; i++) ball[i] += ankle[i];
    }
    leg->clearance = rest_sole(hip, knee, ankle, toe >= 0 || end_site ? ball : NULL, up);
    if (!isnan(leg->clearance)) {
        leg->has_rest_up = 1;
        code = seen_by_foot(foot, chain[2], up, leg->rest_up, status);
    }
    if (code == SKL_OK && heel >= 0) {
        skl_affine_place(skeleton->rest_global + 16 * heel, mark);
        for (int i = 0; i < 3; i++) mark[i] -= ankle[i];
        leg->has_marker = 1;
        code = seen_by_foot(foot, chain[2], mark, leg->marker, status);
    }
    skl_rest_bend(skeleton, chain, toe >= 0 ? NULL : end_site, leg->bend);
    return code;
}
