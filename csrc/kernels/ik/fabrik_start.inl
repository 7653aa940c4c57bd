/* SPDX-License-Identifier: MIT */
/* FABRIK: small vectors, reading chains, answering those that need no iterations, bending those in line. */

#if SKL_IS_F32
static const real K(fabrik_least) = 1e-37F, K(fabrik_far) = 1e6F, K(fabrik_bend) = 1e-3F, K(fabrik_none) = 1e-14F;
#else
static const real K(fabrik_least) = 1e-300, K(fabrik_far) = 1e12, K(fabrik_bend) = 1e-6, K(fabrik_none) = 1e-100;
#endif

/* Row number `row` of some rows of a tile. */
static inline real *K(fabrik_row)(void *rows, int row) { return (real *)rows + (int64_t)row * SKL_FABRIK_WIDTH; }

static inline void K(fabrik_load)(const real *at, W(t) * v) {
    for (int k = 0; k < 3; k++) v[k] = W(load)(at + k * SKL_FABRIK_WIDTH);
}

static inline void K(fabrik_store)(real *at, const W(t) * v) {
    for (int k = 0; k < 3; k++) W(store)(at + k * SKL_FABRIK_WIDTH, v[k]);
}

/* v at this length; `otherwise`, a unit vector, where v is as good as zero. */
static inline void K(fabrik_direction)(const W(t) * v, W(t) length, const W(t) * otherwise, W(t) * out) {
    const W(t) own = W(sqrt)(K(dot3)(v, v));
    const W(m) good = W(lt)(W(set1)(K(fabrik_none)), own);
    const W(t) factor = W(div)(length, W(select)(good, own, W(set1)(1)));
    for (int k = 0; k < 3; k++) out[k] = W(mul)(W(select)(good, v[k], otherwise[k]), factor);
}

/* The same with the tile's spare direction, which is seldom needed. */
static inline void K(fabrik_rescale)(const skl_fabrik_tile *tile, int i, W(t) * v, W(t) length) {
    const W(t) own = W(sqrt)(K(dot3)(v, v));
    if (W(all)(W(lt)(W(set1)(K(fabrik_none)), own))) {
        K(scale_by)(v, 3, W(div)(length, own));
    } else {
        W(t) spare[3];
        K(fabrik_load)(K(fabrik_row)(tile->spare, 0) + i, spare);
        K(fabrik_direction)(v, length, spare, v);
    }
}

/* `point` becomes the point at this distance from `at` towards it. */
static inline void K(fabrik_towards)(const skl_fabrik_tile *tile, int i, const W(t) * at, W(t) * point, W(t) length) {
    for (int k = 0; k < 3; k++) point[k] = W(sub)(point[k], at[k]);
    K(fabrik_rescale)(tile, i, point, length);
    for (int k = 0; k < 3; k++) point[k] = W(add)(at[k], point[k]);
}

/* The part of v at right angles to a unit vector. */
static inline void K(fabrik_across)(W(t) * v, const W(t) * axis) {
    const W(t) along = K(dot3)(v, axis);
    for (int k = 0; k < 3; k++) v[k] = W(fnma)(axis[k], along, v[k]);
}

/* v turned about a unit axis. */
static inline void K(fabrik_turn)(const W(t) * axis, W(t) cosine, W(t) sine, W(t) * v) {
    W(t) cross[3];
    K(cross3)(axis, v, cross);
    const W(t) along = W(mul)(K(dot3)(axis, v), W(sub)(W(set1)(1), cosine));
    for (int k = 0; k < 3; k++) v[k] = W(fma)(axis[k], along, W(fma)(cross[k], sine, W(mul)(v[k], cosine)));
}

static inline W(t) K(fabrik_largest)(const W(t) * v) {
    return W(max)(W(abs)(v[0]), W(max)(W(abs)(v[1]), W(abs)(v[2])));
}

/* Three numbers of every column of a wide, `offset` bytes behind its address. */
static inline void K(fabrik_collect)(char *const *at, int64_t offset, W(t) * out) {
    const char *address[W(LANES)];
    for (int k = 0; k < W(LANES); k++) address[k] = at[k] + offset;
    W(collect3)(address, out);
}

/* Positions relative to the root; returns 0 times their sum: not a number where something is not finite. */
static inline W(t) K(fabrik_read)(const skl_fabrik_tile *tile, int i, W(t) * largest) {
    const W(t) zero = W(set1)(0);
    W(t) root[3], bad = zero;
    *largest = zero;
    K(fabrik_collect)(tile->from + i, tile->joints[0].index * tile->step, root);
    for (int j = 0; j < tile->num_joints; j++) {
        W(t) at[3];
        K(fabrik_collect)(tile->from + i, tile->joints[j].index * tile->step, at);
        for (int k = 0; k < 3; k++) {
            at[k] = W(sub)(at[k], root[k]);
            bad = W(fma)(at[k], zero, bad);
        }
        *largest = W(max)(*largest, K(fabrik_largest)(at));
        K(fabrik_store)(K(fabrik_row)(tile->at, 3 * j) + i, at);
    }
    for (int t = 0; t < tile->num_targets; t++) {
        W(t) goal[3];
        K(fabrik_collect)(tile->targets + i, t * tile->target_step, goal);
        for (int k = 0; k < 3; k++) {
            goal[k] = W(sub)(goal[k], root[k]);
            bad = W(fma)(goal[k], zero, bad);
        }
        K(fabrik_store)(K(fabrik_row)(tile->goal, 3 * t) + i, goal);
    }
    if (tile->has_pole) {
        W(t) pole[3];
        K(fabrik_collect)(tile->poles + i, 0, pole);
        for (int k = 0; k < 3; k++) bad = W(fma)(W(sub)(pole[k], root[k]), zero, bad);
    }
    return bad;
}

/* Lengths of the bones times `unit`, and of the paths to the joints; returns the longest path to a target. */
static inline W(t) K(fabrik_lengths)(const skl_fabrik_tile *tile, int i, W(t) unit) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) full = zero, bones = zero;
    W(store)(K(fabrik_row)(tile->bone, 0) + i, zero);
    W(store)(K(fabrik_row)(tile->path, 0) + i, zero);
    for (int j = 1; j < tile->num_joints; j++) {
        const int parent = tile->joints[j].parent;
        W(t) at[3], above[3];
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * j) + i, at);
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * parent) + i, above);
        for (int k = 0; k < 3; k++) at[k] = W(mul)(W(sub)(at[k], above[k]), unit);
        const W(t) length = W(sqrt)(K(dot3)(at, at)),
                   path = W(add)(length, W(load)(K(fabrik_row)(tile->path, parent) + i));
        bones = W(add)(bones, W(select)(W(lt)(zero, length), one, zero));
        if (tile->joints[j].target >= 0) full = W(max)(full, path);
        W(store)(K(fabrik_row)(tile->bone, j) + i, length);
        W(store)(K(fabrik_row)(tile->path, j) + i, path);
    }
    W(store)(K(fabrik_row)(tile->several, 0) + i, W(select)(W(lt)(one, bones), one, zero));
    return full;
}

static inline void K(fabrik_shrink)(void *rows, int count, int i, W(t) factor) {
    for (int r = 0; r < count; r++) {
        real *at = K(fabrik_row)(rows, r) + i;
        W(store)(at, W(mul)(W(load)(at), factor));
    }
}

/* Positions of columns that are not `fine` become zeros. */
static inline void K(fabrik_forget)(const skl_fabrik_tile *tile, int i, W(m) fine) {
    for (int r = 0; r < 3 * tile->num_joints; r++) {
        real *at = K(fabrik_row)(tile->at, r) + i;
        W(store)(at, W(select)(fine, W(load)(at), W(set1)(0)));
    }
}

/* Make everything relative to the length of the longest path; a column that is not `fine` becomes zeros. Targets beyond
 * any reach come nearer, so that their squares stay in range. */
static inline void K(fabrik_scale)(const skl_fabrik_tile *tile, int i, W(t) largest, W(m) fine) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    const W(m) sized = K(both)(fine, W(lt)(W(set1)(K(fabrik_least)), largest));
    const W(t) extent = W(select)(sized, W(min)(largest, W(set1)(1 / K(fabrik_least))), one),
               unit = W(div)(one, extent);
    if (!W(all)(fine)) K(fabrik_forget)(tile, i, fine);
    const W(t) full = K(fabrik_lengths)(tile, i, W(select)(sized, unit, zero));
    const W(m) longer = W(lt)(zero, full);
    const W(t) factor = W(div)(one, W(select)(longer, full, one));
    for (int r = 0; r < 3 * tile->num_joints; r++) {
        real *at = K(fabrik_row)(tile->at, r) + i;
        W(store)(at, W(mul)(W(mul)(W(load)(at), unit), factor));
    }
    K(fabrik_shrink)(tile->bone, tile->num_joints, i, factor);
    K(fabrik_shrink)(tile->path, tile->num_joints, i, factor);
    const W(t) size = W(select)(longer, W(mul)(full, extent), zero);
    W(store)(K(fabrik_row)(tile->size, 0) + i, size);
    for (int t = 0; t < tile->num_targets; t++) {
        real *row = K(fabrik_row)(tile->goal, 3 * t) + i;
        W(t) goal[3];
        K(fabrik_load)(row, goal);
        const W(t) distance = K(fabrik_largest)(goal);
        const W(m) away = K(both)(fine, W(lt)(W(set1)(K(fabrik_least)), distance));
        const W(t) own = W(select)(away, distance, one);
        const W(t) ratio = W(min)(W(div)(own, W(select)(longer, size, own)), W(set1)(K(fabrik_far)));
        for (int k = 0; k < 3; k++) goal[k] = W(select)(away, W(mul)(W(div)(goal[k], own), ratio), zero);
        K(fabrik_store)(row, goal);
    }
}

/* The direction to the first target; where that is at the root the one to the joint that is to go there, else the first
 * bone, else a fixed one. `spare` becomes a direction across it. */
static inline void K(fabrik_line)(const skl_fabrik_tile *tile, int i, W(t) * line) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) v[3];
    line[0] = one, line[1] = line[2] = zero;
    K(fabrik_load)(K(fabrik_row)(tile->at, 3) + i, v);
    K(fabrik_direction)(v, one, line, line);
    for (int j = 1; j < tile->num_joints; j++) {
        if (tile->joints[j].target) continue;
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * j) + i, v);
        K(fabrik_direction)(v, one, line, line);
    }
    K(fabrik_load)(K(fabrik_row)(tile->goal, 0) + i, v);
    K(fabrik_direction)(v, one, line, line);
    K(perpendicular)(line, v);
    K(fabrik_store)(K(fabrik_row)(tile->spare, 0) + i, v);
}

/* 1 where a target is farther away than the path to it is long. */
static inline W(t) K(fabrik_beyond)(const skl_fabrik_tile *tile, int i) {
    W(t) beyond = W(set1)(0), goal[3];
    for (int j = 1; j < tile->num_joints; j++) {
        if (tile->joints[j].target < 0) continue;
        K(fabrik_load)(K(fabrik_row)(tile->goal, 3 * tile->joints[j].target) + i, goal);
        const W(m) own = W(lt)(W(load)(K(fabrik_row)(tile->path, j) + i), W(sqrt)(K(dot3)(goal, goal)));
        beyond = W(select)(own, W(set1)(1), beyond);
    }
    return beyond;
}

/* A chain to a target out of reach lies along the line; to one too close, its longest bone lies along the line, the
 * others against it. */
static inline W(t) K(fabrik_straight)(const skl_fabrik_tile *tile, int i, const W(t) * line, W(t) state) {
    const W(t) zero = W(set1)(0);
    const int last = tile->num_joints - 1;
    W(t) goal[3], longest = zero, which = zero, at[3] = {zero, zero, zero};
    K(fabrik_load)(K(fabrik_row)(tile->goal, 0) + i, goal);
    const W(t) distance = W(sqrt)(K(dot3)(goal, goal));
    for (int j = 1; j <= last; j++) {
        const W(t) bone = W(load)(K(fabrik_row)(tile->bone, j) + i);
        longest = W(max)(longest, bone);
    }
    const W(t) reach = W(load)(K(fabrik_row)(tile->path, last) + i);
    const W(m) going = W(eq)(state, W(set1)(SKL_FABRIK_GOING)), far = K(both)(going, W(le)(reach, distance));
    const W(m) close = K(both)(going, W(lt)(distance, W(sub)(longest, W(sub)(reach, longest))));
    const W(m) straight = K(either)(far, close);
    if (!W(any)(straight)) return state;
    for (int j = last; j > 0; j--)
        which = W(select)(W(eq)(W(load)(K(fabrik_row)(tile->bone, j) + i), longest), W(set1)((real)j), which);
    for (int j = 1; j <= last; j++) {
        real *row = K(fabrik_row)(tile->at, 3 * j) + i;
        const W(t) bone = W(load)(K(fabrik_row)(tile->bone, j) + i);
        const W(m) forward = K(either)(far, W(eq)(which, W(set1)((real)j)));
        const W(t) step = W(select)(forward, bone, W(neg)(bone));
        W(t) own[3];
        K(fabrik_load)(row, own);
        for (int k = 0; k < 3; k++) at[k] = W(fma)(line[k], step, at[k]);
        K(choose)(straight, at, own, 3, own);
        K(fabrik_store)(row, own);
    }
    return W(select)(far, W(set1)(SKL_FABRIK_FAR), W(select)(close, W(set1)(SKL_FABRIK_CLOSE), state));
}

/* A chain in line with its target has no side to which it could bend, and would stay in line for ever: it becomes an
 * arc, to the side where most of it lies, else to a fixed one. The nearer it is to the line, the more. */
static inline void K(fabrik_bow)(const skl_fabrik_tile *tile, int i, const W(t) * line, W(m) going) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    const W(t) bend = W(set1)(K(fabrik_bend));
    W(t) extent = W(select)(going, zero, bend), side[3] = {zero, zero, zero}, spare[3], v[3];
    for (int j = 1; j < tile->num_joints; j++) {
        if (W(all)(W(le)(bend, extent))) return;
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * j) + i, v);
        K(fabrik_across)(v, line);
        for (int k = 0; k < 3; k++) side[k] = W(add)(side[k], v[k]);
        extent = W(max)(extent, K(fabrik_largest)(v));
    }
    for (int t = 1; t < tile->num_targets; t++) {
        K(fabrik_load)(K(fabrik_row)(tile->goal, 3 * t) + i, v);
        K(fabrik_across)(v, line);
        extent = W(max)(extent, K(fabrik_largest)(v));
    }
    const W(t) clear = W(min)(W(mul)(extent, W(set1)(1 / K(fabrik_bend))), one);
    if (!W(any)(K(both)(going, W(lt)(clear, one)))) return;
    const W(t) amount = W(select)(going, W(mul)(W(sub)(one, clear), W(set1)((real)0.5)), zero);
    K(fabrik_load)(K(fabrik_row)(tile->spare, 0) + i, spare);
    const W(t) length = W(sqrt)(K(dot3)(side, side));
    const W(m) usable = W(lt)(W(set1)(K(fabrik_bend) * (real)1e-3), length);
    for (int k = 0; k < 3; k++) side[k] = W(select)(usable, W(div)(side[k], W(select)(usable, length, one)), spare[k]);
    for (int j = 1; j < tile->num_joints; j++) {
        real *row = K(fabrik_row)(tile->at, 3 * j) + i;
        const W(t) path = W(load)(K(fabrik_row)(tile->path, j) + i);
        const W(t) shift = W(mul)(W(mul)(path, W(sub)(one, path)), amount);
        K(fabrik_load)(row, v);
        for (int k = 0; k < 3; k++) v[k] = W(fma)(side[k], shift, v[k]);
        K(fabrik_store)(row, v);
    }
}

/* The largest distance of a joint from its target, of every column. */
static inline void K(fabrik_measure)(const skl_fabrik_tile *tile, int first, int last) {
    real *error = K(fabrik_row)(tile->error, 0);
    int seen = 0;
    for (int j = 0; j < tile->num_joints; j++) {
        const skl_fabrik_joint *joint = &tile->joints[j];
        if (joint->target < 0) continue;
        const real *at = K(fabrik_row)(tile->at, 3 * j), *goal = K(fabrik_row)(tile->goal, 3 * joint->target);
        for (int i = first; i < last; i += W(LANES)) {
            W(t) a[3], b[3];
            K(fabrik_load)(at + i, a);
            K(fabrik_load)(goal + i, b);
            for (int k = 0; k < 3; k++) a[k] = W(sub)(a[k], b[k]);
            const W(t) own = W(sqrt)(K(dot3)(a, a));
            W(store)(error + i, seen ? W(max)(own, W(load)(error + i)) : own);
        }
        seen = 1;
    }
}

/* Read the columns first .. last - 1, whose addresses are valid up to a whole wide number behind `last`, and say what
 * each of them is. In two rounds: the second has long chains of roots and quotients, which so overlap. */
static void K(fabrik_start)(skl_fabrik_tile *tile, int first, int last) {
    const W(t) zero = W(set1)(0), there = W(set1)(SKL_FABRIK_THERE), none = W(set1)(SKL_FABRIK_GOING);
    real *states = K(fabrik_row)(tile->state, 0);
    for (int i = first; i < last; i += W(LANES)) {
        W(t) largest;
        const W(m) fine = W(eq)(K(fabrik_read)(tile, i, &largest), zero);
        K(fabrik_scale)(tile, i, largest, fine);
        W(store)(states + i, W(select)(fine, none, W(set1)(SKL_FABRIK_BAD)));
        W(store)(K(fabrik_row)(tile->passes, 0) + i, zero);
    }
    K(fabrik_measure)(tile, first, last);
    for (int i = first; i < last; i += W(LANES)) {
        W(t) line[3], state = W(load)(states + i);
        const W(m) met = W(le)(W(load)(K(fabrik_row)(tile->error, 0) + i), W(set1)((real)tile->tolerance));
        state = W(select)(K(both)(met, W(eq)(state, none)), there, state);
        K(fabrik_line)(tile, i, line);
        if (tile->num_targets == 1) state = K(fabrik_straight)(tile, i, line, state);
        W(store)(K(fabrik_row)(tile->beyond, 0) + i, tile->num_targets > 1 ? K(fabrik_beyond)(tile, i) : zero);
        K(fabrik_bow)(tile, i, line, W(eq)(state, none));
        W(store)(states + i, state);
    }
}
