/* SPDX-License-Identifier: MIT */
/* Planting: feet that slide, float or sink are held on the ground.
 *
 *   skl_plant_leg_init    a leg, from the rest pose
 *   skl_plant_defaults    the options of every day
 *   skl_plant_learn       what a motion says as a whole: which way is up, soles, contacts, the ground
 *   skl_plant_solve       plant it
 *   skl_plant_measure     contacts before and after, in numbers
 *   skl_plant_free        what learning took
 *
 * Everything is in double; local matrices are num_frames x num_joints x 16, row by row, last rows 0 0 0 1. Lengths are
 * in their units; a leg's length is that of thigh and shin together. */
#ifndef SKELKIN_PLANTING_H
#define SKELKIN_PLANTING_H

#include "skelkin/skeleton.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Frames from `first` to `last`, both included. */
typedef struct skl_span {
    int64_t first, last;
} skl_span;

/* Spans that rise and do not overlap. */
typedef struct skl_spans {
    skl_span *at;
    int64_t count; /* 0: none */
} skl_spans;

/* --- the ground --------------------------------------------------------------------------------------------------- */

/* What is known below points; heights are along up, NaN where there is no ground. */
typedef struct skl_footing {
    double *heights;  /* num */
    double *normals;  /* num x 3, unit vectors; NULL where they are not wanted */
    int64_t *surface; /* num: what each belongs to, for `carry`; NULL where they are not wanted */
} skl_footing;

/* What feet stand on, queried for many points at once. The functions return 0, or another number where they failed:
 * the job then ends with SKL_STOPPED. */
typedef struct skl_ground {
    double up[3];     /* out: set by skl_plant_learn before any query */
    int32_t is_level; /* whether it is a level plane that keeps still; 0: no */
    double level;     /* its height; 0: it goes through the origin */
    int32_t moves;    /* whether it carries what stands on it; 0: no */
    void *context;    /* of the functions; NULL: they need none */
    /* The ground below `points` (num x 3), each in its frame; not called of a level plane. */
    int (*below)(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out);
    /* Where points of its surfaces are in other frames; called where it moves. */
    int (*carry)(void *context, int64_t num, const double *points, const int64_t *surface, const int64_t *from,
                 const int64_t *to, double *out);
} skl_ground;

/* --- legs --------------------------------------------------------------------------------------------------------- */

/* One leg. Vectors are in the frame of the foot joint, chain[2], unless said otherwise. */
typedef struct skl_plant_leg {
    int32_t chain[3]; /* upper, lower, end */
    int32_t toe;      /* -1: there is none */
    int32_t has_end_site, has_marker, has_rest_up, has_tip;
    double end_site[3]; /* the end of the foot, where there is no toe joint */
    double marker[3];   /* a joint that marks the heel */
    double rest_up[3];  /* up, where the rest pose stands on the plane through the origin */
    double tip[3];      /* where the toes end, if they bend; in the frame of `toe` */
    double clearance;   /* of the sole in leg lengths, as the rest pose says; NaN: as of a leg like it, else typical */
    double bend[3];     /* the side to which the rest pose bends, see skl_apply_two_bone_job */
} skl_plant_leg;

/* The joints that planting reads and writes: those of the legs, what carries them, and the head. */
typedef struct skl_plant_rig {
    const skl_skeleton *skeleton;
    int64_t num_legs;
    const skl_plant_leg *legs;
    int64_t
        mover; /* the joint that carries the body, -1 where the legs have no joint above them in common; 0: the first */
    int64_t head; /* shows which way is up, -1: there is none, the hips do; 0: the first */
} skl_plant_rig;

/* A leg whose foot joint is `end`, as the rest pose says. `toe` and `heel`, a joint that marks the heel, are -1 where
 * there is none; `end_site` (3 numbers, or NULL) ends the toe, or a foot without toe joint, in the frame of that joint.
 */
skl_code skl_plant_leg_init(skl_plant_leg *leg, const skl_skeleton *skeleton, const int32_t chain[3], int32_t toe,
                            int32_t heel, const double *end_site, skl_status *status);

/* --- options ------------------------------------------------------------------------------------------------------ */

/* How contacts are known. */
typedef enum skl_plant_contacts {
    SKL_CONTACTS_FOUND = 0,
    SKL_CONTACTS_ALWAYS = 1,
    SKL_CONTACTS_NEVER = 2,
    SKL_CONTACTS_GROUND_ONLY = 3, /* found, and heights alone are corrected */
    SKL_CONTACTS_GIVEN = 4
} skl_plant_contacts;

/* Whether level ground goes below a body that stays where it is. */
typedef enum skl_plant_belt {
    SKL_BELT_UNKNOWN = 0, /* if it does, only heights are corrected */
    SKL_BELT_MEASURED = 1,
    SKL_BELT_GIVEN = 2
} skl_plant_belt;

/* What happens to a leg that is too short for the place of its foot. */
typedef enum skl_plant_reach {
    SKL_SOFTEN = 0,       /* the foot gives way before the knee is straight */
    SKL_STRETCH = 1,      /* its bones lengthen */
    SKL_LOWER_PELVIS = 2, /* the body comes down as far as it takes */
} skl_plant_reach;

/* A contact that is given with a place or a height. */
typedef struct skl_plant_pin {
    skl_span span;
    double place[3]; /* over which the ball stands; its part in the level plane counts; place[0] NaN: not given */
    double height;   /* along up at which the sole stands; NaN: not given */
} skl_plant_pin;

/* The contacts that are given for one leg. */
typedef struct skl_plant_given {
    skl_spans contacts;
    int32_t apart;             /* whether heel and ball are given apart; 0: no */
    skl_spans heel, ball;      /* read where they are */
    const skl_plant_pin *pins; /* those of the contacts that have more than a span */
    int64_t num_pins;          /* 0: none */
} skl_plant_given;

/* Whether a clip whose last pose is the first, in place or carried on by a displacement and a turn about up, is kept
 * closed: contacts and blends then continue across the seam. */
typedef enum skl_plant_loop {
    SKL_LOOP_RECOGNISED = 0, /* where it differs by 0.001 of the leg at most and the speed does not jump */
    SKL_LOOP_NONE = 1,
    SKL_LOOP_GIVEN = 2 /* it is one: 0.03 of the leg are allowed; SKL_BAD_VALUE where it cannot be */
} skl_plant_loop;

/* Begin with skl_plant_defaults, not with zeros. */
typedef struct skl_plant_options {
    skl_plant_contacts mode;      /* 0: SKL_CONTACTS_FOUND */
    const skl_plant_given *given; /* one per leg, of SKL_CONTACTS_GIVEN */
    skl_span working;             /* the frames to work on, last -1: all from `first` on; 0: the first frame alone */
    int32_t up_is_given;          /* 0: the motion shows it */
    double up[3];                 /* a unit vector, read where it is given */
    skl_plant_belt belt;          /* 0: SKL_BELT_UNKNOWN */
    double belt_velocity[3];      /* of SKL_BELT_GIVEN, in units per second; 0: it stands still */
    double sole;                  /* its thickness, NaN: as the rest pose says; 0: none */
    double align;                 /* how much of a slope feet take on, up to 1; 0: none */
    double max_slope;             /* up to 90 degrees: feet do not stand on steeper ground; 0: level ground alone */
    double blend;                 /* seconds that corrections take to fade; 0: they jump */
    skl_plant_reach reach;        /* of legs that are too short; 0: SKL_SOFTEN */
    double stretch;               /* largest factor by which bones may lengthen; 1: they do not */
    double pelvis_acceleration;   /* by how much that of the body may become greater, legs per s^2 */
    double toe_bend;              /* the largest angle by which toes bend, radians; 0: they do not */
    skl_plant_loop loop;          /* closed only where all frames are worked on; 0: SKL_LOOP_RECOGNISED */
} skl_plant_options;

void skl_plant_defaults(skl_plant_options *options);

/* --- planting ----------------------------------------------------------------------------------------------------- */

/* A motion, which is read only, and lives as long as what is learned of it. Every frame counts as motion: one that
 * holds its poses (animated on twos, or 60 frames per second made of 30 by doubling) stands and jumps, and feet then
 * seem to stand all the time. Give the motion between its poses instead, and hold its planted frames again; Python's
 * plant_feet does so. */
typedef struct skl_plant_motion {
    const skl_plant_rig *rig;
    int64_t num_frames;
    double fps;
    const double *local;
} skl_plant_motion;

/* What is known of a motion, and how it is planted. */
typedef struct skl_planting skl_planting;

/* Read all of a motion. `ground` is NULL where it is not known: then it is level, as contacts say. Motion that cannot
 * be planted is SKL_BAD_VALUE; then, and on any other failure, `*out` is NULL. Motion, options (and what these point
 * to) and ground live until skl_plant_free. */
skl_code skl_plant_learn(const skl_plant_motion *motion, const skl_plant_options *options, skl_ground *ground,
                         skl_planting **out, skl_status *status);

/* Plant it so that the contacts of the result are those that were planted. `planted` has the size of the motion's local
 * matrices, and is written where nothing fails; all joints but those of the legs, of what carries the body and, with
 * toe_bend, of the toes keep their bits.
 */
skl_code skl_plant_solve(skl_planting *planting, double *planted, skl_status *status);

/* One contact: how far the point of the sole that the foot stands on slides from where it touched down, and how deep
 * the sole goes into the ground, at worst, before and after. */
typedef struct skl_plant_contact {
    int64_t leg;
    skl_span span;
    double slide[2], depth[2];
} skl_plant_contact;

/* What is known, and what was done. */
typedef struct skl_plant_measures {
    double up[3];
    double level;                      /* of the ground, where that is level */
    int64_t num_contacts;              /* of all legs, leg by leg */
    const skl_plant_contact *contacts; /* they live until skl_plant_free */
    double unreached;                  /* how far an ankle is from its place in a contact, at most */
    int32_t is_loop;                   /* whether the motion was taken for a loop, and is closed */
    int32_t ground_moves;      /* whether ground goes below a cycle in place, or below what was said to be one */
    double ground_velocity[3]; /* of that in units per second; roots that move against it let its feet rest */
} skl_plant_measures;

/* Not before skl_plant_solve, whose `planted` is read. */
skl_code skl_plant_measure(skl_planting *planting, skl_plant_measures *out, skl_status *status);

/* NULL is none. */
void skl_plant_free(skl_planting *planting);

#ifdef __cplusplus
}
#endif

#endif
