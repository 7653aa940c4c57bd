/* SPDX-License-Identifier: MIT */
/* Forward kinematics. Tiles of poses: lanes are poses, and a matrix never leaves its registers before it is written.
 * One pose: lanes are joints while rotations become matrices, then the products go from joint to joint, row by row.
 * Both ways do the same operations in the same order, so that a result does not depend on which it was. */

/* Where a tile or a pose begins. */
static inline skl_pose_view K(from_pose)(skl_pose_view v, int64_t pose) {
    if (v.at) v.at += pose * v.item;
    return v;
}

static inline skl_fk_block K(block_from)(const skl_fk_block *b, int64_t pose) {
    skl_fk_block at = *b;
    at.local = K(from_pose)(b->local, pose);
    at.rotations = K(from_pose)(b->rotations, pose);
    at.translations = K(from_pose)(b->translations, pose);
    at.scales = K(from_pose)(b->scales, pose);
    at.out = K(from_pose)(b->out, pose);
    return at;
}

/* --- lanes are poses --------------------------------------------------------------------------------------------- */

/* Three numbers of `joint` in n poses; where all poses share them, they are read once. */
SKL_INLINE void K(three_of_poses)(const skl_pose_view *v, int64_t joint, int n, W(t) * out) {
    const char *at = v->at + joint * v->step;
    if (v->item != 0) {
        W(load3)(at, v->item, n, out);
        return;
    }
    for (int i = 0; i < 3; i++) out[i] = W(set1)(((const real *)(const void *)at)[i]);
}

/* The local matrix of `joint`. */
SKL_INLINE void K(local_of_poses)(const skl_fk_block *b, int64_t joint, int n, W(t) * m) {
    if (b->local.at) {
        K(load_poses)(b->local.at + joint * b->local.step, b->local.item, n, m);
        return;
    }
    W(t) q[4], t[3], s[3];
    W(load4)(b->rotations.at + joint * b->rotations.step, b->rotations.item, n, q);
    if (n < W(LANES)) q[0] = W(select)(K(lanes_below)(n), q[0], W(set1)(1)); /* 0 0 0 0 is slow */
    K(three_of_poses)(&b->translations, joint, n, t);
    if (b->scales.at) {
        K(three_of_poses)(&b->scales, joint, n, s);
        (void)K(compose_any)(t, q, s, m);
    } else {
        (void)K(compose_any)(t, q, 0, m);
    }
}

/* The local matrix of a slot; that of a given one is its global one. */
SKL_INLINE void K(slot_of_poses)(const skl_fk_block *b, int64_t s, int n, real *local) {
    const int64_t joint = b->plan->joints ? b->plan->joints[s] : s;
    W(t) m[12];
    if (s < b->plan->given)
        K(load_poses)(b->out.at + joint * b->out.step, b->out.item, n, m);
    else
        K(local_of_poses)(b, joint, n, m);
    K(write_scratch)(local, m);
}

/* What a tile will read at `slot` of v, into the second cache, each line once. Poses lie apart, and where the CPU looks
 * ahead on its own, it does so in few places at once and stops at the end of a page. Behind the last slot come the
 * poses of the next tile. */
SKL_INLINE void K(fetch_slot)(const skl_pose_view *v, int64_t slots, int64_t slot) {
    enum { MATRIX = 16 * sizeof(real) };
    if (!v->at || v->item == 0) return;
    const int64_t offset = slot < slots ? slot * v->step : (slot - slots) * v->step + W(LANES) * v->item;
    const int64_t size = v->step < MATRIX ? v->step : MATRIX;
    if (offset % SKL_LINE >= size) return;
    for (int p = 0; p < W(LANES); p++)
        for (int64_t i = 0; i < size; i += SKL_LINE)
            SKL_FETCH((uintptr_t)v->at + (uintptr_t)(offset + p * v->item + i));
}

SKL_INLINE void K(fetch_ahead)(const skl_fk_block *b, int64_t slot) {
    enum { AHEAD = 16 }; /* far enough to come from memory in time */
    if (b->local.at) {
        K(fetch_slot)(&b->local, b->plan->slots, slot + AHEAD);
        return;
    }
    K(fetch_slot)(&b->rotations, b->plan->slots, slot + AHEAD);
    K(fetch_slot)(&b->translations, b->plan->slots, slot + AHEAD);
    K(fetch_slot)(&b->scales, b->plan->slots, slot + AHEAD);
}

/* A matrix of n poses into the output; `large`: it may go past the cache. There the first one of a pose goes the other
 * way: what lies before it is not of this pose. */
SKL_INLINE void K(give_poses)(const skl_fk_block *b, int64_t slot, int n, const W(t) * m, int large) {
    enum { ROW_BEHIND = SKL_ROW_BEHIND / sizeof(real) };
    char *at = b->out.at + slot * b->out.step;
    if (!large || slot == 0 || b->behind < 0)
        K(store_poses)(at, b->out.item, n, m, b->out_rows);
    else if (b->behind == 0)
        K(stream_poses)(at, b->out.item, m, 0);
    else
        K(stream_poses)(at, b->out.item, m, ROW_BEHIND);
}

/* The end of each pose's last matrix, which no line has brought. */
static void K(end_of_poses)(const skl_fk_block *b) {
    const int64_t behind = b->behind / (int64_t)sizeof(real);
    for (int p = 0; p < W(LANES) && behind > 0; p++) {
        real *end = (real *)(void *)(b->out.at + b->plan->slots * b->out.step + p * b->out.item);
        for (int64_t i = 1; i <= behind; i++) end[-i] = i == 1;
    }
}

/* Slots of n <= LANES poses into scratch and, for a whole pose, into the output. A round makes the local matrix of one
 * slot, the product of the one before and the output of the one before that: three things that do not wait for each
 * other. */
SKL_INLINE void K(evaluate_tile)(const skl_fk_block *b, int n, int large, int ahead) {
    enum { NUMBERS = 12 * W(LANES) };
    real locals[2][NUMBERS];
    const skl_fk_plan plan = *b->plan; /* as far as the compiler knows, a store may change what `b` points to */
    skl_fk_block block = *b;
    block.plan = &plan;
    real *const scratch = (real *)block.scratch;
    const int stores = !plan.from && !(large && block.lines);
    for (int64_t s = 0; s < plan.slots + 2; s++) {
        if (s < plan.slots) {
            if (ahead) K(fetch_ahead)(&block, s);
            K(slot_of_poses)(&block, s, n, locals[s % 2]);
        }
        if (s > 0 && s <= plan.slots) {
            const int64_t parent = plan.parents[s - 1];
            real *to = scratch + (s - 1) * NUMBERS;
            if (parent >= 0) {
                K(multiply_scratch)(scratch + parent * NUMBERS, locals[(s - 1) % 2], to);
            } else {
                W(t) m[12];
                K(read_scratch)(locals[(s - 1) % 2], m);
                K(write_scratch)(to, m);
            }
        }
        if (s > 1 && stores) {
            W(t) m[12];
            K(read_scratch)(scratch + (s - 2) * NUMBERS, m);
            K(give_poses)(&block, s - 2, n, m, large);
        }
    }
}

/* The matrices of the plan's list out of the scratch. */
static void K(store_tile)(const skl_fk_block *b, int n) {
    const skl_fk_plan *plan = b->plan;
    const real *scratch = (const real *)b->scratch;
    for (int64_t i = 0; i < plan->stores; i++) {
        W(t) m[12];
        K(read_scratch)(scratch + plan->from[i] * 12 * W(LANES), m);
        const int64_t to = plan->to ? plan->to[i] : i;
        K(store_poses)(b->out.at + to * b->out.step, b->out.item, n, m, b->out_rows);
    }
}

/* Matrices of three rows past the cache: in the scratch they are numbers side by side, as results of skinning are. */
static void K(stream_tile)(const skl_fk_block *b) {
    const skl_unstage_block staged = {.staged = b->scratch,
                                      .count = b->plan->slots,
                                      .poses = W(LANES),
                                      .size = 12,
                                      .out = b->out.at,
                                      .out_item = b->out.item,
                                      .out_step = b->out.step};
    b->lines->begins = b->lines->ends = 1;
    K(unstage_stream)(&staged, b->lines);
}

/* Each on its own, so that a full tile knows how many lanes it has, and what a tile has no part in costs it nothing. */
static void K(part_tile)(const skl_fk_block *b, int n) { K(evaluate_tile)(b, n, 0, 0); }
static void K(small_tile)(const skl_fk_block *b) { K(evaluate_tile)(b, W(LANES), 0, 0); }
static void K(large_tile)(const skl_fk_block *b) { K(evaluate_tile)(b, W(LANES), 1, 0); }
static void K(large_tile_ahead)(const skl_fk_block *b) { K(evaluate_tile)(b, W(LANES), 1, 1); }

static void K(full_tile)(const skl_fk_block *b) {
    if (!b->large) {
        K(small_tile)(b);
        return;
    }
    if (b->ahead)
        K(large_tile_ahead)(b);
    else
        K(large_tile)(b);
    K(end_of_poses)(b);
    if (b->lines) K(stream_tile)(b);
}

/* The poses of one tile, at most LANES, into scratch as skinning matrices: global @ right. Nothing else is written. */
static void K(skinning_lanes)(const skl_fk_block *b, const void *right) {
    static const int32_t none = 0;
    skl_fk_plan plan = *b->plan;
    plan.from = &none;
    plan.stores = 0;
    skl_fk_block tile = *b;
    tile.plan = &plan;
    if (b->count == W(LANES))
        K(full_tile)(&tile);
    else
        K(part_tile)(&tile, (int)b->count);
    for (int64_t j = 0; j < plan.slots; j++) {
        real *at = (real *)b->scratch + j * 12 * W(LANES), bind[12 * W(LANES)], global[12 * W(LANES)];
        W(t) m[12];
        K(read_scratch)(at, m);
        K(write_scratch)(global, m);
        for (int i = 0; i < 12; i++) W(store)(bind + i * W(LANES), W(set1)(((const real *)right)[16 * j + i]));
        K(multiply_scratch)(global, bind, at);
    }
}

/* --- one pose ---------------------------------------------------------------------------------------------------- */

/* Numbers of up to LANES slots from `first` on: where they lie, or, if the plan jumps, a copy behind each other. */
typedef struct K(slot_run) {
    const char *at;
    int64_t step;
} K(slot_run);

static K(slot_run)
    K(run_of_slots)(const skl_pose_view *v, const skl_fk_plan *plan, int64_t first, int n, int width, real *copy) {
    if (!plan->joints) return (K(slot_run)){v->at + first * v->step, v->step};
    for (int i = 0; i < n; i++) {
        const real *from = (const real *)(const void *)(v->at + plan->joints[first + i] * v->step);
        for (int k = 0; k < width; k++) copy[i * width + k] = from[k];
    }
    return (K(slot_run)){(const char *)copy, width * (int64_t)sizeof(real)};
}

/* Local matrices of slots first .. first + n - 1 from rotations, translations and scales to `to`. */
SKL_INLINE void K(compose_slots)(const skl_fk_block *b, int64_t first, int n, char *to, int64_t step) {
    real q_copy[4 * W(LANES)], t_copy[3 * W(LANES)], s_copy[3 * W(LANES)];
    const K(slot_run) q = K(run_of_slots)(&b->rotations, b->plan, first, n, 4, q_copy);
    const K(slot_run) t = K(run_of_slots)(&b->translations, b->plan, first, n, 3, t_copy);
    W(t) rotation[4], translation[3], scale[3], m[12];
    W(load4)(q.at, q.step, n, rotation);
    if (n < W(LANES)) rotation[0] = W(select)(K(lanes_below)(n), rotation[0], W(set1)(1));
    W(load3)(t.at, t.step, n, translation);
    if (b->scales.at) {
        const K(slot_run) s = K(run_of_slots)(&b->scales, b->plan, first, n, 3, s_copy);
        W(load3)(s.at, s.step, n, scale);
    }
    (void)K(compose_any)(translation, rotation, b->scales.at ? scale : 0, m);
    K(store_poses)(to, step, n, m, 3);
}

/* The products of one pose; the slots' own matrices are in `own`, which may be `to`. */
static void K(chain_slots)(const skl_fk_plan *plan, skl_pose_view own, const int32_t *index, skl_pose_view to,
                           int32_t rows) {
    const int32_t *parents = plan->parents;
    const int64_t slots = plan->slots;
    K(affine) before = {{R(zero)(), R(zero)(), R(zero)()}};
    for (int64_t s = plan->given; s < slots; s++) {
        const int64_t parent = parents[s];
        K(affine) m = K(load_affine)(own.at + (index ? index[s] : s) * own.step);
        if (parent == s - 1 && s > plan->given) /* the most frequent parent is still in registers */
            m = K(multiply_rows)(before, m);
        else if (parent >= 0)
            m = K(multiply_affine)(to.at + parent * to.step, m);
        K(store_affine)(to.at + s * to.step, m, rows);
        before = m;
    }
}

static void K(evaluate_pose)(const skl_fk_block *b) {
    const skl_fk_plan *plan = b->plan;
    const skl_pose_view packed = {(char *)b->scratch, 0, 12 * (int64_t)sizeof(real)};
    const skl_pose_view to = plan->from ? packed : b->out;
    const int32_t rows = plan->from ? 3 : b->out_rows;
    for (int64_t s = 0; s < plan->given; s++)
        K(store_affine)(to.at + s * to.step, K(load_affine)(b->out.at + plan->joints[s] * b->out.step), rows);
    if (b->local.at) {
        K(chain_slots)(plan, b->local, plan->joints, to, rows);
    } else {
        const int64_t count = plan->slots - plan->given;
        for (int64_t i = 0; i < count; i += W(LANES)) {
            /* The last lanes take some slots for the second time rather than being a part. */
            if (count >= W(LANES) && count - i < W(LANES)) i = count - W(LANES);
            char *at = to.at + (plan->given + i) * to.step;
            if (count >= W(LANES))
                K(compose_slots)(b, plan->given + i, W(LANES), at, to.step);
            else
                K(compose_slots)(b, plan->given + i, (int)count, at, to.step);
        }
        K(chain_slots)(plan, to, 0, to, rows);
    }
    if (!plan->from) return;
    for (int64_t i = 0; i < plan->stores; i++) {
        const int64_t place = plan->to ? plan->to[i] : i;
        const K(affine) m = K(load_affine)(packed.at + plan->from[i] * packed.step);
        K(store_affine)(b->out.at + place * b->out.step, m, b->out_rows);
    }
}

/* --- all poses --------------------------------------------------------------------------------------------------- */

/* Tiles of poses that begin at the same place of a line, and so of every second or fourth pose: what makes a line of
 * one makes a line of all. Returns how many poses are done; those that are left are too few. */
static int64_t K(stream_tiles)(const skl_fk_block *b) {
    int64_t apart = 1, pose = 0;
    while (apart * b->out.item % SKL_LINE != 0) apart *= 2;
    for (; b->count - pose >= apart * W(LANES); pose += apart * W(LANES)) {
        for (int64_t i = 0; i < apart; i++) {
            skl_fk_block tile = K(block_from)(b, pose + i);
            skl_pose_view *views[] = {&tile.local, &tile.rotations, &tile.translations, &tile.scales, &tile.out};
            for (int k = 0; k < 5; k++) views[k]->item *= apart;
            K(full_tile)(&tile);
        }
    }
    return pose;
}

static void K(forward_kinematics)(const skl_fk_block *b) {
    enum { FEW = W(LANES) / 4 }; /* so few poses are faster one by one */
    int64_t pose = 0;
    if (b->count == 1) { /* the block as it is */
        K(evaluate_pose)(b);
        return;
    }
    if (b->lines) {
        pose = K(stream_tiles)(b);
        skl_fk_block rest = K(block_from)(b, pose);
        rest.count -= pose;
        rest.lines = NULL;
        if (rest.count > 0) K(forward_kinematics)(&rest);
        return;
    }
    while (b->tiles && b->count - pose > FEW) {
        /* The last tile takes some poses for the second time rather than being a part. */
        if (b->count >= W(LANES) && b->count - pose < W(LANES)) pose = b->count - W(LANES);
        const int n = b->count < W(LANES) ? (int)b->count : W(LANES);
        const skl_fk_block tile = K(block_from)(b, pose);
        if (n == W(LANES))
            K(full_tile)(&tile);
        else
            K(part_tile)(&tile, n);
        if (b->plan->from) K(store_tile)(&tile, n);
        pose += n;
    }
    for (; pose < b->count; pose++) {
        const skl_fk_block one = K(block_from)(b, pose);
        K(evaluate_pose)(&one);
    }
}
