/* SPDX-License-Identifier: MIT */
/* Local matrices from global ones: inverse(global[parent]) @ global[joint], in double whatever the precision. */

/* Inverse of the affine matrix at `m` by cofactors; 0 if it is singular. Numbers that are not finite go through. */
static int K(invert_affine)(const real *m, double out[12]) {
    double largest = 0;
    for (int i = 0; i < 12; i++)
        if (i % 4 < 3) largest = fmax(largest, fabs((double)m[i]));
    if (!(largest > 0)) largest = 1; /* all zero, or not a number: the determinant shows which */
    double a[3][3], cofactor[3][3];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) a[i][k] = (double)m[4 * i + k] / largest;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            cofactor[i][k] = a[i1][k1] * a[i2][k2] - a[i1][k2] * a[i2][k1];
        }
    const double determinant = a[0][0] * cofactor[0][0] + a[0][1] * cofactor[0][1] + a[0][2] * cofactor[0][2];
    if (determinant >= 0 && determinant <= 0) return 0;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out[4 * i + k] = cofactor[k][i] / determinant / largest;
        out[4 * i + 3] = -(out[4 * i] * (double)m[3] + out[4 * i + 1] * (double)m[7] + out[4 * i + 2] * (double)m[11]);
    }
    return 1;
}

static const real *K(matrix_of)(const skl_pose_block *b, int64_t pose, int64_t joint) {
    return (const real *)(const void *)(b->in.at + pose * b->in.item + joint * b->in.step);
}

/* The number of the first parent without an inverse, counted through the poses of the block; -1 if there is none. */
static int64_t K(find_singular_parent)(const skl_pose_block *b) {
    double inverse[12];
    for (int64_t pose = 0; pose < b->count; pose++) {
        int64_t checked = -1; /* siblings lie beside each other more often than not */
        for (int64_t j = 0; j < b->num_joints; j++) {
            const int64_t parent = b->parents[j];
            if (parent < 0 || parent == checked) continue;
            if (!K(invert_affine)(K(matrix_of)(b, pose, parent), inverse)) return pose * b->num_joints + parent;
            checked = parent;
        }
    }
    return -1;
}

static void K(local_from_global)(const skl_pose_block *b) {
    for (int64_t pose = 0; pose < b->count; pose++) {
        double inverse[12] = {0};
        int64_t inverted = -1;
        for (int64_t j = 0; j < b->num_joints; j++) {
            const int64_t parent = b->parents[j];
            const real *m = K(matrix_of)(b, pose, j);
            char *to = b->out.at + pose * b->out.item + j * b->out.step;
            if (parent < 0) {
                K(store_affine)(to, K(load_affine)((const char *)m), b->out_rows);
                continue;
            }
            if (parent != inverted) (void)K(invert_affine)(K(matrix_of)(b, pose, parent), inverse);
            inverted = parent;
            real local[12];
            for (int i = 0; i < 3; i++)
                for (int k = 0; k < 4; k++) {
                    const double *r = inverse + 4 * i;
                    const double sum = r[0] * (double)m[k] + r[1] * (double)m[4 + k] + r[2] * (double)m[8 + k];
                    local[4 * i + k] = (real)(k == 3 ? sum + r[3] : sum);
                }
            K(store_affine)(to, K(load_affine)((const char *)local), b->out_rows);
        }
    }
}
