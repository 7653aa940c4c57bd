/* SPDX-License-Identifier: MIT */
/* The weights with which bones move vertices: vertex groups as stored, else envelopes. float32, in Blender's order. */
#include <math.h>

#include "core/base/status.h"
#include "core/base/stop.h"
#include "core/base/validate.h"
#include "skelkin/blender_deform.h"

/* Squares of lengths up to this count as 0. */
#define LEAST_SQUARE 1e-35f

static float dot(const float a[3], const float b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static void subtract(const float a[3], const float b[3], float out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

/* How much of the bone's weight reaches the point: 1 inside of its radius, then falling to 0 over the distance. */
static float envelope_factor(const skl_envelope *e, const float point[3]) {
    float along[3], from_head[3], from_tail[3], square, radius;
    subtract(e->tail, e->head, along);
    subtract(point, e->head, from_head);
    const float along_square = dot(along, along);
    const float length = along_square > LEAST_SQUARE ? sqrtf(along_square) : 0.0f;
    for (int k = 0; k < 3; k++) along[k] = length > 0.0f ? along[k] * (1.0f / length) : 0.0f;
    const float height = dot(along, from_head);
    if (height < 0.0f) {
        square = dot(from_head, from_head);
        radius = e->head_radius;
    } else if (height > length) {
        subtract(point, e->tail, from_tail);
        square = dot(from_tail, from_tail);
        radius = e->tail_radius;
    } else {
        square = dot(from_head, from_head) - height * height;
        radius =
            length > 0.0f ? e->head_radius + (e->tail_radius - e->head_radius) * (height / length) : e->head_radius;
    }
    if (square < radius * radius) return 1.0f;
    const float reach = radius + e->distance;
    if (!(e->distance != 0.0f) || square >= reach * reach) return 0.0f;
    const float outside = sqrtf(square) - radius;
    return 1.0f - outside * outside / (e->distance * e->distance);
}

/* The rows of the job as they grow; with no place for entries they are counted. */
typedef struct rows {
    const skl_influences_job *job;
    int64_t at;
    float total;
} rows;

static void add_entry(rows *r, int32_t bone, float weight) {
    if (r->job->bones) {
        r->job->bones[r->at] = bone;
        r->job->weights[r->at] = weight;
    }
    r->at++;
    r->total += weight;
}

/* Entries of a vertex from its groups; returns whether any of them has a bone, of whatever weight. */
static int add_groups(rows *r, int64_t vertex) {
    const skl_influences_job *job = r->job;
    int used = 0;
    if (!job->group_offsets) return 0;
    for (int64_t i = job->group_offsets[vertex]; i < job->group_offsets[vertex + 1]; i++) {
        const int32_t bone = job->bone_of_group[job->groups[i]];
        if (bone < 0 || !job->envelopes[bone].deforms) continue;
        const skl_envelope *envelope = &job->envelopes[bone];
        float weight = job->group_weights[i];
        used = 1;
        if (envelope->multiply) weight *= envelope_factor(envelope, job->points + 3 * vertex);
        if (weight < 0.0f || weight > 0.0f) add_entry(r, bone, weight);
    }
    return used;
}

static void add_envelopes(rows *r, int64_t vertex) {
    const skl_influences_job *job = r->job;
    for (int32_t bone = 0; bone < job->num_bones; bone++) {
        const skl_envelope *envelope = &job->envelopes[bone];
        if (!envelope->deforms) continue;
        float weight = envelope_factor(envelope, job->points + 3 * vertex);
        if (!(weight > 0.0f)) continue;
        weight *= envelope->weight;
        if (weight > 0.0f) add_entry(r, bone, weight);
    }
}

static skl_code check(skl_influences_job *job) {
    const skl_pointer pointers[] = {{job->points, "points"}, {job->offsets, "offsets"}};
    const skl_pointer of_groups[] = {
        {job->groups, "groups"}, {job->group_weights, "group_weights"}, {job->bone_of_group, "bone_of_group"}};
    skl_status *status = &job->status;
    skl_code code = SKL_CHECK_POINTERS(pointers, status);
    if (code == SKL_OK) code = skl_check_counted(job->envelopes, job->num_bones, "envelopes", status);
    if (code == SKL_OK && job->group_offsets) code = SKL_CHECK_POINTERS(of_groups, status);
    if (code == SKL_OK && job->bones && !job->weights)
        code = skl_fail(status, SKL_BAD_VALUE, "weights", SKL_IS_MISSING);
    return code;
}

skl_code skl_influences_run(skl_influences_job *job) {
    rows r = {.job = job};
    job->status.code = SKL_OK;
    if (check(job) != SKL_OK) return job->status.code;
    job->offsets[0] = 0;
    for (int64_t v = 0; v < job->num_vertices && skl_slowly_goes_on(v); v++) {
        r.total = 0.0f;
        if (!add_groups(&r, v) && job->use_envelopes) add_envelopes(&r, v);
        job->offsets[v + 1] = r.at;
        if (job->totals) job->totals[v] = r.total;
    }
    return skl_done(&job->status);
}
