/* SPDX-License-Identifier: MIT */
#include "limb_search.h"

#include <math.h>
#include <string.h>
#include "core/transforms/vector3.h"

/* A coarse net: places of the swing (on the rim, half way, in the middle), bends; the best twist is a formula. */
enum { RIM = 12, RING = 4, SWINGS = RIM + RING + 1, BENDS = 7, STARTS = 2 };

/* A node of the net. */
typedef struct net_node {
    double swing[2];
    double value;  /* half the squared distance */
    double re, im; /* of the goal over the end, across the axis: their angle is the twist to choose */
    int bend;
} net_node;

/* Hip to end at the bends of the net; `across` is the distance from the axis. */
typedef struct net_bends {
    double end[BENDS][3], across[BENDS];
} net_bends;

/* Cosine and sine of the twist's middle, and of half its range. */
typedef struct net_twist {
    double cm, sm, cw, sw;
} net_twist;

static double bend_of(const skl_limb_search *s, int i) {
    return s->path->low + (s->path->high - s->path->low) * i / (BENDS - 1);
}

static void look_at_node(const skl_limb_search *s, const net_bends *bends, const net_twist *twist, net_node *node) {
    double y[3];
    const double a = node->swing[0], b = node->swing[1], *d = s->goal, square = a * a + b * b;
    const double x = sqrt(square), co = cos(x), si = x > 1e-9 ? sin(x) / x : 1, ve = x > 1e-9 ? (1 - co) / square : 0.5;
    const double along = ve * (a * d[0] + b * d[1]);
    y[0] = co * d[0] - si * b * d[2] + along * a;
    y[1] = co * d[1] + si * a * d[2] + along * b;
    y[2] = co * d[2] - si * (a * d[1] - b * d[0]);
    const double across = sqrt(y[0] * y[0] + y[1] * y[1]);
    /* Seen from the twist's middle. */
    const double u = y[0] * twist->cm + y[1] * twist->sm, v = y[1] * twist->cm - y[0] * twist->sm;
    node->value = INFINITY;
    for (int i = 0; i < BENDS; i++) {
        const double *e = bends->end[i], re = u * e[0] + v * e[1], im = v * e[0] - u * e[1];
        const double size = across * bends->across[i];
        const double best = re >= size * twist->cw ? size : re * twist->cw + fabs(im) * twist->sw;
        const double high = e[2] - y[2];
        const double value = 0.5 * (high * high + across * across + bends->across[i] * bends->across[i]) - best;
        if (value < node->value) node->value = value, node->bend = i, node->re = re, node->im = im;
    }
}

/* The nodes to start from: places of the rim that are better than their neighbours, and the best inside. */
static int choose(const net_node nodes[SWINGS], int chosen[STARTS]) {
    int count = 0;
    for (int i = 0; i < SWINGS; i++) {
        if (i < RIM &&
            (nodes[i].value > nodes[(i + 1) % RIM].value || nodes[i].value > nodes[(i + RIM - 1) % RIM].value))
            continue;
        int at = count < STARTS ? count++ : STARTS;
        while (at > 0 && nodes[i].value < nodes[chosen[at - 1]].value) {
            if (at < STARTS) chosen[at] = chosen[at - 1];
            at--;
        }
        if (at < STARTS) chosen[at] = i;
    }
    return count;
}

static void place_of_knee(const skl_limb_search *s, const skl_limb_numbers *pose, double at[3]) {
    skl_turned_back t;
    const double c = cos(pose->twist), si = sin(pose->twist), back[2] = {-pose->swing[0], -pose->swing[1]};
    double w[3];
    skl_m3_transform(s->back, s->path->u, w);
    const double q[3] = {c * w[0] - si * w[1], si * w[0] + c * w[1], w[2]};
    skl_turn_back(back, q, &t);
    memcpy(at, t.y, sizeof t.y);
}

static double apart(const double p[3], const double q[3]) {
    const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return skl_v3_dot(d, d);
}

/* Keep the better of two poses; where they are as good as each other, the one whose knee is nearer. */
static void keep(const skl_limb_search *s, const double knee[3], const skl_limb_numbers *other,
                 skl_limb_numbers *best) {
    const double same = 1e-9;
    if (other->miss > best->miss + same) return;
    if (other->miss >= best->miss - same) {
        double at[2][3];
        place_of_knee(s, best, at[0]);
        place_of_knee(s, other, at[1]);
        if (apart(at[0], knee) <= apart(at[1], knee) + same) return;
    }
    *best = *other;
}

/* Each roughly first, and what is best then with its twist, and with its bend, as far on the other side of the middle:
 * valleys come in pairs. Then the best, and what may be as good, to the last digit. */
static void descend_all(const skl_limb_search *s, const double knee[3], skl_limb_numbers *poses, int count,
                        skl_limb_numbers *out) {
    const double rough = 0.03, fine = 1e-6, margin = 2e-3;
    double least = INFINITY;
    int best = 0;
    for (int i = 0; i < count + 2; i++) {
        if (i == count) {
            poses[i] = poses[i + 1] = poses[best];
            poses[i].twist = s->limit->twist[0] + s->limit->twist[1] - poses[best].twist;
            poses[i + 1].bend = s->path->low + s->path->high - poses[best].bend;
        }
        skl_limb_descend(s, rough, least + margin, poses, i, &poses[i]);
        if (poses[i].miss < least) least = poses[i].miss, best = i;
    }
    count += 2;
    *out = poses[best];
    skl_limb_descend(s, fine, INFINITY, NULL, 0, out);
    for (int i = 0; i < count; i++) {
        if (i == best || poses[i].miss > out->miss + margin || skl_limb_same_valley(&poses[i], out)) continue;
        skl_limb_descend(s, fine, INFINITY, NULL, 0, &poses[i]);
        keep(s, knee, &poses[i], out);
    }
}

/* The net over all that is allowed. */
static void cast_net(const skl_limb_search *s, const net_twist *twist, net_node nodes[SWINGS]) {
    static const double rim[3][2] = {{1, 0}, {0.86602540378443865, 0.5}, {0.5, 0.86602540378443865}};
    const double *most = s->limit->swing;
    net_bends bends;
    for (int i = 0; i < BENDS; i++) {
        double end[3];
        skl_knee_end(s->path, bend_of(s, i), end);
        /* cppcheck-suppress uninitvar; it is what is set here */
        skl_m3_transform(s->back, end, bends.end[i]);
        bends.across[i] = sqrt(bends.end[i][0] * bends.end[i][0] + bends.end[i][1] * bends.end[i][1]);
    }
    for (int i = 0; i < SWINGS; i++) {
        const int ring = i - RIM, quarter = i < RIM ? i / 3 : ring;
        const double part = i < RIM ? 1 : ring < RING ? 0.5 : 0, *at = rim[i < RIM ? i % 3 : 0];
        const double x = part * (quarter % 2 ? -at[1] : at[0]), y = part * (quarter % 2 ? at[0] : at[1]);
        nodes[i].swing[0] = most[0] * (quarter / 2 ? -x : x);
        nodes[i].swing[1] = most[1] * (quarter / 2 ? -y : y);
        look_at_node(s, &bends, twist, &nodes[i]);
    }
}

void skl_limb_nearest(skl_limb_search *s, const double knee[3], skl_limb_numbers *pose) {
    const double middle = 0.5 * (s->limit->twist[0] + s->limit->twist[1]);
    const double most = fmin(0.5 * (s->limit->twist[1] - s->limit->twist[0]), SKL_PI);
    const net_twist twist = {cos(middle), sin(middle), cos(most), sin(most)};
    net_node nodes[SWINGS];
    skl_limb_numbers poses[STARTS + 3];
    int chosen[STARTS];
    skl_limb_search_begin(s);
    cast_net(s, &twist, nodes);
    const int count = choose(nodes, chosen);
    for (int i = 0; i < count; i++) {
        const net_node *node = &nodes[chosen[i]];
        const double off = fmin(fmax(atan2(node->im, node->re), -most), most);
        poses[i] = (skl_limb_numbers){
            .swing = {node->swing[0], node->swing[1]}, .twist = middle + off, .bend = bend_of(s, node->bend)};
    }
    poses[count] = *pose;
    descend_all(s, knee, poses, count + 1, pose);
}
