/* SPDX-License-Identifier: MIT */
/* FABRIK: a pass from the targets inwards and one from the root outwards; lanes are chains.
 *
 * A. Aristidou, J. Lasenby, "FABRIK: A fast, iterative solver for the inverse kinematics problem", Graphical Models 73
 * (2011), sections 3 and 4. fabrik_start.inl comes before, fabrik_settle.inl ends what the passes began. */

/* One step inwards: the parent of j goes along the bone to where j now is. */
static inline void K(fabrik_inwards)(const skl_fabrik_tile *tile, int j, int count) {
    const skl_fabrik_joint *joint = &tile->joints[j], *parent = &tile->joints[joint->parent];
    const int average = parent->children > 1;
    const real *own = K(fabrik_row)(tile->at, 3 * j), *bone = K(fabrik_row)(tile->bone, j);
    const real *above = K(fabrik_row)(tile->at, 3 * joint->parent);
    real *into = K(fabrik_row)(average ? tile->sum : tile->at, 3 * joint->parent);
    for (int i = 0; i < count; i += W(LANES)) {
        W(t) at[3], point[3];
        K(fabrik_load)(own + i, at);
        K(fabrik_load)(above + i, point);
        K(fabrik_towards)(tile, i, at, point, W(load)(bone + i));
        if (average && !joint->opens) {
            W(t) sum[3];
            K(fabrik_load)(into + i, sum);
            for (int k = 0; k < 3; k++) point[k] = W(add)(point[k], sum[k]);
        }
        K(fabrik_store)(into + i, point);
    }
}

/* A joint with several children goes amid of where they need it. */
static inline void K(fabrik_average)(const skl_fabrik_tile *tile, int j, int count) {
    const real *sum = K(fabrik_row)(tile->sum, 3 * j);
    real *into = K(fabrik_row)(tile->at, 3 * j);
    const W(t) share = W(set1)((real)1 / (real)tile->joints[j].children);
    for (int i = 0; i < count; i += W(LANES)) {
        W(t) at[3];
        K(fabrik_load)(sum + i, at);
        K(scale_by)(at, 3, share);
        K(fabrik_store)(into + i, at);
    }
}

/* One step outwards: j goes along its bone, from its parent on. */
static inline void K(fabrik_outwards)(const skl_fabrik_tile *tile, int j, int count) {
    const real *above = K(fabrik_row)(tile->at, 3 * tile->joints[j].parent), *bone = K(fabrik_row)(tile->bone, j);
    real *own = K(fabrik_row)(tile->at, 3 * j);
    for (int i = 0; i < count; i += W(LANES)) {
        W(t) at[3], point[3];
        K(fabrik_load)(above + i, at);
        K(fabrik_load)(own + i, point);
        K(fabrik_towards)(tile, i, at, point, W(load)(bone + i));
        K(fabrik_store)(own + i, point);
    }
}

/* One iteration of the columns 0 .. count - 1. What lies behind them, up to a whole wide number, is lost. */
static void K(fabrik_pass)(skl_fabrik_tile *tile, int count) {
    real *passes = K(fabrik_row)(tile->passes, 0);
    for (int j = tile->num_joints - 1; j > 0; j--) {
        const skl_fabrik_joint *joint = &tile->joints[j];
        if (joint->target >= 0) {
            const real *goal = K(fabrik_row)(tile->goal, 3 * joint->target);
            real *at = K(fabrik_row)(tile->at, 3 * j);
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < count; i += W(LANES))
                    W(store)(at + k * SKL_FABRIK_WIDTH + i, W(load)(goal + k * SKL_FABRIK_WIDTH + i));
        } else if (joint->children > 1) {
            K(fabrik_average)(tile, j, count);
        }
        if (joint->parent > 0) K(fabrik_inwards)(tile, j, count);
    }
    for (int j = 1; j < tile->num_joints; j++) K(fabrik_outwards)(tile, j, count);
    for (int i = 0; i < count; i += W(LANES)) W(store)(passes + i, W(add)(W(load)(passes + i), W(set1)(1)));
    K(fabrik_measure)(tile, 0, count);
    if (tile->num_targets == 1 && tile->num_joints > 2) K(fabrik_settle)(tile, count);
}

/* Turn a chain about the line to its end until its middle is on the side of the pole; within 15 degrees of the line
 * the pole's pull fades. Returns cosine and sine. */
static inline void K(fabrik_pole_turn)(const skl_fabrik_tile *tile, int i, W(t) * axis, W(t) * cosine, W(t) * sine) {
    const int last = tile->num_joints - 1;
    const W(t) one = W(set1)(1), zero = W(set1)(0), size = W(load)(K(fabrik_row)(tile->size, 0) + i);
    W(t) middle[3] = {zero, zero, zero}, pull[3], root[3], cross[3], spare[3];
    for (int j = 1; j <= last; j++) {
        W(t) a[3], b[3];
        const W(t) share = W(load)(K(fabrik_row)(tile->bone, j) + i);
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * j) + i, a);
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * (j - 1)) + i, b);
        for (int k = 0; k < 3; k++) middle[k] = W(fma)(W(add)(a[k], b[k]), share, middle[k]);
    }
    K(fabrik_load)(K(fabrik_row)(tile->at, 3 * last) + i, axis);
    K(fabrik_load)(K(fabrik_row)(tile->spare, 0) + i, spare);
    K(fabrik_direction)(axis, one, spare, axis);
    W(collect3)((const char *const *)tile->poles + i, pull);
    W(collect3)((const char *const *)tile->from + i, root);
    for (int k = 0; k < 3; k++) pull[k] = W(div)(W(sub)(pull[k], root[k]), size);
    K(fabrik_direction)(pull, one, axis, pull);
    K(fabrik_across)(pull, axis);
    K(fabrik_across)(middle, axis);
    const W(t) reach = W(sqrt)(K(dot3)(pull, pull)), bent = W(sqrt)(K(dot3)(middle, middle));
    W(t) p = W(min)(W(mul)(reach, W(set1)((real)3.8637033051562737)), one);
    p = W(mul)(W(mul)(p, p), W(sub)(W(set1)(3), W(add)(p, p)));
    const W(m) usable = K(both)(W(lt)(W(set1)(K(fabrik_bend) * (real)1e-3), bent), W(lt)(zero, reach));
    K(scale_by)(middle, 3, W(div)(one, W(select)(usable, bent, one)));
    const W(t) strength = W(div)(p, W(select)(usable, reach, one));
    for (int k = 0; k < 3; k++) pull[k] = W(fma)(pull[k], strength, W(mul)(middle[k], W(sub)(one, p)));
    const W(t) length = W(sqrt)(K(dot3)(pull, pull));
    const W(m) good = K(both)(usable, W(lt)(W(set1)((real)1e-5), length));
    K(scale_by)(pull, 3, W(div)(one, W(select)(good, length, one)));
    K(cross3)(middle, pull, cross);
    *cosine = W(select)(good, K(dot3)(middle, pull), one);
    *sine = W(select)(good, K(dot3)(axis, cross), zero);
}

/* Bones at their exact lengths, turned to the pole, in the place of the joints that end them. */
static inline void K(fabrik_bones)(const skl_fabrik_tile *tile, int i) {
    const W(t) zero = W(set1)(0);
    W(t) axis[3] = {zero, zero, zero}, cosine = W(set1)(1), sine = zero;
    if (tile->has_pole) K(fabrik_pole_turn)(tile, i, axis, &cosine, &sine);
    for (int j = tile->num_joints - 1; j > 0; j--) {
        real *row = K(fabrik_row)(tile->at, 3 * j) + i;
        W(t) own[3], above[3];
        K(fabrik_load)(row, own);
        K(fabrik_load)(K(fabrik_row)(tile->at, 3 * tile->joints[j].parent) + i, above);
        for (int k = 0; k < 3; k++) own[k] = W(sub)(own[k], above[k]);
        if (tile->has_pole) K(fabrik_turn)(axis, cosine, sine, own);
        K(fabrik_rescale)(tile, i, own, W(load)(K(fabrik_row)(tile->bone, j) + i));
        K(fabrik_store)(row, own);
    }
}

/* How far a joint as it was written is from its target, whatever their size; `largest` grows to their numbers. */
static inline W(t)
    K(fabrik_miss)(const skl_fabrik_tile *tile, int i, int32_t target, const W(t) * out, W(t) * largest) {
    const W(t) zero = W(set1)(0), one = W(set1)(1);
    W(t) goal[3], offset[3];
    K(fabrik_collect)(tile->targets + i, target * tile->target_step, goal);
    for (int k = 0; k < 3; k++) offset[k] = W(sub)(out[k], goal[k]);
    *largest = W(max)(*largest, W(max)(K(fabrik_largest)(out), K(fabrik_largest)(goal)));
    const W(t) extent = W(min)(K(fabrik_largest)(offset), W(set1)(K(largest)));
    const W(t) unit = W(select)(W(lt)(zero, extent), extent, one);
    for (int k = 0; k < 3; k++) offset[k] = W(div)(offset[k], unit);
    return W(mul)(W(sqrt)(K(dot3)(offset, offset)), unit);
}

/* Write the columns 0 .. count - 1 out: placed once more from the root on by exact lengths. What is not met becomes
 * or stays SKL_FABRIK_FAR, SKL_FABRIK_CLOSE or SKL_FABRIK_GOING. */
static void K(fabrik_finish)(skl_fabrik_tile *tile, int count) {
    const W(t) zero = W(set1)(0), tolerance = W(set1)((real)tile->tolerance), spacing = W(set1)(2 * K(epsilon));
    const W(t) there = W(set1)(SKL_FABRIK_THERE), going = W(set1)(SKL_FABRIK_GOING), far = W(set1)(SKL_FABRIK_FAR);
    for (int i = 0; i < count; i += W(LANES)) K(fabrik_bones)(tile, i);
    for (int i = 0; i < count; i += W(LANES)) {
        const int n = count - i < W(LANES) ? count - i : W(LANES);
        const W(t) size = W(load)(K(fabrik_row)(tile->size, 0) + i);
        W(t) root[3], at[3], out[3], error = zero;
        K(fabrik_collect)(tile->from + i, 0, root);
        W(t) largest = K(fabrik_largest)(root);
        for (int j = 0; j < tile->num_joints; j++) {
            const skl_fabrik_joint *joint = &tile->joints[j];
            real *row = K(fabrik_row)(tile->at, 3 * j) + i;
            char *to[W(LANES)];
            for (int k = 0; k < 3; k++) out[k] = root[k];
            if (j > 0) {
                W(t) above[3];
                K(fabrik_load)(row, at);
                K(fabrik_load)(K(fabrik_row)(tile->at, 3 * joint->parent) + i, above);
                for (int k = 0; k < 3; k++) at[k] = W(add)(at[k], above[k]);
                for (int k = 0; k < 3; k++) out[k] = W(fma)(at[k], size, root[k]);
                K(fabrik_store)(row, at);
            }
            for (int k = 0; k < W(LANES); k++) to[k] = tile->to[i + k] + joint->index * tile->out_step;
            W(scatter3)(to, n, out);
            if (joint->target >= 0) error = W(max)(K(fabrik_miss)(tile, i, joint->target, out, &largest), error);
        }
        real *states = K(fabrik_row)(tile->state, 0) + i;
        const W(t) old = W(load)(states), beyond = W(load)(K(fabrik_row)(tile->beyond, 0) + i);
        const W(t) missed = W(select)(W(lt)(zero, beyond), far, W(select)(W(eq)(old, there), going, old));
        const W(m) met = W(le)(error, W(fma)(tolerance, size, W(mul)(spacing, largest)));
        W(store)(states, W(select)(met, there, missed));
        W(store)(K(fabrik_row)(tile->error, 0) + i, error);
    }
}
