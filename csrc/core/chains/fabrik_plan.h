/* SPDX-License-Identifier: MIT */
/* Which joints of a chain or tree are on the path to a target, and which of them the others are below. */
#pragma once

#include "kernels/ik/fabrik.h"
#include "skelkin/skelkin.h"

typedef struct skl_fabrik_plan {
    skl_fabrik_joint *joints; /* on a path, root first */
    int32_t *leaf;            /* [target]: its joint, as the caller counts */
    int32_t *carrier;         /* [joint of the caller]: -1 on a path, else the nearest joint above that is */
    int32_t *parents;         /* [joint of the caller] */
    int32_t num_joints;       /* on a path */
    int32_t num_all;
    int32_t num_targets;
    int branches; /* some joint has several children */
    void *memory;
} skl_fabrik_plan;

/* On failure nothing needs to be freed. */
skl_code skl_fabrik_plan_init(skl_fabrik_plan *plan, skl_solve_fabrik_job *job);
void skl_fabrik_plan_free(skl_fabrik_plan *plan);
