/* SPDX-License-Identifier: MIT */
/* Every job without each of its members in turn, and of zeros: it answers, with a sentence where the member is needed,
 * and never by a signal. members.inl says which members there are, and which of them the header lets be left out. */
/* For processes. */
#define _DEFAULT_SOURCE
#define _DARWIN_C_SOURCE
#include <stddef.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "biped.h"
#include "check.h"
#include "skelkin/skelkin.h"

/* --- what members.inl is made of ---------------------------------------------------------------------------------- */

enum kind { NEEDED, OPTIONAL, VALUE, RESULT, ARRAY_NEEDED, ARRAY_OPTIONAL };

/* On the way to a member: a struct inside of another, or behind a pointer. */
typedef struct step {
    int pointer;
    size_t at;
} step;
#define INSIDE(type, name) {0, offsetof(type, name)}
#define THROUGH(type, name) {1, offsetof(type, name)}

typedef struct member {
    const char *name;
    enum kind kind;
    size_t at, size;
    int steps;
    step way[4];
} member;
#define AT(type, name) offsetof(type, name), sizeof(((const type *)0)->name)

typedef struct verb {
    const char *name, *job;
    void (*fill)(void *job, int variant);
    skl_code (*run)(void *job, skl_status *status);
    size_t size;
    const member *members;
    int count;
} verb;
#define VERB(name, type)                                                                                               \
    {#name,                                                                                                            \
     #type,                                                                                                            \
     fill_##name,                                                                                                      \
     run_##name,                                                                                                       \
     sizeof(type),                                                                                                     \
     type##_members,                                                                                                   \
     (int)(sizeof type##_members / sizeof *type##_members)}
#define RUN(name, type)                                                                                                \
    static skl_code run_##name(void *job, skl_status *status) {                                                        \
        const skl_code code = skl_##name##_run(job);                                                                   \
        *status = ((type *)job)->status;                                                                               \
        return code;                                                                                                   \
    }

/* --- whole jobs --------------------------------------------------------------------------------------------------- */

enum { ITEMS = 3, JOINTS_OF_RIG = 6, VERTICES = 70, BONES = 4, FRAMES_OF_CURVES = 6 };

/* Numbers of a job, and structs that it points to: these are changed, those compared. */
static char pool[1 << 18], structs[1 << 14];
static size_t pool_used, structs_used;

static skl_skeleton rig;
static skl_weights weights, corners;
static biped walker;

static void *from_pool(size_t bytes) {
    void *at = pool + pool_used;
    pool_used += (bytes + 15) / 16 * 16;
    if (pool_used > sizeof pool) abort();
    return at;
}

static void *keep(const void *made, size_t bytes) {
    void *at = structs + structs_used;
    structs_used += (bytes + 15) / 16 * 16;
    if (structs_used > sizeof structs) abort();
    return memcpy(at, made, bytes);
}
#define KEEP(type, ...) keep(&(type)__VA_ARGS__, sizeof(type))

/* From 0.1 to 0.9, by where they are: the same whenever a job is filled. */
static double number_at(const void *at) {
    uint64_t mixed = (uint64_t)((const char *)at - pool) * 0x9e3779b97f4a7c15U;
    mixed = (mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9U;
    return 0.1 + 0.8 * (double)(mixed >> 11) / 9007199254740992.0;
}

static double *numbers(int64_t count) {
    double *at = from_pool((size_t)count * sizeof *at);
    for (int64_t i = 0; i < count; i++) at[i] = number_at(&at[i]);
    return at;
}

static float *narrow(int64_t count) {
    float *at = from_pool((size_t)count * sizeof *at);
    for (int64_t i = 0; i < count; i++) at[i] = (float)number_at(&at[i]);
    return at;
}

/* Matrices that have an inverse. */
static double *matrices(int64_t count) {
    double *at = numbers(16 * count);
    for (int64_t i = 0; i < 16 * count; i++) at[i] = i % 16 < 12 ? 0.1 * at[i] + (i % 16 % 5 == 0) : i % 16 == 15;
    return at;
}

static float *narrow_matrices(int64_t count) {
    float *at = narrow(16 * count);
    const double *from = matrices(count);
    for (int64_t i = 0; i < 16 * count; i++) at[i] = (float)from[i];
    return at;
}

static void *copied(const void *from, size_t bytes) { return memcpy(from_pool(bytes), from, bytes); }
#define LIST(type, ...) copied((const type[])__VA_ARGS__, sizeof((const type[])__VA_ARGS__))

static skl_array array_of(const void *data, int64_t count, int64_t each) {
    const int64_t items = ITEMS;
    return skl_contiguous(data, count, (size_t)each * sizeof(double), 1, &items);
}
static skl_array in(int64_t count, int64_t each) { return array_of(numbers(ITEMS * count * each), count, each); }
static skl_array matrices_in(int64_t count) { return array_of(matrices(ITEMS * count), count, 16); }
/* In verbs of matrices a step leads from row to row. */
static skl_array rows_in(void) { return array_of(matrices(ITEMS), 4, 4); }
static skl_array out(int64_t count, int64_t each) {
    return array_of(from_pool((size_t)(ITEMS * count * each) * sizeof(double)), count, each);
}
static skl_array codes_out(size_t size) {
    const int64_t items = ITEMS;
    return skl_contiguous(from_pool(ITEMS * size), 1, size, 1, &items);
}
/* One item per chain: two of them. */
static skl_array of_chains(int64_t each, size_t size, int is_output) {
    const int64_t shape[2] = {ITEMS, 2};
    const size_t bytes = (size_t)(2 * ITEMS * each) * size;
    return skl_contiguous(is_output ? from_pool(bytes) : (void *)numbers(2 * ITEMS * each), 1, (size_t)each * size, 2,
                          shape);
}

static const skl_joint_limit LIMIT = {.joint = 2,
                                      .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      .rest = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                      .swing = {1, 1},
                                      .twist = {-1, 1}};
static const skl_joint_limit *a_limit(void) { return keep(&LIMIT, sizeof LIMIT); }

#define FILL(name, type)                                                                                               \
    static void fill_with_##name(type *job, int variant);                                                              \
    static void fill_##name(void *job, int variant) { fill_with_##name(job, variant); }                                \
    static void fill_with_##name(type *job, int variant)

/* kinematics.h */
FILL(forward_kinematics, skl_pose_job) {
    const int64_t start = variant == 1 ? 2 : 0;
    *job = (skl_pose_job){.skeleton = &rig, .dtype = SKL_FLOAT64, .out_rows = 4};
    job->matrices = matrices_in(JOINTS_OF_RIG);
    if (variant == 0)
        job->part = KEEP(skl_pose_part, {LIST(int64_t, {4, 2}), 2, 0});
    else if (variant == 1)
        job->part = KEEP(skl_pose_part, {NULL, 0, start});
    job->out = variant == 0 ? out(2, 16) : matrices_in(JOINTS_OF_RIG);
}
FILL(skinning_matrices, skl_pose_job) { fill_forward_kinematics(job, 2 + variant); }
FILL(local_from_global, skl_pose_job) { fill_forward_kinematics(job, 2 + variant); }
FILL(forward_kinematics_trs, skl_forward_kinematics_trs_job) {
    (void)variant;
    *job = (skl_forward_kinematics_trs_job){.skeleton = &rig, .dtype = SKL_FLOAT64, .out_rows = 4};
    job->rotations = in(JOINTS_OF_RIG, 4);
    job->translations = in(JOINTS_OF_RIG, 3);
    job->scales = in(JOINTS_OF_RIG, 3);
    job->part = variant ? KEEP(skl_pose_part, {NULL, 0, 2}) : KEEP(skl_pose_part, {LIST(int64_t, {4, 2}), 2, 0});
    job->out = variant ? matrices_in(JOINTS_OF_RIG) : out(2, 16);
}
FILL(rest_relative, skl_rest_relative_job) {
    (void)variant;
    *job = (skl_rest_relative_job){.skeleton = &rig, .dtype = SKL_FLOAT64, .rest_axes = 1};
    job->rotations = in(JOINTS_OF_RIG, 4);
    job->out_rotations = out(JOINTS_OF_RIG, 4);
    job->out_translations = out(JOINTS_OF_RIG, 3);
}

/* ik.h */
static skl_two_bone_options options_of(int variant, skl_array vector, skl_array number) {
    skl_two_bone_options options = {.bend = vector,
                                    .soften = number,
                                    .stretch_start = number,
                                    .twist = number,
                                    .weight = number,
                                    .minimal_roll = 1};
    if (variant == 0) options.pole = vector;
    if (variant == 1) options.pole_direction = vector;
    options.stretch = number;
    options.stretch.data = keep((const double[]){2, 2, 2, 2, 2, 2}, 6 * sizeof(double));
    return options;
}
FILL(solve_two_bone, skl_solve_two_bone_job) {
    *job = (skl_solve_two_bone_job){.dtype = SKL_FLOAT64};
    job->a = in(1, 3), job->b = in(1, 3), job->c = in(1, 3), job->target = in(1, 3);
    job->options = options_of(variant, in(1, 3), in(1, 1));
    job->out_b = out(1, 3), job->out_c = out(1, 3), job->out_upper = out(1, 4), job->out_lower = out(1, 4);
    job->out_error = out(1, 1), job->out_stretch = out(1, 1), job->out_status = codes_out(1);
}
FILL(limit_poses, skl_limit_poses_job) {
    (void)variant;
    *job = (skl_limit_poses_job){.skeleton = &rig,
                                 .dtype = SKL_FLOAT64,
                                 .limits = a_limit(),
                                 .num_limits = 1,
                                 .local_rows = 4,
                                 .hard = 1,
                                 .out_rows = 4};
    job->local = matrices_in(JOINTS_OF_RIG);
    job->out = out(JOINTS_OF_RIG, 16);
    job->out_angle = out(1, 1);
}
FILL(apply_two_bone, skl_apply_two_bone_job) {
    *job = (skl_apply_two_bone_job){.skeleton = &rig,
                                    .dtype = SKL_FLOAT64,
                                    .num_chains = 2,
                                    .local_rows = 4,
                                    .out_rows = 4,
                                    .limits = a_limit(),
                                    .num_limits = 1,
                                    .end_rotation = SKL_KEEP_LOCAL};
    job->chains = LIST(int32_t, {1, 2, 3, 2, 3, 4});
    job->bends = numbers(6);
    job->local = matrices_in(JOINTS_OF_RIG);
    job->target = of_chains(3, sizeof(double), 0);
    job->goal = of_chains(4, sizeof(double), 0);
    job->options = options_of(variant, of_chains(3, sizeof(double), 0), of_chains(1, sizeof(double), 0));
    if (variant == 2) job->hinge = of_chains(3, sizeof(double), 0);
    job->out = out(JOINTS_OF_RIG, 16);
    job->out_status = of_chains(1, 1, 1);
    job->out_error = of_chains(1, sizeof(double), 1);
}

/* fabrik.h */
FILL(solve_fabrik, skl_solve_fabrik_job) {
    (void)variant;
    *job = (skl_solve_fabrik_job){
        .dtype = SKL_FLOAT64, .num_joints = 4, .num_targets = 1, .tolerance = 1e-6, .max_iterations = 9};
    job->parents = LIST(int32_t, {-1, 0, 1, 2});
    job->leaves = LIST(int32_t, {3});
    job->positions = in(4, 3), job->target = in(1, 3), job->pole = in(1, 3);
    job->out = out(4, 3), job->out_error = out(1, 1);
    job->out_status = codes_out(1), job->out_iterations = codes_out(sizeof(int32_t));
}

/* turns.h */
static skl_turned_poses poses(void) {
    skl_turned_poses made = {.skeleton = &rig,
                             .dtype = SKL_FLOAT64,
                             .local_rows = 4,
                             .limits = a_limit(),
                             .num_limits = 1,
                             .out_rows = 4,
                             .spoils_out = 1};
    made.local = matrices_in(JOINTS_OF_RIG);
    made.out = out(JOINTS_OF_RIG, 16);
    return made;
}
FILL(turn_joint, skl_turn_joint_job) {
    (void)variant;
    *job = (skl_turn_joint_job){.poses = poses(), .joint = 2, .rotation = in(1, 4), .weight = in(1, 1)};
}
FILL(points_at, skl_points_at_job) {
    *job = (skl_points_at_job){
        .poses = poses(), .joint = 2, .up = in(1, 3), .own_up = in(1, 3), .world = 1, .weight = in(1, 1)};
    if (variant == 0)
        job->target = in(1, 3), job->tip = in(1, 3), job->tip_joint = -1;
    else
        job->target_joint = 5, job->tip_joint = 4;
}
FILL(align_to_ground, skl_align_to_ground_job) {
    (void)variant;
    *job = (skl_align_to_ground_job){.poses = poses(),
                                     .foot = 3,
                                     .normal = in(1, 3),
                                     .up = in(1, 3),
                                     .max_slope = in(1, 1),
                                     .sole = in(1, 3),
                                     .forward = in(1, 3),
                                     .weight = in(1, 1)};
}
FILL(roll_toe, skl_roll_toe_job) {
    (void)variant;
    *job = (skl_roll_toe_job){.poses = poses(),
                              .toe = 4,
                              .normal = in(1, 3),
                              .up = in(1, 3),
                              .sole = in(1, 3),
                              .hinge = in(1, 3),
                              .weight = in(1, 1)};
}
FILL(limit_slope, skl_limit_slope_job) {
    (void)variant;
    *job = (skl_limit_slope_job){
        .dtype = SKL_FLOAT64, .normal = in(1, 3), .up = in(1, 3), .max_slope = in(1, 1), .out = out(1, 3)};
}
FILL(rotations_from_positions, skl_rotations_from_positions_job) {
    (void)variant;
    *job = (skl_rotations_from_positions_job){
        .poses = poses(), .chain = LIST(int32_t, {1, 2, 3}), .num_joints = 3, .positions = in(3, 3), .world = 1};
}

/* skinning.h */
FILL(skin_points, skl_skin_points_job) {
    (void)variant;
    *job = (skl_skin_points_job){.weights = &weights, .dtype = SKL_FLOAT64, .method = SKL_DUAL_QUATERNION};
    job->points = in(VERTICES, 3), job->matrices = matrices_in(JOINTS_OF_RIG), job->out = out(VERTICES, 3);
}
FILL(skin_mesh, skl_skin_mesh_job) {
    *job = (skl_skin_mesh_job){.weights = &weights,
                               .corners = variant ? NULL : &corners,
                               .dtype = SKL_FLOAT64,
                               .method = SKL_DUAL_QUATERNION,
                               .tangent_size = 4};
    job->points = in(VERTICES, 3), job->normals = in(VERTICES, 3), job->tangents = in(VERTICES, 4);
    job->matrices = matrices_in(JOINTS_OF_RIG);
    job->out_points = out(VERTICES, 3), job->out_normals = out(VERTICES, 3), job->out_tangents = out(VERTICES, 4);
}
FILL(skin_poses, skl_skin_poses_job) {
    (void)variant;
    *job = (skl_skin_poses_job){
        .weights = &weights, .skeleton = &rig, .dtype = SKL_FLOAT64, .method = SKL_DUAL_QUATERNION};
    job->points = in(VERTICES, 3), job->normals = in(VERTICES, 3);
    job->rotations = in(JOINTS_OF_RIG, 4), job->translations = in(JOINTS_OF_RIG, 3), job->scales = in(JOINTS_OF_RIG, 3);
    job->out_points = out(VERTICES, 3), job->out_normals = out(VERTICES, 3);
}

/* transforms.h */
FILL(compose, skl_compose_job) {
    (void)variant;
    *job = (skl_compose_job){.dtype = SKL_FLOAT64,
                             .translations = in(1, 3),
                             .rotations = in(1, 4),
                             .scales = in(1, 3),
                             .out = out(4, 4),
                             .out_rows = 4,
                             .spoils_out = 1};
}
FILL(decompose, skl_decompose_job) {
    (void)variant;
    *job = (skl_decompose_job){.dtype = SKL_FLOAT64,
                               .matrices = rows_in(),
                               .translations = out(1, 3),
                               .rotations = out(1, 4),
                               .scales = out(1, 3),
                               .shear = out(3, 3)};
}
static void fill_matrix(void *job, int variant) {
    (void)variant;
    *(skl_matrix_job *)job =
        (skl_matrix_job){.dtype = SKL_FLOAT64, .matrices = rows_in(), .out = out(4, 4), .out_rows = 4, .spoils_out = 1};
}
#define fill_invert fill_matrix
#define fill_invert_rigid fill_matrix
#define fill_invert_trs fill_matrix
FILL(change_basis, skl_change_basis_job) {
    (void)variant;
    *job = (skl_change_basis_job){.dtype = SKL_FLOAT64,
                                  .values = rows_in(),
                                  .from_basis = rows_in(),
                                  .to_basis = rows_in(),
                                  .out = out(4, 4),
                                  .out_rows = 4};
}
FILL(change_basis_points, skl_change_basis_job) {
    (void)variant;
    *job = (skl_change_basis_job){
        .dtype = SKL_FLOAT64, .values = in(1, 3), .from_basis = rows_in(), .to_basis = rows_in(), .out = out(1, 3)};
}
FILL(relative_transform, skl_relative_transform_job) {
    (void)variant;
    *job = (skl_relative_transform_job){.skeleton = &rig,
                                        .dtype = SKL_FLOAT64,
                                        .from_joint = 4,
                                        .to_joint = 5,
                                        .local = matrices_in(JOINTS_OF_RIG),
                                        .out = out(4, 4),
                                        .out_rows = 4};
}
static void fill_quaternions(void *job, int64_t a, int64_t b, int64_t t, skl_array result) {
    skl_quaternion_job *made = job;
    *made = (skl_quaternion_job){.dtype = SKL_FLOAT64, .out = result, .spoils_out = 1};
    made->a = a ? in(1, a) : rows_in();
    if (b) made->b = in(1, b);
    if (t) made->t = in(1, t);
}
#define QUATERNIONS(name, a, b, t, result)                                                                             \
    static void fill_quaternion_##name(void *job, int variant) {                                                       \
        (void)variant;                                                                                                 \
        fill_quaternions(job, a, b, t, result);                                                                        \
    }
QUATERNIONS(multiply, 4, 4, 0, out(1, 4))
QUATERNIONS(rotate, 4, 3, 0, out(1, 3))
QUATERNIONS(between, 3, 3, 0, out(1, 4))
QUATERNIONS(slerp, 4, 4, 1, out(1, 4))
QUATERNIONS(from_matrix, 0, 0, 0, out(1, 4))
QUATERNIONS(to_matrix, 4, 0, 0, out(3, 3))
QUATERNIONS(from_rotation_vector, 3, 0, 0, out(1, 4))
QUATERNIONS(to_rotation_vector, 4, 0, 0, out(1, 3))
FILL(quaternion_from_axis_angle, skl_axis_angle_job) {
    (void)variant;
    *job = (skl_axis_angle_job){
        .dtype = SKL_FLOAT64, .axes = in(1, 3), .angles = in(1, 1), .quaternions = out(1, 4), .spoils_out = 1};
}
FILL(quaternion_to_axis_angle, skl_axis_angle_job) {
    (void)variant;
    *job = (skl_axis_angle_job){
        .dtype = SKL_FLOAT64, .axes = out(1, 3), .angles = out(1, 1), .quaternions = in(1, 4), .spoils_out = 1};
}
FILL(quaternion_swing_twist, skl_swing_twist_job) {
    (void)variant;
    *job = (skl_swing_twist_job){.dtype = SKL_FLOAT64,
                                 .quaternions = in(1, 4),
                                 .axes = in(1, 3),
                                 .swing = out(1, 4),
                                 .twist = out(1, 4),
                                 .spoils_out = 1};
}
FILL(quaternion_from_euler, skl_euler_job) {
    (void)variant;
    *job = (skl_euler_job){
        .dtype = SKL_FLOAT64, .order = {2, 0, 1}, .angles = in(1, 3), .quaternions = out(1, 4), .spoils_out = 1};
}
FILL(quaternion_to_euler, skl_euler_job) {
    (void)variant;
    *job = (skl_euler_job){
        .dtype = SKL_FLOAT64, .order = {2, 0, 1}, .angles = out(1, 3), .quaternions = in(1, 4), .spoils_out = 1};
}

/* blender_pose.h */
static const skl_blender_bones *bones(void) {
    return KEEP(skl_blender_bones, {.num_bones = BONES,
                                    .parents = LIST(int32_t, {-1, 0, 1, 0}),
                                    .rest = narrow_matrices(BONES),
                                    .axes = narrow(9 * BONES),
                                    .offsets = narrow(3 * BONES),
                                    .lengths = narrow(BONES),
                                    .connected = LIST(uint8_t, {0, 1, 0, 1}),
                                    .inherit_rotation = LIST(uint8_t, {1, 1, 1, 0}),
                                    .local_location = LIST(uint8_t, {1, 0, 1, 1}),
                                    .inherit_scale = LIST(uint8_t, {0, 1, 2, 3})});
}
static skl_channel channel(int64_t each) { return (skl_channel){numbers(ITEMS * each), each}; }
FILL(blender_pose, skl_blender_pose_job) {
    (void)variant;
    *job = (skl_blender_pose_job){.bones = bones(),
                                  .dtype = SKL_FLOAT64,
                                  .num_frames = ITEMS,
                                  .modes = LIST(uint8_t, {0, 1, 7, 2}),
                                  .location = channel(3 * BONES),
                                  .rotation = channel(4 * BONES),
                                  .scale = channel(3 * BONES)};
    job->out = out(BONES, 16).data;
}
FILL(blender_local, skl_blender_local_job) {
    (void)variant;
    *job = (skl_blender_local_job){.bones = bones(), .dtype = SKL_FLOAT64, .num_frames = ITEMS};
    job->pose = (skl_channel){matrices(ITEMS * BONES), 16 * BONES};
    job->out = out(BONES, 16).data;
}
FILL(blender_follow, skl_blender_follow_job) {
    *job = (skl_blender_follow_job){.bones = bones(),
                                    .num_frames = ITEMS,
                                    .num_followers = variant ? 0 : 2,
                                    .followers = LIST(int32_t, {1, 2}),
                                    .before = matrices(ITEMS * BONES),
                                    .pose = matrices(ITEMS * BONES)};
}

/* blender_bbones.h, blender_deform.h */
FILL(bbone, skl_bbone_job) {
    static const skl_bend bend = {
        1, {{0, 1, 0}, {0.1, 0.9, 0}}, {1, 1}, {0.1, 0.2}, {{0.1, 0}, {0, 0.1}}, {{1, 1, 1}, {1, 1, 1}}, {1, 1, 1}};
    const skl_bend all[ITEMS] = {bend, bend, bend};
    (void)variant;
    *job =
        (skl_bbone_job){.num_frames = ITEMS, .num_segments = 4, .bends = keep(all, sizeof all), .out = out(5, 16).data};
}
FILL(influences, skl_influences_job) {
    static const skl_envelope envelope = {{0, 0, 0}, {0, 1, 0}, 0.5f, 0.5f, 0.5f, 1, 1, 1};
    const skl_envelope all[2] = {envelope, envelope};
    (void)variant;
    *job = (skl_influences_job){.num_vertices = 3,
                                .num_bones = 2,
                                .points = narrow(9),
                                .group_offsets = LIST(int64_t, {0, 1, 2, 2}),
                                .groups = LIST(int32_t, {0, 1}),
                                .group_weights = narrow(2),
                                .bone_of_group = LIST(int32_t, {0, 1}),
                                .envelopes = keep(all, sizeof all),
                                .use_envelopes = 1};
    job->offsets = from_pool(4 * sizeof(int64_t));
    job->bones = from_pool(6 * sizeof(int32_t));
    job->weights = from_pool(6 * sizeof(float)), job->totals = from_pool(3 * sizeof(float));
}
FILL(deform_linear, skl_deform_linear_job) {
    (void)variant;
    *job = (skl_deform_linear_job){.num_frames = 2,
                                   .num_vertices = 3,
                                   .num_matrices = 2,
                                   .points = narrow(9),
                                   .into = narrow_matrices(1),
                                   .back = narrow_matrices(1),
                                   .matrices = narrow_matrices(4),
                                   .offsets = LIST(int64_t, {0, 1, 2, 3}),
                                   .indices = LIST(int32_t, {0, 1, 1}),
                                   .weights = narrow(3),
                                   .totals = narrow(3),
                                   .masks = narrow(3),
                                   .out = from_pool(18 * sizeof(float))};
}
FILL(deform_dual, skl_deform_dual_job) {
    (void)variant;
    *job = (skl_deform_dual_job){.weights = &weights,
                                 .dtype = SKL_FLOAT64,
                                 .num_frames = 2,
                                 .points = numbers(3 * VERTICES),
                                 .into = matrices(1),
                                 .back = matrices(1),
                                 .motions = numbers(2 * JOINTS_OF_RIG * 8),
                                 .scales = numbers(2 * JOINTS_OF_RIG * 12),
                                 .blend_scales = 1,
                                 .out = from_pool(6 * VERTICES * sizeof(double))};
}

/* blender_fcurves.h, blender_keys.h, blender_ik.h */
FILL(evaluate_fcurves, skl_evaluate_fcurves_job) {
    const skl_fcurve_key keys[4] = {{1, 2, {0.5f, 2}, {1.5f, 2}, 1, 1, 1},
                                    {4, 3, {3, 3}, {5, 3}, 1, 1, 1},
                                    {1, 0, {0, 0}, {2, 0}, 1, 1, 1},
                                    {3, 1, {2, 1}, {4, 1}, 1, 1, 1}};
    const skl_fcurve_cycles cycles[2] = {{{3, 3}, {2, 2}, 1, 0, 9, 1, 1, 0.5f}, {{1, 2}, {1, 1}, 1, 0, 9, 1, 1, 1}};
    (void)variant;
    *job = (skl_evaluate_fcurves_job){.num_curves = 2,
                                      .num_frames = 3,
                                      .starts = LIST(int64_t, {0, 2, 4}),
                                      .keys = keep(keys, sizeof keys),
                                      .interpolation = LIST(uint8_t, {2, 7, 3, 1}),
                                      .easing = LIST(uint8_t, {1, 2, 3, 1}),
                                      .linear = LIST(uint8_t, {1, 1}),
                                      .cycles = keep(cycles, sizeof cycles),
                                      .frames = LIST(float, {0.5f, 2, 11}),
                                      .rounds = 1,
                                      .out = from_pool(6 * sizeof(float))};
}
FILL(fit_keys, skl_fit_keys_job) {
    enum { CURVES = 4, F = FRAMES_OF_CURVES };
    (void)variant;
    *job = (skl_fit_keys_job){.num_frames = F,
                              .num_curves = CURVES,
                              .frames = LIST(double, {1, 2, 3, 4, 5, 6}),
                              .values = numbers(F * CURVES),
                              .kinds = LIST(uint8_t, {0, 0, 1, 0, 2, 0}),
                              .tolerance = 0.2,
                              .is_key = from_pool(F),
                              .fitted = from_pool(F * CURVES * 8),
                              .left = from_pool(F * CURVES * 8),
                              .right = from_pool(F * CURVES * 8)};
    job->chain = (skl_keyed_chain){.num_bones = 1,
                                   .num_points = 1,
                                   .modes = LIST(uint8_t, {0}),
                                   .columns = LIST(int32_t, {0, -1}),
                                   .above = matrices(F),
                                   .basis = matrices(F),
                                   .scale = numbers(3 * F),
                                   .point_bones = LIST(int32_t, {0}),
                                   .points = numbers(3 * F),
                                   .targets = numbers(3 * F)};
}
FILL(blender_ik, skl_blender_ik_job) {
    skl_ik_bone tree[2] = {{.bone = 1, .parent = -1}, {.bone = 2, .parent = 0}};
    for (int k = 0; k < 2; k++) {
        tree[k].limited = tree[k].locked = 1;
        tree[k].length = 1, tree[k].stretch = 0.1;
        for (int i = 0; i < 9; i++) tree[k].rest[i] = i % 4 == 0;
        for (int i = 0; i < 3; i++) tree[k].stiffness[i] = 0.1, tree[k].least[i] = -1, tree[k].most[i] = 1;
    }
    *job = (skl_blender_ik_job){.num_frames = 2,
                                .num_pose_bones = BONES,
                                .num_targets = 2,
                                .num_bones = 2,
                                .num_goals = 1,
                                .num_followers = 1,
                                .above = variant ? 0 : 3,
                                .pole_angle = 0.1,
                                .iterations = 5};
    job->pose = matrices(2 * BONES);
    job->bones = keep(tree, sizeof tree);
    job->goals = KEEP(skl_ik_goal, {1, 1, 1, !variant, 0.5, 0.5, 0.5});
    job->followers = LIST(int32_t, {0, 1});
    job->targets = numbers(12), job->turns = numbers(36), job->poles = numbers(12);
}

/* planting.h: what learning is given; the walk is planted, too, since ground is asked all the time. */
static int flat(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *into) {
    (void)context, (void)frames, (void)points;
    for (int64_t i = 0; i < num; i++) {
        into->heights[i] = 0.01;
        if (into->surface) into->surface[i] = 0;
        for (int k = 0; into->normals && k < 3; k++) into->normals[3 * i + k] = k == 1;
    }
    return 0;
}
static int still(void *context, int64_t num, const double *points, const int64_t *surface, const int64_t *from,
                 const int64_t *to, double *into) {
    (void)context, (void)surface, (void)from, (void)to;
    memcpy(into, points, (size_t)(3 * num) * sizeof *into);
    return 0;
}
static skl_code learn(const skl_plant_motion *motion, const skl_plant_options *options, skl_ground *ground,
                      skl_status *status) {
    skl_planting *planting = NULL;
    const skl_code code = skl_plant_learn(motion, options, ground, &planting, status);
    if ((code == SKL_OK) != (planting != NULL)) abort();
    skl_plant_free(planting);
    return code;
}
static skl_code run_learn(void *job, skl_status *status) {
    skl_plant_options options;
    skl_plant_defaults(&options);
    return learn(job, &options, NULL, status);
}
static skl_code run_options(void *job, skl_status *status) { return learn(&walker.motion, job, NULL, status); }
static skl_code run_ground(void *job, skl_status *status) {
    skl_plant_options options;
    skl_plant_defaults(&options);
    return learn(&walker.motion, &options, job, status);
}
FILL(learn, skl_plant_motion) {
    (void)variant;
    *job = walker.motion;
    job->rig = keep(&walker.rig, sizeof walker.rig);
    ((skl_plant_rig *)(uintptr_t)job->rig)->legs = keep(walker.legs, sizeof walker.legs);
    if (!variant) ((skl_plant_rig *)(uintptr_t)job->rig)->mover = ((skl_plant_rig *)(uintptr_t)job->rig)->head = -1;
}
FILL(options, skl_plant_options) {
    static skl_span spans[2] = {{5, 20}, {22, 30}};
    const skl_plant_pin pin = {.span = {5, 20}, .place = {0.1, 0, 0.3}, .height = 0.02};
    skl_plant_given given[2] = {
        {.contacts = {&spans[0], 1}, .apart = 1, .heel = {&spans[0], 1}, .ball = {&spans[0], 1}},
        {.contacts = {&spans[1], 1}}};
    given[0].pins = keep(&pin, sizeof pin), given[0].num_pins = 1;
    skl_plant_defaults(job);
    job->mode = SKL_CONTACTS_GIVEN;
    job->given = keep(given, sizeof given);
    job->up_is_given = 1, job->up[1] = 1;
    job->belt = SKL_BELT_GIVEN, job->belt_velocity[0] = 0.1;
    job->sole = 0.02, job->reach = SKL_STRETCH, job->stretch = 1.1, job->toe_bend = 0.5, job->loop = SKL_LOOP_NONE;
    if (variant) job->mode = SKL_CONTACTS_FOUND, job->belt = SKL_BELT_MEASURED;
}
FILL(ground, skl_ground) {
    *job = (skl_ground){
        .is_level = variant, .level = 0.01, .moves = !variant, .context = &walker, .below = flat, .carry = still};
}

#include "members.inl"

/* --- leaving out -------------------------------------------------------------------------------------------------- */

/* What of a member is left out: all of it, or of an array its step, its first stride, its dimensions, its shape. */
enum { WHOLE, STEP, STRIDE, DIMENSIONS, SHAPE, WAYS };
/* Behind the members: the whole job is zeros, as it is. */
enum { VARIANTS = 3, MOST_MEMBERS = 120, ZEROS = MOST_MEMBERS, AS_IT_IS, CASES };
enum { NOT_ASKED, ASKED, ANSWERED };

typedef struct answer {
    int state;
    int filled;    /* there was something to leave out */
    int is_output; /* an array that the job as it is writes */
    int same;      /* what comes out is what comes out of the job as it is */
    int untouched; /* nothing was written */
    skl_code code;
    char text[200];
} answer;
static answer (*answers)[WAYS]; /* shared with the processes that ask */

static char as_filled[sizeof pool], as_it_comes_out[sizeof pool];
static char job_memory[1 << 15];

static void fill(const verb *v, int variant) {
    memset(pool, 0x5a, sizeof pool);
    memset(structs, 0, sizeof structs);
    pool_used = structs_used = 0;
    memset(job_memory, 0, v->size);
    v->fill(job_memory, variant);
    memcpy(as_filled, pool, sizeof pool);
}

/* Where a member is; NULL behind a pointer that this job does not have. */
static char *place_of(const member *m) {
    char *at = job_memory;
    for (int k = 0; k < m->steps; k++) {
        at += m->way[k].at;
        if (m->way[k].pointer) at = *(char **)(void *)at;
        if (!at) return NULL;
    }
    return at + m->at;
}

static int is_zero(const char *at, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (at[i]) return 0;
    return 1;
}

/* Leave it out; 0 where it was not there. */
static int leave_out(const member *m, int way) {
    char *at = place_of(m);
    if (!at || is_zero(at, m->size)) return 0;
    skl_array *array = (skl_array *)(void *)at;
    if (way == WHOLE) memset(at, 0, m->size);
    if (way == STEP) array->step = 0;
    if (way == STRIDE) array->strides[0] = 0;
    if (way == DIMENSIONS) array->ndim = 0;
    if (way == SHAPE) array->shape[0] = 0;
    return 1;
}

static int writes_to(const member *m) {
    const skl_array *array = (const skl_array *)(const void *)place_of(m);
    const ptrdiff_t at = array ? (const char *)array->data - pool : -1;
    return at >= 0 && at < (ptrdiff_t)sizeof pool && memcmp(as_filled + at, as_it_comes_out + at, 8) != 0;
}

static void ask(const verb *v, int variant, int k, int way, answer *a) {
    skl_status status = {0};
    fill(v, variant);
    const member *m = k < v->count ? &v->members[k] : NULL;
    if (k == ZEROS) memset(job_memory, 0, v->size);
    a->is_output = m && m->kind >= ARRAY_NEEDED && writes_to(m);
    a->filled = m ? leave_out(m, way) : 1;
    a->state = ASKED;
    if (a->filled) {
        a->code = v->run(job_memory, &status);
        skl_status_text(&status, a->text, sizeof a->text);
        a->same = !memcmp(pool, as_it_comes_out, sizeof pool);
        a->untouched = !memcmp(pool, as_filled, sizeof pool);
    }
    a->state = ANSWERED;
}

/* All cases of a job, in a process that goes on behind the one that ended the last. */
static void ask_all(const verb *v, int variant) {
    memset(answers, 0, CASES * sizeof *answers);
    for (int alive = 0; !alive;) {
        fflush(stdout);
        const pid_t child = fork();
        if (child < 0) abort();
        if (child == 0) {
            alarm(60);
            ask(v, variant, AS_IT_IS, WHOLE, &answers[AS_IT_IS][WHOLE]);
            memcpy(as_it_comes_out, pool, sizeof pool);
            for (int k = 0; k < v->count; k++)
                for (int way = 0; way < (v->members[k].kind < ARRAY_NEEDED ? 1 : WAYS); way++)
                    if (answers[k][way].state == NOT_ASKED) ask(v, variant, k, way, &answers[k][way]);
            if (answers[ZEROS][WHOLE].state == NOT_ASKED) ask(v, variant, ZEROS, WHOLE, &answers[ZEROS][WHOLE]);
            exit(0);
        }
        int how;
        if (waitpid(child, &how, 0) != child) abort();
        alive = WIFEXITED(how) && WEXITSTATUS(how) == 0;
        if (!alive && answers[AS_IT_IS][WHOLE].state != ANSWERED) return;
    }
}

/* --- what has to be so -------------------------------------------------------------------------------------------- */

static void complain(const verb *v, int variant, const char *name, const char *words, const answer *a) {
    checks_failed++;
    printf("%s, %d, without %s: %s; code %d, \"%s\"\n", v->name, variant, name, words, (int)a->code, a->text);
}
#define HOLDS(condition, words, a) (checks_done++, (condition) ? (void)0 : complain(v, variant, name, words, a))

/* The sentence says the name of the member, or that of what it is a part of. */
static int is_named(const char *text, const char *name) {
    char word[80];
    for (const char *from = name; from; from = strchr(from, '.')) {
        from += *from == '.';
        const size_t length = strcspn(from, ".");
        snprintf(word, sizeof word, "%.*s", (int)length, from);
        if (strstr(text, word)) return 1;
    }
    return 0;
}

/* Of one member, over all variants and all verbs with the same job. */
typedef struct seen {
    const char *job, *name;
    int filled, refused, allowed;
} seen;
static seen all_seen[1000];

static seen *seen_of(const verb *v, const member *m) {
    seen *s = all_seen;
    while (s->job && (strcmp(s->job, v->job) || strcmp(s->name, m->name))) s++;
    if (s == all_seen + 999) abort();
    s->job = v->job;
    s->name = m->name;
    return s;
}

static void judge(const verb *v, int variant, const member *m, const answer *whole) {
    const char *name = m->name;
    seen *s = seen_of(v, m);
    const answer *a = &whole[WHOLE];
    HOLDS(a->state == ANSWERED, "it ended by a signal", a);
    if (a->state != ANSWERED || !a->filled) return;
    const int refused = a->code == SKL_BAD_VALUE || a->code == SKL_BAD_SHAPE;
    s->filled = 1;
    s->refused |= refused;
    s->allowed |= a->code == SKL_OK;
    HOLDS(refused || a->code == SKL_OK, "neither done nor refused", a);
    if (refused) HOLDS(a->untouched && a->text[0], "refused after something was written, or without a sentence", a);
    if (m->kind == ARRAY_NEEDED && refused) HOLDS(is_named(a->text, name), "the sentence does not say which", a);
    if (m->kind == NEEDED || m->kind == ARRAY_NEEDED) HOLDS(refused || a->same, "another result, and no word of it", a);
    for (int way = STEP; m->kind >= ARRAY_NEEDED && way < WAYS; way++) {
        const answer *part = &whole[way];
        HOLDS(part->state == ANSWERED, "a part of it: it ended by a signal", part);
        if (part->state == ANSWERED && part->is_output && (way == STEP || way == STRIDE))
            HOLDS(part->code != SKL_OK ? part->untouched : part->same, "a step or stride of an output was 0", part);
    }
}

static void check_verb(const verb *v) {
    const char *name = "anything";
    for (int variant = 0; variant < VARIANTS; variant++) {
        ask_all(v, variant);
        HOLDS(answers[AS_IT_IS][WHOLE].state == ANSWERED && answers[AS_IT_IS][WHOLE].code == SKL_OK, "it is not done",
              &answers[AS_IT_IS][WHOLE]);
        const answer *zeros = &answers[ZEROS][WHOLE];
        name = "all of it";
        HOLDS(zeros->state == ANSWERED && zeros->code == SKL_BAD_VALUE && zeros->text[0], "no sentence", zeros);
        for (int k = 0; k < v->count; k++) judge(v, variant, &v->members[k], answers[k]);
    }
}

/* What the header says of a member is so of some job that has it. */
static void check_words_of_the_header(void) {
    for (size_t n = 0; n < sizeof VERBS / sizeof *VERBS; n++)
        for (int k = 0; k < VERBS[n].count; k++) {
            const verb *v = &VERBS[n];
            const member *m = &v->members[k];
            const seen *s = seen_of(v, m);
            const answer none = {0};
            const int variant = 0;
            const char *name = m->name;
            if (m->kind == VALUE || m->kind == RESULT) continue;
            HOLDS(s->filled, "no test fills it in", &none);
            if (m->kind == NEEDED || m->kind == ARRAY_NEEDED)
                HOLDS(s->refused, "the header says that it is needed", &none);
            else
                HOLDS(s->allowed, "the header says that it may be left out", &none);
        }
}

static void check_bad_precisions(void) {
    for (size_t n = 0; n < sizeof VERBS / sizeof *VERBS; n++)
        for (int k = 0; k < VERBS[n].count; k++) {
            const member *m = &VERBS[n].members[k];
            const size_t length = strlen(m->name);
            skl_status status;
            char text[200];
            if (length < 5 || strcmp(m->name + length - 5, "dtype")) continue;
            fill(&VERBS[n], 0);
            *(skl_dtype *)(void *)place_of(m) = (skl_dtype)7;
            CHECK(VERBS[n].run(job_memory, &status) == SKL_BAD_VALUE);
            CHECK_TEXT(skl_status_text(&status, text, sizeof text),
                       "dtype is 7: it must be SKL_FLOAT32 or SKL_FLOAT64");
        }
}

/* --- functions that are no jobs ----------------------------------------------------------------------------------- */

#define REFUSED(call, words)                                                                                           \
    do {                                                                                                               \
        CHECK((call) == SKL_BAD_VALUE);                                                                                \
        CHECK_TEXT(skl_status_text(&status, text, sizeof text), words);                                                \
    } while (0)

static void check_inits(void) {
    const int64_t parents[1] = {-1}, zero = 0;
    const double one = 1;
    const int32_t chain[3] = {1, 2, 3};
    const skl_skeleton not_made = {0};
    const skl_weights no_weights = {0};
    skl_skeleton made;
    skl_weights taken;
    skl_plant_leg leg;
    skl_plant_measures measures;
    skl_planting *planting;
    skl_plant_options options;
    skl_status status;
    char text[200];
    REFUSED(skl_skeleton_init(&made, 1, NULL, &one, NULL, &status), "parents: it is missing");
    REFUSED(skl_skeleton_init(&made, 1, parents, NULL, NULL, &status), "rest_local: it is missing");
    REFUSED(skl_weights_init(&taken, 1, 1, 1, NULL, NULL, &one, &status),
            "joints: it is missing, and its number is not 0");
    REFUSED(skl_weights_init(&taken, 1, 1, 1, NULL, &zero, NULL, &status),
            "values: it is missing, and its number is not 0");
    REFUSED(skl_weights_init(&taken, -1, 1, 1, NULL, &zero, &one, &status), "num_vertices: its number is negative");
    REFUSED(skl_weights_take(&taken, &no_weights, &zero, 1, &status),
            "weights: they are missing: skl_weights_init makes them");
    REFUSED(skl_weights_take(&taken, &weights, NULL, 1, &status), "vertices: it is missing, and its number is not 0");
    REFUSED(skl_plant_leg_init(&leg, NULL, chain, -1, -1, NULL, &status),
            "skeleton: it is missing: skl_skeleton_init makes one");
    REFUSED(skl_plant_leg_init(&leg, &not_made, chain, -1, -1, NULL, &status),
            "skeleton: it is missing: skl_skeleton_init makes one");
    REFUSED(skl_plant_leg_init(&leg, &walker.skeleton, NULL, -1, -1, NULL, &status), "chain: it is missing");
    skl_plant_defaults(&options);
    REFUSED(skl_plant_learn(NULL, &options, NULL, &planting, &status), "motion: it is missing");
    REFUSED(skl_plant_learn(&walker.motion, NULL, NULL, &planting, &status), "options: it is missing");
    REFUSED(skl_plant_learn(&walker.motion, &options, NULL, NULL, &status), "out: it is missing");
    REFUSED(skl_plant_solve(NULL, walker.planted, &status), "planting: it is missing");
    REFUSED(skl_plant_measure(NULL, &measures, &status), "planting: it is missing");
    CHECK(skl_plant_learn(&walker.motion, &options, NULL, &planting, &status) == SKL_OK);
    REFUSED(skl_plant_solve(planting, NULL, &status), "planted: it is missing");
    REFUSED(skl_plant_measure(planting, NULL, &status), "out: it is missing");
    skl_plant_free(planting);
}

static void check_contiguous_arrays(void) {
    const int64_t shape[2] = {5, 7};
    double data[3] = {0};
    const skl_array one = skl_contiguous(data, 1, sizeof data, 0, NULL), many = skl_contiguous(data, 3, 8, 2, shape);
    CHECK(one.data == data && one.ndim == 0 && one.step == 24);
    CHECK(many.ndim == 2 && many.shape[0] == 5 && many.shape[1] == 7 && many.step == 8);
    CHECK(many.strides[1] == 24 && many.strides[0] == 7 * 24);
}

/* --- what jobs work on -------------------------------------------------------------------------------------------- */

static void make_objects(void) {
    const int64_t parents[JOINTS_OF_RIG] = {-1, 0, 1, 2, 3, 0};
    double rest[16 * JOINTS_OF_RIG];
    int64_t joints[2 * VERTICES], vertices[VERTICES];
    double values[2 * VERTICES];
    skl_status status;
    for (int i = 0; i < 16 * JOINTS_OF_RIG; i++) {
        const int at = i % 16;
        rest[i] = at % 5 == 0 ? 1 : at == 3 ? 0.2 : at == 7 ? -0.5 : 0;
    }
    for (int i = 0; i < 2 * VERTICES; i++) joints[i] = i % JOINTS_OF_RIG, values[i] = 0.5;
    for (int i = 0; i < VERTICES; i++) vertices[i] = i;
    CHECK(skl_skeleton_init(&rig, JOINTS_OF_RIG, parents, rest, NULL, &status) == SKL_OK);
    CHECK(skl_weights_init(&weights, VERTICES, 2, JOINTS_OF_RIG, NULL, joints, values, &status) == SKL_OK);
    CHECK(skl_weights_take(&corners, &weights, vertices, VERTICES, &status) == SKL_OK);
    CHECK(biped_walks(&walker, 40, &status) == SKL_OK);
}

int main(void) {
    answers = mmap(NULL, CASES * sizeof *answers, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (answers == MAP_FAILED) abort();
    make_objects();
    for (size_t n = 0; n < sizeof VERBS / sizeof *VERBS; n++) check_verb(&VERBS[n]);
    check_words_of_the_header();
    check_bad_precisions();
    check_inits();
    check_contiguous_arrays();
    skl_weights_free(&corners);
    skl_weights_free(&weights);
    skl_skeleton_free(&rig);
    skl_skeleton_free(&walker.skeleton);
    return REPORT();
}
