/* SPDX-License-Identifier: MIT */
/* Skinning on every instruction set, as isas.h says. Every output and every part of a batch has memory of its own that
 * ends with its last number. */
#include "isas.h"

enum { JOINTS = 29, VERTICES = 197, INFLUENCES = 11, CORNERS = 139, POINTS_3 = VERTICES * 3 };

static skl_skeleton skeleton;
static skl_weights weights, corners;
static numbers matrices, motions, points, own_points, normals, own_normals, tangents, handed, corner_normals,
    corner_handed, rotations, translations, scales;

/* One pose for all. */
static skl_array shared(const numbers *n, int64_t step) { return (skl_array){.data = data_of(n), .step = step * size}; }

/* An output of its own, then to its place in the poses of all outputs: `per_pose` numbers at `place` of `whole`. */
static skl_array output(int64_t count, int64_t per_pose, int64_t step) {
    return poses_at(exactly((size_t)(count * per_pose * size)), count, per_pose, step);
}
static void collect(skl_array *from, int64_t count, void *out, int64_t place, int64_t whole) {
    if (!from->data) return;
    for (int64_t i = 0; i < count; i++)
        memcpy((char *)out + (i * whole + place) * size, (char *)from->data + i * from->strides[0],
               (size_t)from->strides[0]);
    free(from->data);
}

static void skin(const numbers *moved_by, skl_skin_method method, int own, int64_t first, int64_t count, void *out) {
    skl_skin_points_job job = {.weights = &weights,
                               .dtype = dtype,
                               .method = method,
                               .points = own ? slice(&own_points, first, count, POINTS_3, 3) : shared(&points, 3),
                               .matrices = slice(moved_by, first, count, JOINTS * 12, 12),
                               .out = poses_at(out, count, POINTS_3, 3)};
    CHECK(skl_skin_points_run(&job) == SKL_OK);
}
static void linear(int64_t first, int64_t count, void *out) { skin(&matrices, SKL_LINEAR, 0, first, count, out); }
static void linear_own(int64_t first, int64_t count, void *out) { skin(&matrices, SKL_LINEAR, 1, first, count, out); }
static void dual_rigid(int64_t first, int64_t count, void *out) {
    skin(&motions, SKL_DUAL_QUATERNION, 0, first, count, out);
}
static void dual_scaled(int64_t first, int64_t count, void *out) {
    skin(&matrices, SKL_DUAL_QUATERNION, 1, first, count, out);
}

/* What a call of skin_mesh takes beside its points; a NULL is left out. */
typedef struct directions {
    const numbers *normals;
    const numbers *tangents;
    int own; /* normals of each pose */
    int32_t tangent_size;
    const skl_weights *corners;
} directions;

static int64_t numbers_of(const directions *d) {
    const int64_t places = d->corners ? CORNERS : VERTICES;
    return POINTS_3 + (d->normals ? 3 * places : 0) + (d->tangents ? d->tangent_size * places : 0);
}

static void mesh(skl_skin_method method, const directions *d, int64_t first, int64_t count, void *out) {
    const int64_t places = d->corners ? CORNERS : VERTICES, whole = numbers_of(d);
    skl_skin_mesh_job job = {.weights = &weights,
                             .corners = d->corners,
                             .dtype = dtype,
                             .method = method,
                             .tangent_size = d->tangent_size,
                             .points = shared(&points, 3),
                             .matrices = slice(&matrices, first, count, JOINTS * 12, 12),
                             .out_points = output(count, POINTS_3, 3)};
    if (d->normals) {
        job.normals = d->own ? slice(d->normals, first, count, places * 3, 3) : shared(d->normals, 3);
        job.out_normals = output(count, places * 3, 3);
    }
    if (d->tangents) {
        job.tangents = shared(d->tangents, d->tangent_size);
        job.out_tangents = output(count, places * d->tangent_size, d->tangent_size);
    }
    CHECK(skl_skin_mesh_run(&job) == SKL_OK);
    collect(&job.out_points, count, out, 0, whole);
    collect(&job.out_normals, count, out, POINTS_3, whole);
    collect(&job.out_tangents, count, out, whole - places * d->tangent_size, whole);
}

static const directions with_normals = {.normals = &normals}, with_own_normals = {.normals = &own_normals, .own = 1},
                        with_tangents = {.normals = &normals, .tangents = &tangents, .tangent_size = 3},
                        with_handed = {.tangents = &handed, .tangent_size = 4},
                        with_corners = {.normals = &corner_normals,
                                        .tangents = &corner_handed,
                                        .tangent_size = 4,
                                        .corners = &corners};

#define MESH(name, method, what)                                                                                       \
    static void name(int64_t first, int64_t count, void *out) { mesh(method, &what, first, count, out); }
MESH(linear_normals, SKL_LINEAR, with_normals)
MESH(linear_own_normals, SKL_LINEAR, with_own_normals)
MESH(linear_tangents, SKL_LINEAR, with_tangents)
MESH(linear_handed, SKL_LINEAR, with_handed)
MESH(linear_corners, SKL_LINEAR, with_corners)
MESH(dual_own_normals, SKL_DUAL_QUATERNION, with_own_normals)
MESH(dual_tangents, SKL_DUAL_QUATERNION, with_tangents)
MESH(dual_corners, SKL_DUAL_QUATERNION, with_corners)

static void poses(skl_skin_method method, int trs, int with, int64_t first, int64_t count, void *out) {
    static const skl_array none;
    skl_skin_poses_job job = {
        .weights = &weights,
        .skeleton = &skeleton,
        .dtype = dtype,
        .method = method,
        .points = shared(&points, 3),
        .normals = with ? shared(&normals, 3) : none,
        .rotations = slice(&rotations, first, count, JOINTS * 4, 4),
        .translations = trs ? slice(&translations, first, count, JOINTS * 3, 3) : none,
        .scales = trs ? slice(&scales, first, count, JOINTS * 3, 3) : none,
        .out_points = output(count, POINTS_3, 3),
        .out_normals = with ? output(count, POINTS_3, 3) : none,
    };
    CHECK(skl_skin_poses_run(&job) == SKL_OK);
    collect(&job.out_points, count, out, 0, (with + 1) * POINTS_3);
    collect(&job.out_normals, count, out, POINTS_3, (with + 1) * POINTS_3);
}
static void poses_linear(int64_t first, int64_t count, void *out) { poses(SKL_LINEAR, 0, 0, first, count, out); }
static void poses_trs(int64_t first, int64_t count, void *out) { poses(SKL_LINEAR, 1, 1, first, count, out); }
static void poses_dual(int64_t first, int64_t count, void *out) { poses(SKL_DUAL_QUATERNION, 0, 0, first, count, out); }
static void poses_dual_trs(int64_t first, int64_t count, void *out) {
    poses(SKL_DUAL_QUATERNION, 1, 1, first, count, out);
}

/* Numbers of a pose with a vector of three, and four, per vertex or corner. */
enum { AND_NORMALS = 2 * POINTS_3, BOTH = 3 * POINTS_3, HANDED = 7 * VERTICES, OF_CORNERS = POINTS_3 + 7 * CORNERS };

static const isa_verb verbs[] = {
    {"linear", linear, POINTS_3, 0},
    {"linear, points of each pose", linear_own, POINTS_3, 0},
    {"linear, normals", linear_normals, AND_NORMALS, 0},
    {"linear, normals of each pose", linear_own_normals, AND_NORMALS, 0},
    {"linear, normals and tangents", linear_tangents, BOTH, 0},
    {"linear, tangents with handedness", linear_handed, HANDED, 0},
    {"linear, corners", linear_corners, OF_CORNERS, 0},
    {"dual quaternion, rigid", dual_rigid, POINTS_3, 0},
    {"dual quaternion, scaled", dual_scaled, POINTS_3, 0},
    {"dual quaternion, normals of each pose", dual_own_normals, AND_NORMALS, 0},
    {"dual quaternion, normals and tangents", dual_tangents, BOTH, 0},
    {"dual quaternion, corners", dual_corners, OF_CORNERS, 0},
    {"skin_poses, linear", poses_linear, POINTS_3, 0},
    {"skin_poses, linear, scales and normals", poses_trs, AND_NORMALS, 0},
    {"skin_poses, dual quaternion", poses_dual, POINTS_3, 0},
    {"skin_poses, dual quaternion, scales and normals", poses_dual_trs, AND_NORMALS, 0},
};

/* Vertices with 0 .. 11 influences, joints with small turns. */
static void make_rig(void) {
    int64_t parents[JOINTS], joints[VERTICES * INFLUENCES], vertices[CORNERS];
    double rest[JOINTS * 16] = {0}, values[VERTICES * INFLUENCES];
    for (int j = 0; j < JOINTS; j++) {
        parents[j] = j == 0 || j == 20 ? -1 : j / 3;
        for (int i = 0; i < 4; i++) rest[16 * j + 5 * i] = 1;
        for (int i = 0; i < 3; i++) rest[16 * j + 4 * i + 3] = next_number();
    }
    for (int i = 0; i < VERTICES * INFLUENCES; i++) {
        const int used = i / INFLUENCES % (INFLUENCES + 1);
        joints[i] = (int64_t)((next_number() + 1) * 0.5 * JOINTS);
        values[i] = used > i % INFLUENCES ? (1 + 0.5 * next_number()) / used : 0;
    }
    for (int i = 0; i < CORNERS; i++) vertices[i] = (int64_t)((next_number() + 1) * 0.5 * VERTICES);
    skl_status status;
    CHECK(skl_skeleton_init(&skeleton, JOINTS, parents, rest, NULL, &status) == SKL_OK);
    CHECK(skl_weights_init(&weights, VERTICES, INFLUENCES, JOINTS, NULL, joints, values, &status) == SKL_OK);
    CHECK(skl_weights_take(&corners, &weights, vertices, CORNERS, &status) == SKL_OK);
}

static void set_quaternion_matrix(const double *q, double *m) {
    const double s = 2 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), w = q[0], x = q[1], y = q[2],
                 z = q[3];
    const double rows[9] = {1 - s * (y * y + z * z), s * (x * y - w * z),     s * (x * z + w * y),
                            s * (x * y + w * z),     1 - s * (x * x + z * z), s * (y * z - w * x),
                            s * (x * z - w * y),     s * (y * z + w * x),     1 - s * (x * x + y * y)};
    for (int i = 0; i < 9; i++) m[4 * (i / 3) + i % 3] = rows[i];
}

/* Blends of `matrices` have an inverse: they are so near to the identity, some poses in a mirror, that the diagonal
 * outweighs the others. `motions` turn by any angle. */
static void make_inputs(void) {
    random_numbers(&matrices, POSES * JOINTS * 12, 0.25, 0);
    random_numbers(&motions, POSES * JOINTS * 12, 1, 0);
    for (int i = 0; i < POSES * JOINTS; i++) {
        double q[4];
        for (int k = 0; k < 3; k++) matrices.wide[12 * i + 5 * k] += 1;
        for (int k = 0; k < 12 && i / JOINTS % 7 == 3; k += 4) matrices.wide[12 * i + k] *= -1;
        for (int k = 0; k < 4; k++) q[k] = next_number();
        set_quaternion_matrix(q, motions.wide + 12 * i);
    }
    narrow_numbers(&matrices);
    narrow_numbers(&motions);
    random_numbers(&points, POINTS_3, 1, 0);
    random_numbers(&own_points, POSES * POINTS_3, 1, 0);
    random_numbers(&normals, POINTS_3, 1, 0);
    random_numbers(&own_normals, POSES * POINTS_3, 1, 0);
    random_numbers(&tangents, POINTS_3, 1, 0);
    random_numbers(&handed, VERTICES * 4, 1, 0);
    random_numbers(&corner_normals, CORNERS * 3, 1, 0);
    random_numbers(&corner_handed, CORNERS * 4, 1, 0);
    random_numbers(&rotations, POSES * JOINTS * 4, 0.1, 0);
    for (size_t i = 0; i < rotations.count; i += 4) rotations.wide[i] += 1;
    narrow_numbers(&rotations);
    random_numbers(&translations, POSES * JOINTS * 3, 0.3, 0);
    random_numbers(&scales, POSES * JOINTS * 3, 0.1, 1);
}

int main(void) {
    make_rig();
    make_inputs();
    try_verbs(verbs, sizeof verbs / sizeof *verbs);
    numbers *const made[] = {&matrices, &motions, &points,         &own_points,    &normals,   &own_normals, &tangents,
                             &handed,   &scales,  &corner_normals, &corner_handed, &rotations, &translations};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) free_numbers(made[i]);
    skl_weights_free(&corners);
    skl_weights_free(&weights);
    skl_skeleton_free(&skeleton);
    return REPORT();
}
