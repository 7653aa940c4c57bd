/* SPDX-License-Identifier: MIT */
/* What the FABRIK kernels work on: a tile of chains (or of trees of the same shape), one per column. */
#pragma once

#include <stdint.h>

/* Columns of a tile; behind them lie as many more as a wide number may reach beyond. */
enum { SKL_FABRIK_COLUMNS = 64, SKL_FABRIK_SPARE = 16, SKL_FABRIK_WIDTH = SKL_FABRIK_COLUMNS + SKL_FABRIK_SPARE };

/* A joint on the path to a target. The root is the first; parents come before their children. */
typedef struct skl_fabrik_joint {
    int32_t parent;   /* among these joints; -1 for the root */
    int32_t index;    /* among the positions of the caller */
    int32_t children; /* how many of these joints are its children */
    int32_t opens;    /* it is the last of its parent's children, and so the first on the way inwards */
    int32_t target;   /* which target it has, or -1 */
} skl_fabrik_joint;

/* What a column is; when it is finished SKL_FABRIK_THERE says that the result meets the target. */
enum { SKL_FABRIK_GOING, SKL_FABRIK_THERE, SKL_FABRIK_FAR, SKL_FABRIK_CLOSE, SKL_FABRIK_BAD };

/* Rows of SKL_FABRIK_WIDTH numbers. Lengths are relative to `size`, the length of the chain; positions also to the
 * root. */
typedef struct skl_fabrik_tile {
    const skl_fabrik_joint *joints;
    int32_t num_joints;
    int32_t num_targets;
    int32_t has_pole;
    int64_t step, out_step, target_step; /* bytes from one joint, or target, to the next */
    double tolerance;
    void *at;    /* [joint][3] */
    void *bone;  /* [joint]: length of the bone that ends there */
    void *path;  /* [joint]: from the root to the joint, along the bones */
    void *sum;   /* [joint][3], where joints have several children; else NULL */
    void *split; /* [joint][SKL_FABRIK_SPLIT] of one wide number each, where none has */
    void *goal;  /* [target][3] */
    void *spare; /* [3]: to where a bone goes that has lost its direction */
    void *size;  /* in the units of the caller */
    void
        *error; /* distance from the target that is farthest from its joint; when finished in the units of the caller */
    void *passes;  /* how many there were */
    void *state;   /* one of the above */
    void *several; /* 1 where at least two bones have a length */
    void *beyond;  /* 1 where a target of a tree is farther away than the path to it is long */
    char *from[SKL_FABRIK_WIDTH], *to[SKL_FABRIK_WIDTH], *targets[SKL_FABRIK_WIDTH], *poles[SKL_FABRIK_WIDTH];
} skl_fabrik_tile;

/* Numbers that `unfold` keeps of a bone. */
enum { SKL_FABRIK_SPLIT = 7 };

/* How many factors `unfold` tries: see fabrik_settle.inl. */
enum { SKL_FABRIK_TRIES = 3 };
