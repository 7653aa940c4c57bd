/* SPDX-License-Identifier: MIT */
/* The way from a joint up to one above it: products pose by pose and in tiles, against plain sums. */
#include "core/transforms/joint_path.h"
#include "check.h"

enum { JOINTS = 5, TILE = SKL_TWO_BONE_TILE, NUMBERS = 16 * JOINTS };

static const int32_t parents[JOINTS] = {-1, 0, 1, 1, 3};

/* Rows, and what nobody may write to. */
typedef struct fenced_rows {
    skl_affine_rows rows;
    double fence[8];
} fenced_rows;

static void put_fence(fenced_rows *m) {
    for (int i = 0; i < 8; i++) m->fence[i] = 77;
}

static int fence_stands(const fenced_rows *m) {
    int stands = 1;
    for (int i = 0; i < 8; i++) stands &= m->fence[i] == 77;
    return stands;
}

static void make_poses(double *poses) {
    for (int i = 0; i < TILE * NUMBERS; i++) poses[i] = i % 16 < 12 ? next_number() : i % 16 == 15;
}

/* Number (row, column) of the product of a pose, from the definition. */
static double product_of(const double *pose, int joint, int ancestor, int row, int column) {
    if (joint == ancestor) return row == column;
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += product_of(pose, parents[joint], ancestor, row, k) * pose[16 * joint + 4 * k + column];
    return sum;
}

static void products_are_those_of_the_matrices(int joint, int ancestor, int count) {
    static double poses[TILE * NUMBERS];
    const skl_joint_path path = {parents, joint, ancestor};
    const skl_pose_tile tile = {SKL_FLOAT64, (const char *)poses, 8 * NUMBERS, 128, count};
    fenced_rows m;
    double one[16];
    make_poses(poses);
    put_fence(&m);
    skl_path_rows(&path, &tile, m.rows);
    CHECK(fence_stands(&m));
    for (int i = 0; i < count; i++) {
        skl_path_product(&path, (const char *)(poses + i * NUMBERS), 128, SKL_FLOAT64, one);
        for (int k = 0; k < 12; k++) {
            const double wanted = product_of(poses + i * NUMBERS, joint, ancestor, k / 4, k % 4);
            CHECK(fabs(m.rows[k][i] - wanted) < 1e-14);
            CHECK(fabs(one[k] - wanted) < 1e-14);
        }
        for (int k = 12; k < 16; k++) CHECK(one[k] == (k == 15 ? 1.0 : 0.0));
    }
}

/* Three axes that leave each other little room, or none. */
static void a_tile_is_regular_without_a_singular_matrix(int count) {
    for (int bad = -1; bad < TILE; bad++) {
        skl_affine_rows m;
        for (int k = 0; k < 12; k++)
            for (int i = 0; i < TILE; i++) m[k][i] = k % 5 == 0 ? 2 : k % 4 < 3 ? 0.1 * next_number() : 1e6;
        for (int k = 0; bad >= 0 && k < 3; k++) m[8 + k][bad] = m[k][bad] + m[4 + k][bad];
        CHECK(skl_rows_are_regular(m, count) == (bad < 0 || bad >= count));
    }
}

static void the_common_ancestor_is_the_lowest(void) {
    CHECK(skl_common_ancestor(parents, 4, 2) == 1);
    CHECK(skl_common_ancestor(parents, 2, 4) == 1);
    CHECK(skl_common_ancestor(parents, 4, 3) == 3);
    CHECK(skl_common_ancestor(parents, 0, 4) == 0);
    CHECK(skl_common_ancestor(parents, -1, 4) == -1);
}

int main(void) {
    const int counts[] = {1, 3, TILE - 1, TILE};
    for (int n = 0; n < 4; n++) {
        for (int ancestor = -1; ancestor < 2; ancestor++) products_are_those_of_the_matrices(4, ancestor, counts[n]);
        for (int joint = 0; joint < JOINTS; joint++) products_are_those_of_the_matrices(joint, joint, counts[n]);
        a_tile_is_regular_without_a_singular_matrix(counts[n]);
    }
    the_common_ancestor_is_the_lowest();
    return REPORT();
}
