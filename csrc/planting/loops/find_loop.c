/* SPDX-License-Identifier: MIT */
#include "find_loop.h"

#include <math.h>
#include <string.h>

#include "core/base/status.h"
#include "loop_constants.h"
#include "loop_ground.h"

static double *rows_of(const double *from, const int64_t rows[4], int columns, skl_arena *arena) {
    double *out = SKL_TAKE(arena, double, 4 * columns);
    for (int i = 0; out && i < 4; i++)
        memcpy(out + columns * i, from + columns * rows[i], (size_t)columns * sizeof *out);
    return out;
}

/* The legs of a clip in its first two frames and its last two. 0 where memory failed. */
static int take_ends(const skl_find_loop_job *job, skl_loop_ends *out) {
    skl_track *tracks = SKL_TAKE(job->arena, skl_track, job->num_legs);
    for (int64_t k = 0; tracks && k < job->num_legs; k++) {
        const skl_track *clip = &job->tracks[k];
        const int64_t last = clip->num_frames - 1, rows[4] = {0, last > 0, last > 1 ? last - 1 : 0, last};
        tracks[k] = *clip;
        tracks[k].num_frames = 4;
        tracks[k].hip = rows_of(clip->hip, rows, 3, job->arena);
        tracks[k].knee = rows_of(clip->knee, rows, 3, job->arena);
        tracks[k].ankle = rows_of(clip->ankle, rows, 3, job->arena);
        tracks[k].foot = rows_of(clip->foot, rows, 9, job->arena);
        tracks[k].flexion = NULL;
    }
    *out = (skl_loop_ends){job->num_legs, tracks, job->up};
    return !job->arena->failed;
}

/* Ground that is not level continues with the motion, or stands against it. */
static skl_code compare_ground(skl_find_loop_job *job, const skl_loop_ends *ends, double near) {
    skl_loop *loop = &job->loop;
    skl_ground_at_ends below;
    if (!skl_compare_ground_at_ends(job->ground, ends, job->tracks->num_frames, loop->travel, near, job->arena, &below))
        return job->arena->failed ? skl_fail(&job->status, SKL_NO_MEMORY, "local", "")
                                  : skl_fail(&job->status, SKL_STOPPED, "ground", "");
    for (int i = 0; i < 3; i++) loop->planted[4 * i + 3] += below.lift * job->up[i];
    loop->rides = below.rides;
    if (below.other)
        job->why_open = below.other == 1 ? "the ground under its last pose differs from that under its first"
                                         : "the speed of the ground differs under its last pose and its first";
    return SKL_OK;
}

skl_code skl_find_loop(skl_find_loop_job *job) {
    const int64_t num = job->tracks->num_frames;
    const skl_plant_options *options = job->options;
    const int given = options->loop == SKL_LOOP_GIVEN;
    const int whole = options->working.first == 0 && options->working.last == num - 1;
    const int uneven = job->ground && !job->ground->is_level;
    const double near = given ? LOOP_NEAR_GIVEN : LOOP_NEAR;
    skl_loop *loop = &job->loop;
    skl_loop_ends ends;
    *loop = (skl_loop){.period = num - 1, .margin = skl_loop_margin(num - 1, job->fps), .gap = INFINITY};
    job->comes_back = 0;
    job->why_open = NULL;
    job->status = (skl_status){.code = SKL_OK};
    if (options->loop == SKL_LOOP_NONE || (!given && (!whole || options->mode == SKL_CONTACTS_NEVER))) return SKL_OK;
    if (!whole) return skl_fail(&job->status, SKL_BAD_VALUE, "working", "only the whole clip is closed");
    if (!take_ends(job, &ends) ||
        (num >= 4 && !skl_loop_travel(&ends, near, uneven, job->arena, loop->travel, &loop->gap)))
        return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    job->comes_back = loop->gap <= near;
    if (!job->comes_back && given)
        return skl_fail_number(&job->status, "gap", loop->gap,
                               "a loop's last pose is within 0.03 leg lengths of its first");
    if (job->comes_back && !given && !skl_loop_seam(&ends, loop->travel, job->tracks, job->arena, &job->comes_back))
        return skl_fail(&job->status, SKL_NO_MEMORY, "local", "");
    if (!job->comes_back) return SKL_OK;
    loop->rides = !skl_loop_travels(loop->travel);
    memcpy(loop->planted, loop->travel, sizeof loop->planted);
    if (skl_loop_turns(loop->travel) && options->belt != SKL_BELT_UNKNOWN) {
        job->why_open = "it turns, and a ground that moves in one direction does not turn with it";
        return SKL_OK;
    }
    return uneven ? compare_ground(job, &ends, near) : SKL_OK;
}
