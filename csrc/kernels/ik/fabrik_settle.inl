/* SPDX-License-Identifier: MIT */
/* FABRIK: two short cuts for chains that the passes have brought near their target, where passes alone would take long.
 *
 * Only the distance from the root to the end has to become right: a turn about the root then brings the end onto the
 * target. `unfold` finds the common factor for what the bones are across the line to the end: near full reach, where
 * each pass gains little. `hinge` turns what is behind one joint: for chains that would go to and fro between
 * two shapes. Both keep all lengths; neither is taken unless the target is met. */

/* What the bone that ends at j is across the line to the end (3 numbers), along it, the square of the former; then the
 * factors of the line and of what is across in the unfolded bone. */
static inline real *K(fabrik_split)(const skl_fabrik_tile *tile, int j) {
    return (real *)tile->split + (int64_t)SKL_FABRIK_SPLIT * j * W(LANES);
}

/* Split all bones. Returns how the squared distance of the end grows with the factor's square, over the distance. */
static inline W(t) K(fabrik_split_bones)(const skl_fabrik_tile *tile, int i, const W(t) * line) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) bent = zero, above[3] = {zero, zero, zero}, own[3], side[3];
    for (int j = 1; j < tile->num_joints; j++) {
        real *split = K(fabrik_split)(tile, j);
        const W(t) bone = W(load)(K(fabrik_row)(tile->bone, j) + i);
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * j) + i, own);
        for (int k = 0; k < 3; k++) side[k] = W(sub)(own[k], above[k]);
        for (int k = 0; k < 3; k++) above[k] = own[k];
        const W(t) along = K(dot3)(side, line);
        for (int k = 0; k < 3; k++) side[k] = W(fnma)(line[k], along, side[k]);
        const W(t) across = K(dot3)(side, side), length = W(select)(W(lt)(zero, bone), W(mul)(bone, bone), one);
        for (int k = 0; k < 3; k++) W(store)(split + k * W(LANES), side[k]);
        W(store)(split + 3 * W(LANES), along);
        W(store)(split + 4 * W(LANES), across);
        bent = W(add)(bent, W(div)(W(mul)(along, across), length));
    }
    return bent;
}

/* Scale what is across by the root of `square`, each bone at its own length, and find the end. */
static inline void K(fabrik_unfolded_end)(const skl_fabrik_tile *tile, int i, const W(t) * line, W(t) square,
                                          W(t) * end) {
    const W(t) zero = W(set1)(0), one = W(set1)(1), factor = W(sqrt)(square);
    W(t) sum = zero;
    end[0] = end[1] = end[2] = zero;
    for (int j = 1; j < tile->num_joints; j++) {
        real *split = K(fabrik_split)(tile, j);
        const W(t) along = W(load)(split + 3 * W(LANES)), across = W(load)(split + 4 * W(LANES));
        const W(t) own = W(sqrt)(W(fma)(along, along, W(mul)(across, square)));
        const W(m) good = W(lt)(W(set1)(K(fabrik_none)), own);
        const W(t) scale = W(div)(W(load)(K(fabrik_row)(tile->bone, j) + i), W(select)(good, own, one));
        const W(t) ahead = W(mul)(W(select)(good, along, one), scale), aside = W(mul)(scale, factor);
        W(store)(split + 5 * W(LANES), ahead);
        W(store)(split + 6 * W(LANES), aside);
        sum = W(add)(sum, ahead);
        for (int k = 0; k < 3; k++) end[k] = W(fma)(W(load)(split + k * W(LANES)), aside, end[k]);
    }
    for (int k = 0; k < 3; k++) end[k] = W(fma)(line[k], sum, end[k]);
}

/* The smallest turn from one unit vector to another, as k and 1 / (1 + cosine): v + k x v + k x (k x v) / (1 + cosine).
 * Returns the lanes where they are not nearly opposite. */
static inline W(m) K(fabrik_swing)(const W(t) * from, const W(t) * to, W(t) * turn) {
    const W(t) sum = W(add)(W(set1)(1), K(dot3)(from, to));
    const W(m) good = W(lt)(W(set1)((real)0.1), sum);
    K(cross3)(from, to, turn);
    turn[3] = W(div)(W(set1)(1), W(select)(good, sum, W(set1)(1)));
    return good;
}

static inline void K(fabrik_swung)(const W(t) * turn, W(t) * v) {
    W(t) once[3], twice[3];
    K(cross3)(turn, v, once);
    K(cross3)(turn, once, twice);
    for (int k = 0; k < 3; k++) v[k] = W(add)(v[k], W(fma)(twice[k], turn[3], once[k]));
}

/* The factor's square by Newton's method on the squared distance, then by secants; a lane that has met the distance
 * keeps its factor, whatever the others do. The bones are those of the last factor. */
static inline void K(fabrik_find_factor)(const skl_fabrik_tile *tile, int i, const W(t) * line, W(t) reach,
                                         W(t) distance, W(m) needed, W(t) * end) {
    const W(t) zero = W(set1)(0), one = W(set1)(1), most = W(set1)(4), tiny = W(set1)(K(epsilon));
    const W(t) slope = W(neg)(W(mul)(K(fabrik_split_bones)(tile, i, line), reach)), wanted = W(mul)(distance, distance);
    W(t) x0 = one, y0 = W(sub)(W(mul)(reach, reach), wanted);
    W(m) steep = W(lt)(tiny, W(abs)(slope));
    W(t) x1 = W(sub)(one, W(div)(y0, W(select)(steep, slope, one)));
    x1 = W(min)(W(max)(x1, zero), most);
    for (int s = 1;; s++) {
        K(fabrik_unfolded_end)(tile, i, line, x1, end);
        const W(t) miss = W(abs)(W(sub)(W(sqrt)(K(dot3)(end, end)), distance));
        const W(m) met = W(le)(miss, W(set1)((real)(0.5 * tile->tolerance)));
        if (s == SKL_FABRIK_TRIES || !W(any)(K(both)(needed, W(not)(met)))) return;
        const W(t) y1 = W(sub)(K(dot3)(end, end), wanted), rise = W(sub)(y1, y0);
        steep = W(lt)(W(mul)(tiny, tiny), W(abs)(rise));
        const W(t) step = W(div)(W(mul)(y1, W(sub)(x1, x0)), W(select)(steep, rise, one));
        const W(t) next = W(min)(W(max)(W(select)(steep, W(sub)(x1, step), x1), zero), most);
        x0 = x1;
        y0 = y1;
        x1 = W(select)(met, x1, next);
    }
}

/* The direction to the end and its distance, the target's direction and distance. */
typedef struct K(fabrik_ends) {
    W(t) line[3], reach, aim[3], distance;
} K(fabrik_ends);

static inline K(fabrik_ends) K(fabrik_find_ends)(const skl_fabrik_tile *tile, int i) {
    K(fabrik_ends) e;
    W(t) spare[3], end[3], goal[3];
    const W(t) one = W(set1)(1);
    K(fabrik_load)(K(fabrik_row)(tile->spare, 0) + i, spare);
    K(fabrik_load)(K(fabrik_row)(tile->at, 3 * (tile->num_joints - 1)) + i, end);
    K(fabrik_load)(K(fabrik_row)(tile->goal, 0) + i, goal);
    e.reach = W(sqrt)(K(dot3)(end, end));
    e.distance = W(sqrt)(K(dot3)(goal, goal));
    K(fabrik_direction)(end, one, spare, e.line);
    K(fabrik_direction)(goal, one, e.line, e.aim);
    return e;
}

static inline void K(fabrik_unfold)(const skl_fabrik_tile *tile, int i, W(m) wanted) {
    K(fabrik_ends) e = K(fabrik_find_ends)(tile, i);
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) end[3], turn[4], at[3] = {zero, zero, zero};
    K(fabrik_find_factor)(tile, i, e.line, e.reach, e.distance, wanted, end);
    const W(t) miss = W(abs)(W(sub)(W(sqrt)(K(dot3)(end, end)), e.distance));
    wanted = K(both)(wanted, W(le)(miss, W(set1)((real)tile->tolerance)));
    K(fabrik_direction)(end, one, e.line, end);
    wanted = K(both)(wanted, K(fabrik_swing)(end, e.aim, turn));
    if (!W(any)(wanted)) return;
    W(t) x[3] = {one, zero, zero}, y[3] = {zero, one, zero}, z[3] = {zero, zero, one};
    K(fabrik_swung)(turn, x);
    K(fabrik_swung)(turn, y);
    K(fabrik_swung)(turn, z);
    K(fabrik_swung)(turn, e.line);
    for (int j = 1; j < tile->num_joints; j++) {
        real *row = K(fabrik_row)(tile->at, 3 * j) + i;
        const real *split = K(fabrik_split)(tile, j);
        W(t) own[3], side[3];
        const W(t) ahead = W(load)(split + 5 * W(LANES)), aside = W(load)(split + 6 * W(LANES));
        for (int k = 0; k < 3; k++) side[k] = W(mul)(W(load)(split + k * W(LANES)), aside);
        for (int k = 0; k < 3; k++) {
            const W(t) turned = W(fma)(x[k], side[0], W(fma)(y[k], side[1], W(mul)(z[k], side[2])));
            at[k] = W(add)(at[k], W(fma)(e.line[k], ahead, turned));
        }
        K(fabrik_load)(row, own);
        K(choose)(wanted, at, own, 3, own);
        K(fabrik_store)(row, own);
    }
}

/* The joint at which the triangle of root, joint and end can be closed with the most room. */
static inline W(t) K(fabrik_hinge_joint)(const skl_fabrik_tile *tile, int i, W(t) distance, W(t) * room, W(t) * pivot) {
    W(t) end[3], which = W(set1)(0);
    K(fabrik_load)(K(fabrik_row)(tile->at, 3 * (tile->num_joints - 1)) + i, end);
    *room = W(set1)(0);
    pivot[0] = pivot[1] = pivot[2] = W(set1)(0);
    for (int j = 1; j < tile->num_joints - 1; j++) {
        W(t) at[3], rest[3];
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * j) + i, at);
        for (int k = 0; k < 3; k++) rest[k] = W(sub)(end[k], at[k]);
        const W(t) a = W(sqrt)(K(dot3)(at, at)), b = W(sqrt)(K(dot3)(rest, rest));
        const W(t) outer = W(sub)(W(add)(a, b), distance), inner = W(sub)(distance, W(abs)(W(sub)(a, b)));
        const W(t) own = W(min)(outer, inner);
        const W(m) better = W(lt)(*room, own);
        *room = W(select)(better, own, *room);
        which = W(select)(better, W(set1)((real)j), which);
        K(choose)(better, at, pivot, 3, pivot);
    }
    return which;
}

static inline void K(fabrik_hinge)(const skl_fabrik_tile *tile, int i, W(m) wanted) {
    K(fabrik_ends) e = K(fabrik_find_ends)(tile, i);
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) room, pivot[3], inner[3], outer[3], axis[3], spare[3], end[3], turn[4];
    const W(t) which = K(fabrik_hinge_joint)(tile, i, e.distance, &room, pivot);
    wanted = K(both)(wanted, W(lt)(W(set1)(K(epsilon)), room));
    if (!W(any)(wanted)) return;
    K(fabrik_load)(K(fabrik_row)(tile->spare, 0) + i, spare);
    for (int k = 0; k < 3; k++) inner[k] = W(neg)(pivot[k]);
    for (int k = 0; k < 3; k++) outer[k] = W(sub)(W(mul)(e.line[k], e.reach), pivot[k]);
    const W(t) a = W(sqrt)(K(dot3)(inner, inner)), b = W(sqrt)(K(dot3)(outer, outer));
    K(fabrik_direction)(inner, one, spare, inner);
    K(fabrik_direction)(outer, one, spare, outer);
    K(cross3)(inner, outer, axis);
    const W(t) sine = W(sqrt)(K(dot3)(axis, axis)), cosine = K(dot3)(inner, outer);
    W(t) any[3];
    K(perpendicular)(inner, any);
    K(fabrik_direction)(axis, one, any, axis);
    const W(t) product = W(mul)(a, b), twice = W(add)(product, product);
    const W(t) sides = W(sub)(W(fma)(a, a, W(mul)(b, b)), W(mul)(e.distance, e.distance));
    const W(t) want = W(min)(W(max)(W(div)(sides, W(select)(W(lt)(zero, twice), twice, one)), W(neg)(one)), one);
    const W(t) want_sine = W(sqrt)(W(max)(W(mul)(W(sub)(one, want), W(add)(one, want)), zero));
    const W(t) c = W(fma)(want, cosine, W(mul)(want_sine, sine)),
               s = W(sub)(W(mul)(want_sine, cosine), W(mul)(want, sine));
    K(fabrik_turn)(axis, c, s, outer);
    for (int k = 0; k < 3; k++) end[k] = W(fma)(outer[k], b, pivot[k]);
    K(fabrik_direction)(end, one, e.aim, end);
    wanted = K(both)(wanted, K(fabrik_swing)(end, e.aim, turn));
    for (int j = 1; j < tile->num_joints; j++) {
        real *row = K(fabrik_row)(tile->at, 3 * j) + i;
        W(t) own[3], at[3];
        K(fabrik_load)(row, own);
        for (int k = 0; k < 3; k++) at[k] = W(sub)(own[k], pivot[k]);
        K(fabrik_turn)(axis, c, s, at);
        for (int k = 0; k < 3; k++) at[k] = W(add)(at[k], pivot[k]);
        K(choose)(W(lt)(which, W(set1)((real)j)), at, own, 3, at);
        K(fabrik_swung)(turn, at);
        K(choose)(wanted, at, own, 3, own);
        K(fabrik_store)(row, own);
    }
}

/* Of the columns 0 .. count - 1 those that are near their target, and those that have made several passes. */
static void K(fabrik_settle)(const skl_fabrik_tile *tile, int count) {
    const W(t) tolerance = W(set1)((real)tile->tolerance), near = W(set1)((real)0.1), few = W(set1)((real)3.5);
    for (int i = 0; i < count; i += W(LANES)) {
        const W(t) error = W(load)(K(fabrik_row)(tile->error, 0) + i);
        const W(m) unfolds = K(both)(W(lt)(tolerance, error), W(lt)(error, near));
        if (!W(any)(unfolds)) continue;
        K(fabrik_unfold)(tile, i, unfolds);
        K(fabrik_measure)(tile, i, i + W(LANES));
    }
    for (int i = 0; i < count; i += W(LANES)) {
        const W(t) error = W(load)(K(fabrik_row)(tile->error, 0) + i);
        const W(t) passes = W(load)(K(fabrik_row)(tile->passes, 0) + i);
        const W(m) hinges = K(both)(W(lt)(tolerance, error), W(lt)(few, passes));
        if (!W(any)(hinges)) continue;
        K(fabrik_hinge)(tile, i, hinges);
        K(fabrik_measure)(tile, i, i + W(LANES));
    }
}
