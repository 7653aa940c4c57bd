/* SPDX-License-Identifier: MIT */
/* Large outputs are written past the cache, in whole lines: the same bits as small ones, up to the last number,
 * wherever poses begin and end in their lines. */
#include "check.h"
#include "skelkin/skelkin.h"

enum { JOINTS = 2, LARGE = 16 * 1024 * 1024 };

static skl_dtype dtype;
static int64_t size;

static void *random_numbers(int64_t count) {
    void *numbers = exactly((size_t)(count * size));
    for (int64_t i = 0; i < count; i++) {
        if (dtype == SKL_FLOAT32)
            ((float *)numbers)[i] = (float)next_number();
        else
            ((double *)numbers)[i] = next_number();
    }
    return numbers;
}

static void make_weights(skl_weights *weights, int64_t vertices) {
    int64_t *joints = exactly((size_t)(JOINTS * vertices) * sizeof *joints);
    double *values = exactly((size_t)(JOINTS * vertices) * sizeof *values);
    for (int64_t i = 0; i < JOINTS * vertices; i++) {
        joints[i] = i % JOINTS;
        values[i] = i % 5 ? next_number() : 0;
    }
    skl_status status;
    CHECK(skl_weights_init(weights, vertices, JOINTS, JOINTS, NULL, joints, values, &status) == SKL_OK);
    free(joints);
    free(values);
}

/* Inputs of a mesh, and the outputs of all poses. */
typedef struct batch {
    skl_weights weights;
    int64_t poses;
    char *points, *tangents, *matrices;
} batch;

/* Matrices of a pose begin four numbers behind those of the one before. */
static void skin(const batch *b, int64_t first, int64_t count, char *out_points, char *out_tangents) {
    const int64_t vertices = b->weights.num_vertices;
    skl_skin_mesh_job job = {
        .weights = &b->weights,
        .dtype = dtype,
        .tangent_size = 4,
        .points = {.data = b->points, .step = 3 * size},
        .matrices = {.data = b->matrices + 4 * first * size, .step = 12 * size, .ndim = 1, .shape = {count}},
        .out_points = {.data = out_points + 3 * first * vertices * size, .step = 3 * size, .ndim = 1, .shape = {count}},
    };
    job.matrices.strides[0] = 4 * size;
    job.out_points.strides[0] = 3 * vertices * size;
    if (out_tangents) {
        job.tangents = (skl_array){.data = b->tangents, .step = 4 * size};
        job.out_tangents = job.out_points;
        job.out_tangents.data = out_tangents + 4 * first * vertices * size;
        job.out_tangents.step = 4 * size;
        job.out_tangents.strides[0] = 4 * vertices * size;
    }
    CHECK(skl_skin_mesh_run(&job) == SKL_OK);
}

static void whole_and_in_parts(int64_t vertices, int with_tangents) {
    const int64_t poses = LARGE / (3 * vertices * size) + 3, parts = with_tangents ? 5 : 2, part = poses / parts + 1;
    batch b = {.poses = poses,
               .points = random_numbers(3 * vertices),
               .tangents = random_numbers(4 * vertices),
               .matrices = random_numbers(4 * (poses - 1) + 12 * JOINTS)};
    make_weights(&b.weights, vertices);
    const size_t of_points = (size_t)(3 * poses * vertices * size);
    const size_t bytes[2] = {of_points, with_tangents ? of_points / 3 * 4 : 0};
    char *whole[2], *again[2];
    for (int k = 0; k < 2; k++) {
        whole[k] = exactly(bytes[k]);
        again[k] = exactly(bytes[k]);
        memset(whole[k], 1, bytes[k]);
        memset(again[k], 2, bytes[k]);
    }
    skin(&b, 0, poses, whole[0], with_tangents ? whole[1] : NULL);
    for (int64_t first = 0; first < poses; first += part)
        skin(&b, first, poses - first < part ? poses - first : part, again[0], with_tangents ? again[1] : NULL);
    for (int k = 0; k < 2; k++) {
        CHECK(memcmp(whole[k], again[k], bytes[k]) == 0);
        free(whole[k]);
        free(again[k]);
    }
    free(b.points);
    free(b.tangents);
    free(b.matrices);
    skl_weights_free(&b.weights);
}

int main(void) {
    const int64_t meshes[] = {1, 5, 16, 67, 8501, 8512};
    for (int i = 0; skl_isa_compiled(i); i++) {
        if (!skl_isa_select(skl_isa_compiled(i))) continue;
        for (int k = 0; k < 12; k++) {
            dtype = k % 2 ? SKL_FLOAT64 : SKL_FLOAT32;
            size = dtype == SKL_FLOAT32 ? 4 : 8;
            whole_and_in_parts(meshes[k / 2], meshes[k / 2] == 67);
        }
    }
    return REPORT();
}
