/* SPDX-License-Identifier: MIT */
#include "joint_limits.h"

#include <math.h>
#include <string.h>
#include "core/transforms/vector3.h"

/* Angles that are nothing but rounding in float32, float64. */
static const double ROUNDING[2] = {1e-6, 4e-15};

/* Points of the swing's boundary that are looked at before the best one is refined, in each quarter; steps to refine.
 */
enum { QUARTER = 8, BOUNDARY = 4 * QUARTER, REFINEMENTS = 60 };

static double dot4(const double p[4], const double q[4]) {
    return p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
}

/* Angle between two rotations, right also where it is tiny. */
static double angle_between(const double p[4], const double q[4]) {
    const double sign = dot4(p, q) < 0 ? -1 : 1;
    double square = 0, other = 0;
    for (int k = 0; k < 4; k++) {
        square += (p[k] - sign * q[k]) * (p[k] - sign * q[k]);
        other += (p[k] + sign * q[k]) * (p[k] + sign * q[k]);
    }
    return 4 * atan2(sqrt(square), sqrt(other));
}

/* The half of the twist nearest to `half` whose twist is allowed; half turns of it are the same rotation. */
static double nearest_half_twist(const skl_joint_limit *limit, double half) {
    const double middle = 0.25 * (limit->twist[0] + limit->twist[1]), most = 0.25 * (limit->twist[1] - limit->twist[0]);
    const double off = remainder(half - middle, SKL_PI);
    if (fabs(off) <= most) return half;
    return middle + (off > 0 ? most : -most);
}

/* q = swing * twist, with the swing as a rotation vector across the axis. */
static void take_apart(const double q[4], double swing[2], double *half_twist) {
    const double across = sqrt(q[1] * q[1] + q[2] * q[2]), along = sqrt(q[0] * q[0] + q[3] * q[3]);
    const double half = along > 0 ? atan2(q[3], q[0]) : 0;
    const double angle = 2 * atan2(across, along), c = cos(half), s = sin(half);
    const double per = across > 1e-30 ? angle / across : 2;
    swing[0] = per * (c * q[1] - s * q[2]);
    swing[1] = per * (s * q[1] + c * q[2]);
    *half_twist = half;
}

/* The unit quaternion of a swing: its last part is 0 and left out. */
static void swing_quaternion(const double swing[2], double out[3]) {
    const double angle = sqrt(swing[0] * swing[0] + swing[1] * swing[1]);
    const double per = angle > 1e-30 ? sin(0.5 * angle) / angle : 0.5;
    out[0] = cos(0.5 * angle);
    out[1] = per * swing[0];
    out[2] = per * swing[1];
}

void skl_limit_compose(const double swing[2], double half_twist, double out[4]) {
    double s[3];
    swing_quaternion(swing, s);
    const double c = cos(half_twist), t = sin(half_twist);
    out[0] = s[0] * c;
    out[1] = s[1] * c + s[2] * t;
    out[2] = s[2] * c - s[1] * t;
    out[3] = s[0] * t;
}

/* How far out the swing is: 1 on the boundary. */
static double swing_part(const skl_joint_limit *limit, const double swing[2]) {
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        const double part = limit->swing[k] > 0 ? swing[k] / limit->swing[k] : fabs(swing[k]) > 1e-15 ? 1e150 : 0;
        sum += part * part;
    }
    return sqrt(sum);
}

/* How near q comes with a swing and the best twist that is allowed: <q, swing * twist>, without the sign. `ends` is the
 * cosine and sine of the middle of half the twist, and of half its range. */
static double near_with(const double swing[2], const double q[4], const double ends[4]) {
    double p[3];
    swing_quaternion(swing, p);
    const double a = q[0] * p[0] + q[1] * p[1] + q[2] * p[2], b = q[3] * p[0] + q[1] * p[2] - q[2] * p[1];
    const double x = fabs(a * ends[0] + b * ends[1]), y = fabs(b * ends[0] - a * ends[1]);
    return y * ends[2] <= x * ends[3] ? sqrt(a * a + b * b) : x * ends[2] + y * ends[3];
}

/* The best half of a twist with the swing at this place of the boundary. The slope along the boundary of how near that
 * comes goes into `slope`: the best twist need not be varied for it. */
static void at_boundary(const skl_joint_limit *limit, const double q[4], double place, double *half, double *slope) {
    const double c = cos(place), s = sin(place);
    const double swing[2] = {limit->swing[0] * c, limit->swing[1] * s};
    const double change[2] = {-limit->swing[0] * s, limit->swing[1] * c};
    double p[3];
    swing_quaternion(swing, p);
    /* <q, swing * twist> = A cos + B sin of half the twist */
    const double a = q[0] * p[0] + q[1] * p[1] + q[2] * p[2], b = q[3] * p[0] + q[1] * p[2] - q[2] * p[1];
    *half = nearest_half_twist(limit, atan2(b, a));
    const double ct = cos(*half), st = sin(*half), near = a * ct + b * st;
    const double angle = sqrt(swing[0] * swing[0] + swing[1] * swing[1]);
    double grow = 0, per = 0.5, per_change = 0; /* of the angle; of sin(angle / 2) / angle */
    if (angle > 1e-8) {
        grow = (swing[0] * change[0] + swing[1] * change[1]) / angle;
        per = sin(0.5 * angle) / angle;
        per_change = (0.5 * cos(0.5 * angle) - per) / angle * grow;
    }
    const double d[3] = {-0.5 * sin(0.5 * angle) * grow, per_change * swing[0] + per * change[0],
                         per_change * swing[1] + per * change[1]};
    const double da = q[0] * d[0] + q[1] * d[1] + q[2] * d[2], db = q[3] * d[0] + q[1] * d[2] - q[2] * d[1];
    *slope = (near < 0 ? -1 : 1) * (da * ct + db * st);
}

/* Keep out of two candidates the one nearer to q; `best` is the square of its chord, which is finer than a cosine. */
static void keep_nearer(const double candidate[4], const double q[4], double *best, double out[4]) {
    const double sign = dot4(candidate, q) < 0 ? -1 : 1;
    double square = 0;
    for (int k = 0; k < 4; k++) square += (candidate[k] - sign * q[k]) * (candidate[k] - sign * q[k]);
    if (square >= *best) return;
    *best = square;
    memcpy(out, candidate, 4 * sizeof *out);
}

/* The best between two places of the boundary: where the slope is 0, by secants through the last two places, and in the
 * middle where those lead out or do not halve the range in three steps. */
static void refine_boundary(const skl_joint_limit *limit, const double q[4], double low, double high, double *best,
                            double out[4]) {
    double half, slope, before = low, slope_before, place = 0.5 * (low + high), halved = high - low;
    at_boundary(limit, q, before, &half, &slope_before);
    for (int i = 0, slow = 0; i < REFINEMENTS; i++) {
        at_boundary(limit, q, place, &half, &slope);
        if (slope > 0)
            low = place;
        else
            high = place;
        if (fabs(slope) < 1e-17 || !(high - low > 1e-16 * (1 + fabs(low)))) break;
        slow = high - low > 0.5 * halved ? slow + 1 : 0;
        if (slow == 0) halved = high - low;
        const double next = place - slope * (place - before) / (slope - slope_before);
        before = place;
        slope_before = slope;
        place = slow < 3 && next > low && next < high ? next : 0.5 * (low + high);
        if (slow >= 3) halved = high - low, slow = 0;
        if (fabs(place - before) <= 1e-16 * (1 + fabs(low))) break;
    }
    const double swing[2] = {limit->swing[0] * cos(place), limit->swing[1] * sin(place)};
    double candidate[4];
    skl_limit_compose(swing, half, candidate);
    keep_nearer(candidate, q, best, out);
}

/* The best of the boundary: a scan, then each place that is better than its neighbours and may be the best. */
static void search_boundary(const skl_joint_limit *limit, const double q[4], double *best, double out[4]) {
    static const double sines[QUARTER + 1] = {0,
                                              0.19509032201612825,
                                              0.38268343236508977,
                                              0.55557023301960218,
                                              0.70710678118654752,
                                              0.83146961230254524,
                                              0.92387953251128674,
                                              0.98078528040323044,
                                              1};
    const double step = 2 * SKL_PI / BOUNDARY, middle = 0.25 * (limit->twist[0] + limit->twist[1]);
    const double range = fmin(0.25 * (limit->twist[1] - limit->twist[0]), 0.5 * SKL_PI);
    const double ends[4] = {cos(middle), sin(middle), cos(range), sin(range)};
    double near[BOUNDARY], most = 1 - 0.5 * *best;
    for (int i = 0; i < BOUNDARY; i++) {
        const int quarter = i / QUARTER, at = i % QUARTER;
        const double x = sines[QUARTER - at], y = sines[at], turned[2] = {quarter % 2 ? -y : x, quarter % 2 ? x : y};
        const double sign = quarter / 2 ? -1 : 1;
        const double swing[2] = {sign * limit->swing[0] * turned[0], sign * limit->swing[1] * turned[1]};
        near[i] = near_with(swing, q, ends);
        most = near[i] > most ? near[i] : most;
    }
    for (int i = 0; i < BOUNDARY; i++) {
        const double before = near[(i + BOUNDARY - 1) % BOUNDARY], after = near[(i + 1) % BOUNDARY];
        if (near[i] >= before && near[i] >= after && near[i] > most - 0.5 * step * step)
            refine_boundary(limit, q, (i - 1) * step, (i + 1) * step, best, out);
    }
}

/* The best swing to a twist that stays at one end of its range, where that swing is allowed. */
static void try_end(const skl_joint_limit *limit, const double q[4], double half, double *best, double out[4]) {
    const double c = cos(half), s = sin(half);
    const double p[4] = {q[0] * c + q[3] * s, q[1] * c - q[2] * s, q[2] * c + q[1] * s, 0};
    double swing[2], none, candidate[4];
    if (!(fabs(p[0]) + fabs(p[1]) + fabs(p[2]) > 1e-12)) return;
    const double size = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), sign = p[0] < 0 ? -1 / size : 1 / size;
    const double unit[4] = {sign * p[0], sign * p[1], sign * p[2], 0};
    take_apart(unit, swing, &none);
    if (swing_part(limit, swing) > 1) return;
    skl_limit_compose(swing, half, candidate);
    keep_nearer(candidate, q, best, out);
}

double skl_limit_nearest(const skl_joint_limit *limit, const double q[4], double out[4]) {
    static const double straight[2] = {0, 0};
    double swing[2], half, best = 4;
    take_apart(q, swing, &half);
    const double allowed = nearest_half_twist(limit, half), part = swing_part(limit, swing);
    const int twist_inside = allowed >= half && allowed <= half;
    memcpy(out, q, 4 * sizeof *out);
    if (twist_inside && part <= 1) return 0;
    const double x = limit->swing[0], y = limit->swing[1];
    if (!(x > 0) && !(y > 0)) {
        skl_limit_compose(straight, allowed, out);
    } else if (twist_inside && x >= y && x <= y) {
        const double shorter[2] = {swing[0] / part, swing[1] / part};
        skl_limit_compose(shorter, half, out);
    } else {
        try_end(limit, q, 0.5 * limit->twist[0], &best, out);
        try_end(limit, q, 0.5 * limit->twist[1], &best, out);
        search_boundary(limit, q, &best, out);
    }
    return angle_between(q, out);
}

double skl_ease(double x, double bound, double soft) {
    const double zone = soft * bound, into = x - (bound - zone);
    if (!(into > 0)) return x;
    return into < 2 * zone ? x - 0.25 * into * into / zone : bound;
}

double skl_limit_eased(const skl_joint_limit *limit, const double q[4], double out[4]) {
    if (!(limit->soft > 0)) return skl_limit_nearest(limit, q, out);
    double swing[2], half;
    take_apart(q, swing, &half);
    const double middle = 0.25 * (limit->twist[0] + limit->twist[1]), most = 0.25 * (limit->twist[1] - limit->twist[0]);
    if (most < 0.5 * SKL_PI) {
        const double off = remainder(half - middle, SKL_PI);
        half = middle + copysign(skl_ease(fabs(off), most, limit->soft), off);
    }
    for (int k = 0; k < 2; k++)
        if (!(limit->swing[k] > 0)) swing[k] = 0;
    const double part = swing_part(limit, swing);
    if (part > 0)
        for (int k = 0; k < 2; k++) swing[k] *= skl_ease(part, 1, limit->soft) / part;
    skl_limit_compose(swing, half, out);
    return angle_between(q, out);
}

void skl_limit_clamp(const skl_joint_limit *limit, const double q[4], double swing[2], double *twist) {
    double half;
    take_apart(q, swing, &half);
    const double middle = 0.25 * (limit->twist[0] + limit->twist[1]), most = 0.25 * (limit->twist[1] - limit->twist[0]);
    *twist = 2 * (middle + fmin(fmax(remainder(half - middle, SKL_PI), -most), most));
    for (int k = 0; k < 2; k++)
        if (!(limit->swing[k] > 0)) swing[k] = 0;
    const double part = swing_part(limit, swing);
    for (int k = 0; part > 1 && k < 2; k++) swing[k] /= part;
}

void skl_limit_widen(skl_joint_limit *limit) {
    const double by = 0.5 * limit->soft * (limit->twist[1] - limit->twist[0]);
    limit->twist[0] -= by;
    limit->twist[1] += by;
    for (int k = 0; k < 2; k++) limit->swing[k] = fmin(limit->swing[k] * (1 + limit->soft), SKL_PI);
    limit->soft = 0;
}

void skl_limit_rotation(const skl_joint_limit *limit, const skl_m3 axes, skl_m3 proper, double q[4]) {
    skl_m3 back, seen, inside;
    skl_m3_orthogonal(axes, proper);
    if (skl_m3_determinant(proper) < 0)
        for (int i = 0; i < 9; i++) proper[i] = -proper[i];
    skl_m3_transpose(limit->rest, back);
    skl_m3_multiply(back, proper, seen);
    skl_m3_multiply(seen, limit->frame, inside);
    skl_m3_to_quaternion(inside, q);
}

/* By what is not soft: -1 where q is inside of that, 1 where it is clearly outside of all, 0 where this does not show
 * it.
 */
static int clear_side(const skl_joint_limit *limit, const double q[4], double rounding) {
    const double middle = 0.25 * (limit->twist[0] + limit->twist[1]), most = 0.25 * (limit->twist[1] - limit->twist[0]);
    const double hard = 1 - limit->soft, across = q[1] * q[1] + q[2] * q[2], clear = 1e-4;
    double off = most < 0.5 * SKL_PI ? fabs(atan2(q[3], q[0]) - middle) : 0;
    if (off > 0.5 * SKL_PI) off = fabs(remainder(off, SKL_PI));
    if (off > most + clear && across < 0.9) return 1;
    /* Half of the swing's sine, against less than that of the bound and more. */
    const double x = limit->swing[0], y = limit->swing[1], least = 0.5 * hard * fmin(x, y), largest = 0.5 * fmax(x, y);
    const double under = least - least * least * least / 6, over = largest + clear;
    if (across > over * over) return 1;
    const double room = least > 0 ? under * under - 1e-12 : 0.0625 * rounding * rounding;
    return off <= hard * most - 1e-12 && across <= room ? -1 : 0;
}

int skl_limit_well_inside(const skl_joint_limit *limit, const skl_m3 axes, const skl_m3 turn, skl_dtype dtype) {
    const double well = 1e-5, scale = skl_m3_even_scale(axes), hard = 1 - limit->soft;
    const double middle = 0.5 * (limit->twist[0] + limit->twist[1]), most = 0.5 * (limit->twist[1] - limit->twist[0]);
    if (!(scale > 0)) return 0;
    skl_m3 now, seen, back, inside;
    skl_m3_multiply(turn, axes, now);
    skl_m3_multiply(now, limit->frame, seen);
    skl_m3_transpose(limit->rest, back);
    skl_m3_multiply(back, seen, inside);
    const double by = (skl_m3_determinant(axes) < 0 ? -1 : 1) / scale;
    /* Of swing * twist: the square of the sine of half the swing, and the twist. */
    const double across = 0.5 * (1 - by * inside[8]);
    const double twist = atan2(by * (inside[3] - inside[1]), by * (inside[0] + inside[4]));
    if (most < SKL_PI && !(fabs(remainder(twist - middle, 2 * SKL_PI)) < hard * most - well)) return 0;
    const double least = 0.5 * hard * fmin(limit->swing[0], limit->swing[1]);
    if (!(least > 0)) /* a hinge: no swing at all */
        return fmax(limit->swing[0], limit->swing[1]) <= 0 && inside[8] * by > 0 &&
               fabs(by) * (fabs(inside[2]) + fabs(inside[5])) < 0.5 * ROUNDING[skl_is_wide(dtype)];
    const double under = least - least * least * least / 6;
    if (across < under * under - well) return 1;
    /* The axis goes to (a, b, c); the swing turns about (-b, a), by the angle between both. */
    const double a = by * inside[2], b = by * inside[5], sine = sqrt(a * a + b * b);
    const double x = b / limit->swing[0], y = a / limit->swing[1];
    return sine > 1e-6 && atan2(sine, by * inside[8]) * sqrt(x * x + y * y) < (hard - well) * sine;
}

int skl_limit_breaks(const skl_joint_limit *limit, const skl_m3 axes, skl_dtype dtype) {
    skl_m3 proper, turn;
    double q[4];
    skl_limit_rotation(limit, axes, proper, q);
    const int side = clear_side(limit, q, ROUNDING[skl_is_wide(dtype)]);
    return side ? side > 0 : skl_limit_turn(limit, axes, 1, dtype, turn) > 0;
}

double skl_limit_turn(const skl_joint_limit *limit, const skl_m3 axes, int soft, skl_dtype dtype, skl_m3 turn) {
    static const skl_m3 none = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    skl_m3 proper, inside, back, left, now;
    double q[4], allowed[4];
    skl_limit_rotation(limit, axes, proper, q);
    const double angle = (soft ? skl_limit_eased : skl_limit_nearest)(limit, q, allowed);
    memcpy(turn, none, sizeof none);
    if (!(angle > ROUNDING[skl_is_wide(dtype)])) return 0;
    /* rest @ allowed @ frame^T is the new rotation; the turn takes the old one there. */
    skl_m3_from_quaternion(allowed, inside);
    skl_m3_multiply(limit->rest, inside, left);
    skl_m3_transpose(limit->frame, back);
    skl_m3_multiply(left, back, now);
    skl_m3_transpose(proper, back);
    skl_m3_multiply(now, back, turn);
    return angle;
}
