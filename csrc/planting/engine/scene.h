/* SPDX-License-Identifier: MIT */
/* What is known of a motion while it is planted. Frames are those of the motion, which
 * of a loop is the unrolled one; lengths are in its units. */
#pragma once

#include "planting/contacts/find_standing.h"
#include "planting/ground/levels.h"
#include "planting/ground/stances.h"
#include "planting/loops/loop.h"
#include "planting/paths/plan_paths.h"
#include "read_tracks.h"

/* --- what is known -------------------------------------------------------------------------------------------------
 */

/* When feet stand, and what was learned with it; arrays are one per leg. */
typedef struct skl_standing {
    skl_spans *contacts;
    skl_spans *lifts;   /* when feet that would stand else are lifted; NULL: not searched for */
    int moves;          /* whether level ground goes below the body, */
    double velocity[3]; /* in units per second */
    uint8_t **still;    /* num_frames: in which the foot is likely flat */
    skl_foot_model *models;
    int on_ground; /* whether contacts were found relative to the ground */
    int8_t *
        *rolls;   /* num_frames: on its heel 1, flat 0, on its ball -1, where that is given, else NULL; NULL: nowhere */
    int searched; /* whether contacts were looked for, by */
    skl_clip_limits limits;
} skl_standing;

typedef struct skl_scene {
    const skl_plant_rig *rig;
    const skl_plant_options *options;
    skl_arena *arena; /* of all that is found */
    int64_t num_frames;
    double up[3], fps;
    const skl_track *tracks;  /* one per leg, as all arrays below */
    const uint8_t *alone;     /* num_frames: lone frames, which are left as they are */
    const skl_loop *loop;     /* of which the motion is unrolled; NULL: it is none */
    const skl_ground *ground; /* NULL: it is not known */
    /* Set by skl_find_contacts: */
    skl_standing standing;
    /* Set by skl_stand: */
    skl_span frames; /* the range to work on */
    skl_spans *contacts;
    int contacts_outside; /* whether there are contacts, all of them outside of that range */
    skl_foot_model *models;
    skl_hold *holds;
    const skl_foothold **footholds; /* each NULL where the ground is level and keeps still */
    int64_t holes, steep;           /* frames of contact lost as there is no ground, and as it is too steep */
    int64_t *rolls_left;            /* frames in which a foot stands otherwise than given */
    uint8_t *rolled;                /* whether a foot is turned, to stand as given */
    /* Set by skl_hold_feet: */
    int has_levels;
    skl_levels levels;
    double **rises; /* per contact, how far above the ground it stands by its levels; 0 where it has none */
    skl_stance *stances;
    skl_status status;
} skl_scene;

/* Frames over which corrections fade; and turns of feet, around the moments in which these are held flat. */
int64_t skl_fade_frames(const skl_scene *scene);
int64_t skl_held_fade_frames(const skl_scene *scene);

/* Whether feet are held in the level plane too. */
int skl_feet_are_pinned(const skl_scene *scene);

/* Whether the options say how thick soles are. */
int skl_sole_is_given(const skl_scene *scene);

/* Thickness of each sole in leg lengths: as is given, or as the rest pose says; legs that are alike share what it says
 * where the ground is not known, or where it says nothing of one of them, as with one foot in the air. NaN where it is
 * not known. */
double *skl_sole_clearances(const skl_scene *scene, const skl_track *tracks);

/* Find or take when feet stand in `tracks`, which are the scene's, or those of the same legs as they are planted on
 * ground that moves as is `known`; NULL: it is not yet. */
skl_code skl_find_contacts(skl_scene *scene, const skl_track *tracks, const skl_standing *known, skl_standing *out);

/* Look for contacts in other motion, a part of a clip or what it was planted as, by the limits of all of it; relative
 * to `ground`, or NULL for the world. `out`: one per leg. */
skl_code skl_find_contacts_again(skl_scene *scene, const skl_track *tracks, const skl_ground *ground, skl_spans *out);

/* Read the ground below contacts, and how feet are held in them. */
skl_code skl_stand(skl_scene *scene);

/* How high feet stand, and how they are held. Not before skl_stand; a foot stands somewhere. */
skl_code skl_hold_feet(skl_scene *scene);

skl_code skl_scene_lacks_memory(skl_scene *scene);

/* The clip's own frame: of a loop that is planned unrolled, the one that comes again there. */
static inline int64_t skl_clip_frame(const skl_scene *scene, int64_t frame) {
    return scene->loop ? skl_loop_frame(scene->loop, frame) : frame;
}
