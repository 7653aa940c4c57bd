// SPDX-License-Identifier: MIT
// The jobs of ozz-animation behind plain C functions, compiled by ozz.py against the built checkout that OZZ names.
// What a job wants prepared is prepared by the *_new functions, outside the clock; `times` repeats the work.
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "ozz/animation/offline/raw_skeleton.h"
#include "ozz/animation/offline/skeleton_builder.h"
#include "ozz/animation/runtime/ik_two_bone_job.h"
#include "ozz/animation/runtime/local_to_model_job.h"
#include "ozz/animation/runtime/skeleton.h"
#include "ozz/base/maths/simd_math.h"
#include "ozz/base/maths/simd_quaternion.h"
#include "ozz/base/maths/soa_transform.h"
#include "ozz/geometry/runtime/skinning_job.h"

namespace {

using ozz::math::Float4x4;
using ozz::math::SoaTransform;

struct Rig {
    ozz::unique_ptr<ozz::animation::Skeleton> skeleton;
    std::vector<SoaTransform> poses; // those of a frame after each other
    size_t per_pose = 0;
};

void add_children(ozz::animation::offline::RawSkeleton::Joint::Children &children, int parent, int count,
                  const int32_t *parents) {
    for (int j = 0; j < count; j++) {
        if (parents[j] != parent) continue;
        children.emplace_back();
        children.back().name = std::to_string(j).c_str();
        children.back().transform = ozz::math::Transform::identity();
        add_children(children.back().children, j, count, parents);
    }
}

void set_lane(ozz::math::SimdFloat4 &wide, int lane, float value) {
    float lanes[4];
    ozz::math::StorePtrU(wide, lanes);
    lanes[lane] = value;
    wide = ozz::math::simd_float4::LoadPtrU(lanes);
}

struct Limbs {
    std::vector<Float4x4> joints;             // start, middle and end of each limb
    std::vector<ozz::math::SimdFloat4> goals; // target, pole vector and axis of the middle joint
    std::vector<ozz::math::SimdQuaternion> corrections;
    std::vector<uint8_t> reached;
};

Float4x4 at(const float *point) {
    Float4x4 matrix = Float4x4::identity();
    matrix.cols[3] = ozz::math::simd_float4::Load(point[0], point[1], point[2], 1.0f);
    return matrix;
}

} // namespace

extern "C" {

// Joints of one hierarchy with offsets from their parents, rotations w x y z; order[j] is our number of ozz's joint j.
void *ozz_rig_new(int joints, const int32_t *parents, const float *offsets, int frames, const float *rotations,
                  int32_t *order) {
    ozz::animation::offline::RawSkeleton raw;
    add_children(raw.roots, -1, joints, parents);
    Rig *rig = new Rig;
    rig->skeleton = ozz::animation::offline::SkeletonBuilder()(raw);
    if (!rig->skeleton || rig->skeleton->num_joints() != joints) {
        delete rig;
        return nullptr;
    }
    rig->per_pose = (size_t)rig->skeleton->num_soa_joints();
    rig->poses.assign(rig->per_pose * (size_t)frames, SoaTransform::identity());
    for (int j = 0; j < joints; j++) order[j] = std::stoi(rig->skeleton->joint_names()[(size_t)j]);
    for (int f = 0; f < frames; f++) {
        for (int j = 0; j < joints; j++) {
            SoaTransform &wide = rig->poses[(size_t)f * rig->per_pose + (size_t)j / 4];
            const float *q = rotations + ((size_t)f * (size_t)joints + (size_t)order[j]) * 4;
            const float *t = offsets + (size_t)order[j] * 3;
            set_lane(wide.rotation.w, j % 4, q[0]);
            set_lane(wide.rotation.x, j % 4, q[1]);
            set_lane(wide.rotation.y, j % 4, q[2]);
            set_lane(wide.rotation.z, j % 4, q[3]);
            set_lane(wide.translation.x, j % 4, t[0]);
            set_lane(wide.translation.y, j % 4, t[1]);
            set_lane(wide.translation.z, j % 4, t[2]);
        }
    }
    return rig;
}

// Matrices (F, J, 4, 4) in columns, 16-byte aligned, in ozz's order of joints.
int ozz_rig_run(const void *handle, int frames, float *out, int times) {
    const Rig &rig = *static_cast<const Rig *>(handle);
    const size_t joints = (size_t)rig.skeleton->num_joints();
    ozz::animation::LocalToModelJob job;
    job.skeleton = rig.skeleton.get();
    bool good = true;
    for (int n = 0; n < times; n++) {
        for (int f = 0; f < frames; f++) {
            job.input = {rig.poses.data() + (size_t)f * rig.per_pose, rig.per_pose};
            job.output = {reinterpret_cast<Float4x4 *>(out) + (size_t)f * joints, joints};
            good &= job.Run();
        }
    }
    return good;
}

// Matrices (F, J, 4, 4) in columns; weights (V, K - 1), the last is what is left to 1; normals and their result may be
// 0.
int ozz_skin_run(int vertices, int influences, int joints, int frames, const float *matrices, const uint16_t *indices,
                 const float *weights, const float *points, const float *normals, float *out, float *out_normals,
                 int times) {
    const size_t floats = 3 * (size_t)vertices;
    ozz::geometry::SkinningJob job;
    job.vertex_count = vertices;
    job.influences_count = influences;
    job.joint_indices = {indices, (size_t)vertices * (size_t)influences};
    job.joint_indices_stride = sizeof(uint16_t) * (size_t)influences;
    job.joint_weights = {weights, (size_t)vertices * (size_t)(influences - 1)};
    job.joint_weights_stride = sizeof(float) * (size_t)(influences - 1);
    job.in_positions = {points, floats};
    job.in_positions_stride = job.out_positions_stride = 3 * sizeof(float);
    if (normals) {
        job.in_normals = {normals, floats};
        job.in_normals_stride = job.out_normals_stride = 3 * sizeof(float);
    }
    bool good = true;
    for (int n = 0; n < times; n++) {
        for (int f = 0; f < frames; f++) {
            const Float4x4 *pose = reinterpret_cast<const Float4x4 *>(matrices) + (size_t)f * (size_t)joints;
            job.joint_matrices = {pose, (size_t)joints};
            job.out_positions = {out + (size_t)f * floats, floats};
            if (normals) job.out_normals = {out_normals + (size_t)f * floats, floats};
            good &= job.Run();
        }
    }
    return good;
}

// Positions (C, 3), the pole as a direction, the knee's axis about which it opens.
void *ozz_limbs_new(int count, const float *a, const float *b, const float *c, const float *target, const float *pole,
                    const float *axis) {
    Limbs *limbs = new Limbs;
    for (int i = 0; i < count; i++) {
        for (const float *point : {a, b, c}) limbs->joints.push_back(at(point + 3 * i));
        for (const float *goal : {target, pole, axis}) {
            const float *v = goal + 3 * i;
            limbs->goals.push_back(ozz::math::simd_float4::Load(v[0], v[1], v[2], 0.0f));
        }
    }
    limbs->corrections.resize(2 * (size_t)count);
    limbs->reached.resize((size_t)count);
    return limbs;
}

int ozz_limbs_run(void *handle, int times) {
    Limbs &limbs = *static_cast<Limbs *>(handle);
    bool good = true;
    for (int n = 0; n < times; n++) {
        for (size_t i = 0; i < limbs.reached.size(); i++) {
            bool reached = false;
            ozz::animation::IKTwoBoneJob job;
            job.target = limbs.goals[3 * i];
            job.pole_vector = limbs.goals[3 * i + 1];
            job.mid_axis = limbs.goals[3 * i + 2];
            job.start_joint = &limbs.joints[3 * i];
            job.mid_joint = &limbs.joints[3 * i + 1];
            job.end_joint = &limbs.joints[3 * i + 2];
            job.start_joint_correction = &limbs.corrections[2 * i];
            job.mid_joint_correction = &limbs.corrections[2 * i + 1];
            job.reached = &reached;
            good &= job.Run();
            limbs.reached[i] = reached;
        }
    }
    return good;
}

// Corrections (C, 2, 4) as x y z w.
void ozz_limbs_read(const void *handle, float *corrections) {
    const Limbs &limbs = *static_cast<const Limbs *>(handle);
    for (size_t i = 0; i < limbs.corrections.size(); i++) {
        ozz::math::StorePtrU(limbs.corrections[i].xyzw, corrections + 4 * i);
    }
}

} // extern "C"
