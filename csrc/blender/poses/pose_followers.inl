/* SPDX-License-Identifier: MIT */
/* Bones that keep their channels while their parents move; after pose_tiles.inl. */

/* The bones' channels, by the poses before; and what those make of them on the parents as they are now. */
void REAL_TILE(follow)(const skl_blender_follow_job *job, int64_t first, int count, void *scratch) {
    const skl_blender_bones *bones = job->bones;
    const skl_channel before = {job->before, 16 * bones->num_bones}, now = {job->pose, 16 * bones->num_bones};
    lanes *poses = scratch, own, pose;
    followed f;
    for (int64_t i = 0; i < job->num_followers; i++) {
        const int64_t bone = job->followers[i], parent = bones->parents[bone];
        take_matrices(poses + parent, &before, first, count, parent);
        take_matrices(&pose, &before, first, count, bone);
        follow_parent(bones, bone, poses + parent, &f);
        FRAMES(l) local_of_frame(&f, &pose, 0, l, &own);
        take_matrices(poses + parent, &now, first, count, parent);
        follow_parent(bones, bone, poses + parent, &f);
        compose(&f, &own, &pose);
        put_matrices(&pose, (REAL *)job->pose + first * bones->num_bones * 16, bones->num_bones, bone, count);
    }
}
