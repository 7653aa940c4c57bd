/* SPDX-License-Identifier: MIT */
/* Random jobs through skelkin.h: hierarchies, weights, shapes, strides and numbers of all kinds, in memory that ends at
 * the last element. Built with the address and undefined-behaviour sanitizers; see the Makefile. */
#include "jobs.h"

#include <stdlib.h>
#include <string.h>

#define RUN(verb, type)                                                                                                \
    static skl_code run_##verb(void *job) { return skl_##verb##_run((type *)job); }
RUN(forward_kinematics, skl_pose_job)
RUN(local_from_global, skl_pose_job)
RUN(skinning_matrices, skl_pose_job)
RUN(forward_kinematics_trs, skl_forward_kinematics_trs_job)
RUN(rest_relative, skl_rest_relative_job)
RUN(relative_transform, skl_relative_transform_job)
RUN(skin_points, skl_skin_points_job)
RUN(skin_mesh, skl_skin_mesh_job)
RUN(compose, skl_compose_job)
RUN(decompose, skl_decompose_job)
RUN(invert, skl_matrix_job)
RUN(invert_rigid, skl_matrix_job)
RUN(change_basis, skl_change_basis_job)
RUN(change_basis_points, skl_change_basis_job)
RUN(quaternion_multiply, skl_quaternion_job)
RUN(quaternion_rotate, skl_quaternion_job)
RUN(quaternion_between, skl_quaternion_job)
RUN(quaternion_slerp, skl_quaternion_job)
RUN(quaternion_from_matrix, skl_quaternion_job)
RUN(quaternion_to_matrix, skl_quaternion_job)
RUN(quaternion_from_rotation_vector, skl_quaternion_job)
RUN(quaternion_to_rotation_vector, skl_quaternion_job)
RUN(turn_joint, skl_turn_joint_job)
RUN(points_at, skl_points_at_job)
RUN(align_to_ground, skl_align_to_ground_job)
RUN(roll_toe, skl_roll_toe_job)
RUN(rotations_from_positions, skl_rotations_from_positions_job)

/* How to run a job of this type. */
#define START(type, data, verb)                                                                                        \
    {.job = &(data), .size = sizeof(data), .status = offsetof(type, status), .dtype = (data).dtype, .run = run_##verb}

static void add(fuzz_job *job, size_t offset, int numbers, int64_t count, fuzz_role role) {
    job->slots[job->num_slots++] = (fuzz_slot){offset, numbers, count, role};
}

static skl_dtype choose_dtype(fuzz_bytes *from) { return rarely(from, 2) ? SKL_FLOAT64 : SKL_FLOAT32; }

/* A count that is often one of those at which lanes and blocks end. */
static int64_t choose_count(fuzz_bytes *from, int most) {
    static const int edges[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 63, 64, 65, 0};
    const int count = rarely(from, 3) ? choose(from, 256) : edges[choose(from, sizeof edges / sizeof *edges)];
    return count < most ? count : most;
}

/* --- skeletons ------------------------------------------------------------------------------------------------------
 */

static int make_skeleton(skl_skeleton *skeleton, fuzz_bytes *from) {
    const int64_t joints = choose_count(from, 70);
    int64_t *parents = fuzz_memory((size_t)joints * sizeof *parents);
    double *rest = fuzz_memory((size_t)joints * 16 * sizeof *rest);
    const unsigned odd = rarely(from, 20) ? 100 : 0;
    const int span = 1 + choose(from, 8);
    for (int64_t j = 0; j < joints; j++) {
        const int64_t back = 1 + (int64_t)(next_random(from) % (uint64_t)span);
        parents[j] = back > j ? -1 : j - back;
        for (int i = 0; i < 16; i++)
            rest[16 * j + i] = i >= 12 ? (i == 15) : next_number(from, odd) + (i % 5 == 0 ? 2.0 : 0.0);
    }
    if (joints && rarely(from, 30)) parents[next_random(from) % (uint64_t)joints] = choose(from, 256) - 100;
    skl_status status;
    const skl_code code = skl_skeleton_init(skeleton, joints, parents, rest, rarely(from, 4) ? rest : NULL, &status);
    free(parents);
    free(rest);
    return code == SKL_OK;
}

/* Joints in any order, one of them not there now and then, or all below one. */
static const skl_pose_part *choose_part_of_pose(const skl_skeleton *skeleton, fuzz_bytes *from, skl_pose_part *part,
                                                int64_t joints[8]) {
    const uint64_t count = (uint64_t)skeleton->num_joints;
    if (rarely(from, 2)) return NULL;
    *part = (skl_pose_part){.start = (int64_t)(next_random(from) % count)};
    if (rarely(from, 3)) return part;
    part->joints = joints;
    part->num_joints = choose(from, 8);
    for (int i = 0; i < part->num_joints; i++) joints[i] = (int64_t)(next_random(from) % count);
    if (rarely(from, 20)) joints[0] = choose(from, 256) - 100;
    return part;
}

static int64_t joints_of(const skl_skeleton *skeleton, const skl_pose_part *part) {
    return part && part->joints ? part->num_joints : skeleton->num_joints;
}

static void pose_jobs(const skl_skeleton *skeleton, fuzz_bytes *from) {
    skl_pose_job data = {.skeleton = skeleton, .dtype = choose_dtype(from), .out_rows = 3 + choose(from, 2)};
    fuzz_job jobs[] = {START(skl_pose_job, data, forward_kinematics), START(skl_pose_job, data, local_from_global),
                       START(skl_pose_job, data, skinning_matrices)};
    const int verb = choose(from, 3);
    skl_pose_part part;
    int64_t joints[8];
    if (verb == 0) data.part = choose_part_of_pose(skeleton, from, &part, joints);
    jobs[verb].reads_out = data.part && !part.joints;
    add(&jobs[verb], offsetof(skl_pose_job, matrices), 12, skeleton->num_joints, FUZZ_INPUT);
    add(&jobs[verb], offsetof(skl_pose_job, out), 4 * data.out_rows, joints_of(skeleton, data.part), FUZZ_OUTPUT);
    fuzz_run(&jobs[verb], from);
}

static void trs_job(const skl_skeleton *skeleton, fuzz_bytes *from) {
    typedef skl_forward_kinematics_trs_job type;
    type data = {.skeleton = skeleton, .dtype = choose_dtype(from), .out_rows = 3 + choose(from, 2)};
    fuzz_job job = START(type, data, forward_kinematics_trs);
    skl_pose_part part;
    int64_t joints[8];
    data.part = choose_part_of_pose(skeleton, from, &part, joints);
    job.reads_out = data.part && !part.joints;
    add(&job, offsetof(type, rotations), 4, skeleton->num_joints, FUZZ_INPUT);
    add(&job, offsetof(type, translations), 3, skeleton->num_joints, FUZZ_OPTIONAL);
    add(&job, offsetof(type, scales), 3, skeleton->num_joints, FUZZ_OPTIONAL);
    add(&job, offsetof(type, out), 4 * data.out_rows, joints_of(skeleton, data.part), FUZZ_OUTPUT);
    fuzz_run(&job, from);
}

static void relative_transform_job(const skl_skeleton *skeleton, fuzz_bytes *from) {
    typedef skl_relative_transform_job type;
    const uint64_t count = (uint64_t)skeleton->num_joints;
    type data = {.skeleton = skeleton, .dtype = choose_dtype(from), .out_rows = 3 + choose(from, 2)};
    data.from_joint = (int64_t)(next_random(from) % count) - rarely(from, 20);
    data.to_joint = (int64_t)(next_random(from) % count) + rarely(from, 20);
    fuzz_job job = START(type, data, relative_transform);
    add(&job, offsetof(type, local), 12, skeleton->num_joints, FUZZ_INPUT);
    add(&job, offsetof(type, out), 4, data.out_rows, FUZZ_OUTPUT);
    fuzz_run(&job, from);
}

static void relative_jobs(const skl_skeleton *skeleton, fuzz_bytes *from) {
    if (rarely(from, 2)) {
        relative_transform_job(skeleton, from);
        return;
    }
    typedef skl_rest_relative_job type;
    type data = {.skeleton = skeleton, .dtype = choose_dtype(from), .rest_axes = choose(from, 2)};
    fuzz_job job = START(type, data, rest_relative);
    add(&job, offsetof(type, rotations), 4, skeleton->num_joints, FUZZ_INPUT);
    add(&job, offsetof(type, out_rotations), 4, skeleton->num_joints, FUZZ_OUTPUT);
    add(&job, offsetof(type, out_translations), 3, skeleton->num_joints, FUZZ_OUTPUT);
    fuzz_run(&job, from);
}

/* --- joints that turn -----------------------------------------------------------------------------------------------
 */

/* Poses as they come, limits of some joints, one of them not there now and then. */
static skl_turned_poses choose_poses(const skl_skeleton *skeleton, fuzz_bytes *from, skl_joint_limit limits[3]) {
    skl_turned_poses poses = {.skeleton = skeleton,
                              .dtype = choose_dtype(from),
                              .local_rows = 3 + choose(from, 2),
                              .limits = limits,
                              .out_rows = 3 + choose(from, 2)};
    poses.num_limits = rarely(from, 2) ? choose(from, 3) : 0;
    for (int n = 0; n < poses.num_limits; n++) {
        skl_joint_limit *l = &limits[n];
        *l = (skl_joint_limit){.joint = (int32_t)(next_random(from) % (uint64_t)skeleton->num_joints)};
        for (int i = 0; i < 9; i++) l->frame[i] = l->rest[i] = i % 4 == 0;
        l->swing[0] = l->swing[1] = 0.2 * n;
        l->twist[0] = -0.1;
        l->twist[1] = 0.01 * choose(from, 256);
    }
    if (rarely(from, 30)) limits[0].joint = choose(from, 256) - 100;
    return poses;
}

static int64_t choose_joint(const skl_skeleton *skeleton, fuzz_bytes *from) {
    const int64_t joint = (int64_t)(next_random(from) % (uint64_t)skeleton->num_joints);
    return rarely(from, 20) ? joint - 1 : joint;
}

#define START_TURN(type, data, verb)                                                                                   \
    {.job = &(data),                                                                                                   \
     .size = sizeof(data),                                                                                             \
     .status = offsetof(type, status),                                                                                 \
     .dtype = (data).poses.dtype,                                                                                      \
     .run = run_##verb}

static void run_turn(fuzz_job *job, const skl_turned_poses *poses, fuzz_bytes *from) {
    const int64_t joints = poses->skeleton->num_joints;
    add(job, offsetof(skl_points_at_job, poses.local), 4 * poses->local_rows, joints, FUZZ_INPUT);
    add(job, offsetof(skl_points_at_job, poses.out), 4 * poses->out_rows, joints, FUZZ_OUTPUT);
    fuzz_run(job, from);
}

static void points_at_job(const skl_skeleton *skeleton, fuzz_bytes *from, const skl_turned_poses *poses) {
    typedef skl_points_at_job type;
    type data = {.poses = *poses, .joint = choose_joint(skeleton, from), .target_joint = choose_joint(skeleton, from)};
    data.tip_joint = rarely(from, 2) ? -1 : choose_joint(skeleton, from);
    data.world = choose(from, 2);
    fuzz_job job = START_TURN(type, data, points_at);
    add(&job, offsetof(type, target), 3, 1, FUZZ_OPTIONAL);
    add(&job, offsetof(type, tip), 3, 1, FUZZ_OPTIONAL);
    add(&job, offsetof(type, up), 3, 1, FUZZ_OPTIONAL);
    add(&job, offsetof(type, own_up), 3, 1, FUZZ_OPTIONAL);
    add(&job, offsetof(type, weight), 1, 1, FUZZ_OPTIONAL);
    run_turn(&job, poses, from);
}

static void ground_jobs(const skl_skeleton *skeleton, fuzz_bytes *from, const skl_turned_poses *poses) {
    typedef skl_align_to_ground_job foot_type;
    typedef skl_roll_toe_job toe_type;
    foot_type foot = {.poses = *poses, .foot = choose_joint(skeleton, from)};
    toe_type toe = {.poses = *poses, .toe = foot.foot};
    fuzz_job jobs[] = {START_TURN(foot_type, foot, align_to_ground), START_TURN(toe_type, toe, roll_toe)};
    const int toes = choose(from, 2);
    add(&jobs[toes], toes ? offsetof(toe_type, normal) : offsetof(foot_type, normal), 3, 1, FUZZ_INPUT);
    add(&jobs[toes], toes ? offsetof(toe_type, up) : offsetof(foot_type, up), 3, 1, FUZZ_INPUT);
    add(&jobs[toes], toes ? offsetof(toe_type, sole) : offsetof(foot_type, sole), 3, 1, FUZZ_OPTIONAL);
    add(&jobs[toes], toes ? offsetof(toe_type, weight) : offsetof(foot_type, weight), 1, 1, FUZZ_OPTIONAL);
    add(&jobs[toes], toes ? offsetof(toe_type, hinge) : offsetof(foot_type, forward), 3, 1, FUZZ_OPTIONAL);
    if (!toes) add(&jobs[0], offsetof(foot_type, max_slope), 1, 1, FUZZ_OPTIONAL);
    run_turn(&jobs[toes], poses, from);
}

static void positions_job(const skl_skeleton *skeleton, fuzz_bytes *from, const skl_turned_poses *poses) {
    typedef skl_rotations_from_positions_job type;
    int32_t chain[70];
    type data = {.poses = *poses, .chain = chain, .world = choose(from, 2)};
    for (int64_t j = skeleton->num_joints - 1; j >= 0; j = skeleton->parents[j])
        if (!rarely(from, 4)) chain[data.num_joints++] = (int32_t)j;
    for (int64_t k = 0; k < data.num_joints / 2; k++) {
        const int32_t other = chain[k];
        chain[k] = chain[data.num_joints - 1 - k];
        chain[data.num_joints - 1 - k] = other;
    }
    if (data.num_joints && rarely(from, 20)) chain[0] = choose(from, 256) - 100;
    fuzz_job job = START_TURN(type, data, rotations_from_positions);
    add(&job, offsetof(type, positions), 3, data.num_joints, FUZZ_INPUT);
    run_turn(&job, poses, from);
}

static void turn_joint_job(const skl_skeleton *skeleton, fuzz_bytes *from, const skl_turned_poses *poses) {
    typedef skl_turn_joint_job type;
    type data = {.poses = *poses, .joint = choose_joint(skeleton, from)};
    fuzz_job job = START_TURN(type, data, turn_joint);
    add(&job, offsetof(type, rotation), 4, 1, FUZZ_INPUT);
    add(&job, offsetof(type, weight), 1, 1, FUZZ_OPTIONAL);
    run_turn(&job, poses, from);
}

static void turn_jobs(const skl_skeleton *skeleton, fuzz_bytes *from) {
    static void (*const verbs[])(const skl_skeleton *, fuzz_bytes *, const skl_turned_poses *) = {
        points_at_job, ground_jobs, positions_job, turn_joint_job};
    skl_joint_limit limits[3] = {{0}};
    const skl_turned_poses poses = choose_poses(skeleton, from, limits);
    verbs[choose(from, 4)](skeleton, from, &poses);
}

/* --- weights --------------------------------------------------------------------------------------------------------
 */

/* Influences of each vertex, of changing number, many of them 0; returns how many entries there are. */
static int64_t make_offsets(int64_t *offsets, int64_t vertices, int64_t most, fuzz_bytes *from) {
    offsets[0] = 0;
    for (int64_t v = 0; v < vertices; v++)
        offsets[v + 1] = offsets[v] + (int64_t)(next_random(from) % (uint64_t)(most + 1));
    if (vertices && rarely(from, 40)) offsets[next_random(from) % (uint64_t)vertices] += choose(from, 9) - 4;
    return offsets[vertices];
}

static int make_weights(skl_weights *weights, fuzz_bytes *from) {
    const int64_t vertices = choose_count(from, 255), most = choose(from, 12), joints = choose_count(from, 70);
    int64_t *offsets = fuzz_memory((size_t)(vertices + 1) * sizeof *offsets);
    const int ragged = rarely(from, 2);
    const int64_t entries = ragged ? make_offsets(offsets, vertices, most, from) : vertices * most;
    const size_t size = entries > 0 ? (size_t)entries : 0;
    int64_t *ids = fuzz_memory(size * sizeof *ids);
    double *values = fuzz_memory(size * sizeof *values);
    const unsigned odd = rarely(from, 20) ? 50 : 0;
    const int zeros = choose(from, 4);
    for (size_t i = 0; i < size; i++) {
        ids[i] = joints ? (int64_t)(next_random(from) % (uint64_t)joints) : 0;
        values[i] = next_random(from) % 4 < (uint64_t)zeros ? 0.0 : next_number(from, odd);
    }
    if (size && rarely(from, 30)) ids[next_random(from) % size] = (int64_t)(next_random(from) >> choose(from, 64));
    skl_status status;
    const skl_code code =
        skl_weights_init(weights, vertices, most, joints, ragged ? offsets : NULL, ids, values, &status);
    free(offsets);
    free(ids);
    free(values);
    return code == SKL_OK;
}

static skl_skin_method choose_method(fuzz_bytes *from) { return rarely(from, 2) ? SKL_DUAL_QUATERNION : SKL_LINEAR; }

static void skin_points_job(const skl_weights *weights, fuzz_bytes *from) {
    typedef skl_skin_points_job type;
    type data = {.weights = weights, .dtype = choose_dtype(from), .method = choose_method(from)};
    fuzz_job job = START(type, data, skin_points);
    add(&job, offsetof(type, points), 3, weights->num_vertices, FUZZ_INPUT);
    add(&job, offsetof(type, matrices), 12, weights->num_joints, FUZZ_INPUT);
    add(&job, offsetof(type, out), 3, weights->num_vertices, FUZZ_OUTPUT);
    fuzz_run(&job, from);
}

/* Corners of random vertices; 0 where a vertex that is not there has been refused. */
static int take_corners(skl_weights *corners, const skl_weights *weights, fuzz_bytes *from) {
    int64_t vertices[64];
    const int64_t count = weights->num_vertices ? choose(from, 64) : 0;
    for (int64_t i = 0; i < count; i++) vertices[i] = (int64_t)(next_random(from) % (uint64_t)weights->num_vertices);
    if (count && rarely(from, 20)) vertices[next_random(from) % (uint64_t)count] = choose(from, 256) - 100;
    skl_status status;
    return skl_weights_take(corners, weights, vertices, count, &status) == SKL_OK;
}

static void skin_mesh_job(const skl_weights *weights, fuzz_bytes *from) {
    typedef skl_skin_mesh_job type;
    skl_weights corners;
    type data = {.weights = weights, .dtype = choose_dtype(from), .method = choose_method(from)};
    fuzz_job job = START(type, data, skin_mesh);
    int64_t rows = weights->num_vertices;
    const int what = choose(from, 4);
    data.tangent_size = 3 + choose(from, 2);
    if (rarely(from, 3)) {
        if (!take_corners(&corners, weights, from)) return;
        data.corners = &corners;
        rows = corners.num_vertices;
    }
    add(&job, offsetof(type, points), 3, weights->num_vertices, FUZZ_INPUT);
    add(&job, offsetof(type, matrices), 12, weights->num_joints, FUZZ_INPUT);
    add(&job, offsetof(type, out_points), 3, weights->num_vertices, FUZZ_OUTPUT);
    if (what & 1) {
        add(&job, offsetof(type, normals), 3, rows, FUZZ_INPUT);
        add(&job, offsetof(type, out_normals), 3, rows, FUZZ_OUTPUT);
    }
    if (what & 2) {
        add(&job, offsetof(type, tangents), data.tangent_size, rows, FUZZ_INPUT);
        add(&job, offsetof(type, out_tangents), data.tangent_size, rows, FUZZ_OUTPUT);
    }
    fuzz_run(&job, from);
    if (data.corners) skl_weights_free(&corners);
}

/* --- transforms -----------------------------------------------------------------------------------------------------
 */

static void compose_jobs(fuzz_bytes *from) {
    if (rarely(from, 2)) {
        skl_compose_job data = {.dtype = choose_dtype(from), .out_rows = 3 + choose(from, 2)};
        fuzz_job job = START(skl_compose_job, data, compose);
        add(&job, offsetof(skl_compose_job, translations), 3, 1, FUZZ_INPUT);
        add(&job, offsetof(skl_compose_job, rotations), 4, 1, FUZZ_INPUT);
        add(&job, offsetof(skl_compose_job, scales), 3, 1, FUZZ_OPTIONAL);
        add(&job, offsetof(skl_compose_job, out), 4, data.out_rows, FUZZ_OUTPUT);
        fuzz_run(&job, from);
    } else {
        skl_decompose_job data = {.dtype = choose_dtype(from)};
        fuzz_job job = START(skl_decompose_job, data, decompose);
        add(&job, offsetof(skl_decompose_job, matrices), 4, 3, FUZZ_INPUT);
        add(&job, offsetof(skl_decompose_job, translations), 3, 1, FUZZ_OUTPUT);
        add(&job, offsetof(skl_decompose_job, rotations), 4, 1, FUZZ_OUTPUT);
        add(&job, offsetof(skl_decompose_job, scales), 3, 1, FUZZ_OUTPUT);
        if (rarely(from, 2)) add(&job, offsetof(skl_decompose_job, shear), 3, 3, FUZZ_OUTPUT);
        fuzz_run(&job, from);
    }
}

static void matrix_jobs(fuzz_bytes *from) {
    skl_matrix_job data = {.dtype = choose_dtype(from), .out_rows = 3 + choose(from, 2)};
    fuzz_job jobs[] = {START(skl_matrix_job, data, invert), START(skl_matrix_job, data, invert_rigid)};
    fuzz_job *job = &jobs[choose(from, 2)];
    add(job, offsetof(skl_matrix_job, matrices), 4, 3, FUZZ_INPUT);
    add(job, offsetof(skl_matrix_job, out), 4, data.out_rows, FUZZ_OUTPUT);
    fuzz_run(job, from);
}

static void change_basis_jobs(fuzz_bytes *from) {
    typedef skl_change_basis_job type;
    type data = {.dtype = choose_dtype(from), .out_rows = 3 + choose(from, 2)};
    fuzz_job jobs[] = {START(type, data, change_basis), START(type, data, change_basis_points)};
    const int points = choose(from, 2);
    add(&jobs[points], offsetof(type, values), points ? 3 : 4, points ? 1 : 3, FUZZ_INPUT);
    add(&jobs[points], offsetof(type, from_basis), 4, 3, FUZZ_INPUT);
    add(&jobs[points], offsetof(type, to_basis), 4, 3, FUZZ_INPUT);
    add(&jobs[points], offsetof(type, out), points ? 3 : 4, points ? 1 : data.out_rows, FUZZ_OUTPUT);
    fuzz_run(&jobs[points], from);
}

static void quaternion_jobs(fuzz_bytes *from) {
    typedef skl_quaternion_job type;
    /* Numbers and rows of a, b and out; 0: not there. */
    static const struct {
        skl_code (*run)(void *);
        int a, a_rows, b, t, out, out_rows;
    } verbs[] = {{run_quaternion_multiply, 4, 1, 4, 0, 4, 1},
                 {run_quaternion_rotate, 4, 1, 3, 0, 3, 1},
                 {run_quaternion_between, 3, 1, 3, 0, 4, 1},
                 {run_quaternion_slerp, 4, 1, 4, 1, 4, 1},
                 {run_quaternion_from_matrix, 4, 3, 0, 0, 4, 1},
                 {run_quaternion_to_matrix, 4, 1, 0, 0, 3, 3},
                 {run_quaternion_from_rotation_vector, 3, 1, 0, 0, 4, 1},
                 {run_quaternion_to_rotation_vector, 4, 1, 0, 0, 3, 1}};
    const int k = choose(from, (int)(sizeof verbs / sizeof *verbs));
    type data = {.dtype = choose_dtype(from)};
    fuzz_job job = START(type, data, quaternion_multiply);
    job.run = verbs[k].run;
    add(&job, offsetof(type, a), verbs[k].a, verbs[k].a_rows, FUZZ_INPUT);
    if (verbs[k].b) add(&job, offsetof(type, b), verbs[k].b, 1, FUZZ_INPUT);
    if (verbs[k].t) add(&job, offsetof(type, t), 1, 1, FUZZ_INPUT);
    add(&job, offsetof(type, out), verbs[k].out, verbs[k].out_rows, FUZZ_OUTPUT);
    fuzz_run(&job, from);
}

/* --- chains ---------------------------------------------------------------------------------------------------------
 */

/* Codes and iterations have no numbers of the job's type: they lie in memory of their own, as `out` has dimensions. */
static skl_code run_fabrik(void *data) {
    skl_solve_fabrik_job *job = data;
    int64_t items = 1;
    for (int d = 0; d < job->out.ndim; d++) items *= job->out.shape[d];
    job->out_status = job->out_iterations = job->out;
    job->out_status.data = fuzz_memory((size_t)items);
    job->out_iterations.data = fuzz_memory((size_t)items * sizeof(int32_t));
    for (int64_t d = job->out.ndim - 1, step = 1; d >= 0; step *= job->out.shape[d--]) {
        job->out_status.strides[d] = step;
        job->out_iterations.strides[d] = step * (int64_t)sizeof(int32_t);
    }
    const skl_code code = skl_solve_fabrik_run(job);
    if (code == SKL_OK)
        for (int64_t i = 0; i < items; i++)
            if (((uint8_t *)job->out_status.data)[i] > SKL_NOT_CONVERGED) fuzz_fail("a status that there is not");
    free(job->out_status.data);
    free(job->out_iterations.data);
    return code;
}

static void fabrik_job(fuzz_bytes *from) {
    typedef skl_solve_fabrik_job type;
    int32_t parents[24], leaves[24];
    type data = {.dtype = choose_dtype(from), .num_joints = choose_count(from, 24), .num_targets = 1};
    data.tolerance = rarely(from, 20) ? 0 : ldexp(1, -1 - choose(from, 30));
    data.max_iterations = choose(from, 12);
    if (rarely(from, 2)) {
        uint8_t inner[24] = {0};
        const int free_leaves = choose(from, 3);
        data.num_targets = 0;
        for (int j = 0; j < data.num_joints; j++) {
            parents[j] = j ? (int32_t)(next_random(from) % (uint64_t)j) : -1;
            if (j) inner[parents[j]] = 1;
        }
        for (int32_t j = 0; j < data.num_joints; j++)
            if (!inner[j] && j % 3 >= free_leaves) leaves[data.num_targets++] = j;
        if (data.num_joints > 0 && rarely(from, 20)) parents[data.num_joints / 2] = choose(from, 256) - 100;
        if (data.num_targets > 0 && rarely(from, 20)) leaves[data.num_targets - 1] = choose(from, 256) - 100;
        data.parents = parents;
        data.leaves = leaves;
    }
    fuzz_job job = START(type, data, fabrik);
    add(&job, offsetof(type, positions), 3, data.num_joints, FUZZ_INPUT);
    add(&job, offsetof(type, target), 3, data.num_targets, FUZZ_INPUT);
    if (data.num_targets < 2 || rarely(from, 20)) add(&job, offsetof(type, pole), 3, 1, FUZZ_OPTIONAL);
    add(&job, offsetof(type, out_error), 1, 1, FUZZ_OUTPUT);
    add(&job, offsetof(type, out), 3, data.num_joints, FUZZ_OUTPUT);
    fuzz_run(&job, from);
}

/* --- the fuzzer's entry ---------------------------------------------------------------------------------------------
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const isas[] = {NULL, NULL, "scalar", "sse2", "avx2"};
    static void (*const others[])(fuzz_bytes *) = {compose_jobs, matrix_jobs, change_basis_jobs, quaternion_jobs,
                                                   fabrik_job};
    fuzz_bytes from = {.data = data, .left = size, .state = 88172645463325252ULL};
    const int what = choose(&from, 8);
    skl_status ignored;
    skl_isa_select(isas[choose(&from, 5)]);
    skl_set_num_threads(rarely(&from, 8) ? 3 : 1, &ignored);
    from.state ^= (uint64_t)next_byte(&from) << 20;
    skl_skeleton skeleton;
    skl_weights weights;
    if (what < 4) {
        if (!make_skeleton(&skeleton, &from)) return 0;
        static void (*const verbs[])(const skl_skeleton *, fuzz_bytes *) = {pose_jobs, turn_jobs, trs_job,
                                                                            relative_jobs};
        verbs[what](&skeleton, &from);
        skl_skeleton_free(&skeleton);
    } else if (what < 7) {
        if (!make_weights(&weights, &from)) return 0;
        if (what < 6)
            skin_mesh_job(&weights, &from);
        else
            skin_points_job(&weights, &from);
        skl_weights_free(&weights);
    } else {
        others[choose(&from, 5)](&from);
    }
    return 0;
}
