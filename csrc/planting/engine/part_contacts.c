/* SPDX-License-Identifier: MIT */
#include "part_contacts.h"

#include <string.h>

#include "planting/curves/curves.h"

int skl_contacts_in_range(skl_spans contacts, skl_span range, const uint8_t *alone, int64_t num_frames, int64_t window,
                          skl_arena *arena, skl_spans *out) {
    const int lone = memchr(alone, 1, (size_t)num_frames) != NULL;
    double *far = lone ? SKL_TAKE(arena, double, num_frames) : NULL;
    uint8_t *free = lone ? SKL_TAKE(arena, uint8_t, num_frames) : NULL;
    *out = (skl_spans){SKL_TAKE(arena, skl_span, contacts.count + (lone ? skl_most_runs(num_frames) : 0)), 0};
    if (arena->failed) return 0;
    if (lone) skl_frames_to_nearest(alone, num_frames, far);
    for (int64_t f = 0; lone && f < num_frames; f++) free[f] = far[f] > (double)window;
    for (int64_t i = 0; i < contacts.count; i++) {
        const skl_span whole = contacts.at[i];
        const skl_span cut = {skl_more(whole.first, range.first), skl_fewer(whole.last, range.last)};
        /* A contact given as one frame stands; one frame that cutting leaves of a longer one is an edge. */
        if (!(cut.last > cut.first || (whole.first == whole.last && cut.first == cut.last))) continue;
        if (!lone) {
            out->at[out->count++] = cut;
            continue;
        }
        skl_span run;
        for (int64_t from = cut.first; skl_next_run(free, cut.last + 1, from, &run); from = run.last + 1)
            if (run.last > run.first || cut.first == cut.last) out->at[out->count++] = run;
    }
    return 1;
}

int skl_joined_spans(skl_spans own, skl_spans more, skl_arena *arena, skl_spans *out) {
    *out = (skl_spans){SKL_TAKE(arena, skl_span, own.count + more.count), 0};
    if (!out->at) return 0;
    for (int64_t i = 0, j = 0; i < own.count || j < more.count;) {
        const int first = j == more.count || (i < own.count && own.at[i].first <= more.at[j].first);
        const skl_span next = first ? own.at[i++] : more.at[j++];
        skl_span *last = out->count ? &out->at[out->count - 1] : NULL;
        if (last && next.first <= last->last)
            last->last = skl_more(last->last, next.last);
        else
            out->at[out->count++] = next;
    }
    return 1;
}

int64_t skl_clip_frame(const skl_scene *scene, int64_t frame) {
    return scene->loop ? skl_loop_frame(scene->loop, frame) : frame;
}
