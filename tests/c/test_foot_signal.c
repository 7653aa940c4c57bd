/* SPDX-License-Identifier: MIT */
/* What contact detection sees of a foot, of jumps and of the way up, of signals whose answer is known. */
#include "planting/contacts/contacts.h"
#include "planting/contacts/find_standing.h"
#include "planting/contacts/foot_signal.h"
#include "planting/curves/filters.h"
#include "planting/engine/body_up.h"
#include "planting/motion/cuts.h"
#include "check.h"

enum { FRAMES = 24, STEPS = FRAMES - 1 };

/* Find the fixed frames of a foot that goes `steps[i]` from frame i to the next, over a ground that goes itself. */
static void find_fixed(const double steps[STEPS], const double rises[STEPS], uint8_t out[FRAMES]) {
    const double ground[3] = {0.25, 0, -0.5};
    double *raw = exactly(3 * STEPS * sizeof *raw), *own_rises = exactly(STEPS * sizeof *own_rises);
    uint8_t *fixed = exactly(FRAMES);
    skl_foot_signal signal = {.num_frames = FRAMES, .raw = raw, .rises = own_rises};
    skl_arena arena = {0};
    for (int i = 0; i < STEPS; i++) {
        const double way[3] = {0.6 * steps[i], 0, 0.8 * steps[i]};
        for (int c = 0; c < 3; c++) raw[3 * i + c] = ground[c] + way[c];
        own_rises[i] = rises[i];
    }
    skl_fixed_frames(&signal, 0.01, ground, &arena, fixed);
    CHECK(!arena.failed && !arena.last);
    memcpy(out, fixed, FRAMES);
    free(raw);
    free(own_rises);
    free(fixed);
}

/* Every frame beside a step that is none to rounding, and on over steps that nearly are; at both ends of a clip too. */
static void a_foot_rests_from_its_first_frame_to_its_last(int first, int rest, int nearly) {
    double steps[STEPS], rises[STEPS] = {0};
    uint8_t out[FRAMES];
    for (int i = 0; i < STEPS; i++) steps[i] = i < first ? 0.01 : i < rest ? 0 : i < nearly ? 3e-5 : 0.01;
    find_fixed(steps, rises, out);
    for (int f = 0; f < FRAMES; f++) CHECK(out[f] == (f >= first && f <= nearly));
}

static void a_foot_that_jitters_by_more_than_rounding_does_not_rest(void) {
    double steps[STEPS], rises[STEPS] = {0};
    uint8_t out[FRAMES];
    for (int i = 0; i < STEPS; i++) steps[i] = i >= 4 && i < 12 ? 5e-7 : 0.01;
    find_fixed(steps, rises, out);
    for (int f = 0; f < FRAMES; f++) CHECK(out[f] == 0);
}

static void a_foot_that_rises_or_falls_does_not_rest(double rise) {
    double steps[STEPS] = {0}, rises[STEPS] = {0};
    uint8_t out[FRAMES];
    rises[9] = rise;
    rises[10] = -rise;
    find_fixed(steps, rises, out);
    for (int f = 0; f < FRAMES; f++) CHECK(out[f] == (f != 10));
}

/* Steps of 0.01 in one direction, but for one of `jump` to a frame and, where it is not 0, one of `other` to frame 12.
 */
static void step_along(double *path, int64_t frames, int64_t frame, double jump, double other) {
    double at = 0;
    for (int64_t f = 0; f < frames; f++) {
        at += f == 0 ? 0 : f == frame ? jump : f == 12 && other > 0 ? other : 0.01;
        path[3 * f] = 3 + 0.48 * at;
        path[3 * f + 1] = 4 + 0.6 * at;
        path[3 * f + 2] = 5 - 0.64 * at;
    }
}

/* The hips of two legs go there and back beside the body's way, which is their mean; their mean length is 2. */
static void body_jumps(double fps, int frame, double jump, double other, int expected) {
    enum { LENGTH = 2 };
    double *left = exactly(3 * FRAMES * sizeof *left), *right = exactly(3 * FRAMES * sizeof *right);
    uint8_t *cuts = exactly(FRAMES);
    const skl_track legs[2] = {{.num_frames = FRAMES, .hip = left, .length = 1.5},
                               {.num_frames = FRAMES, .hip = right, .length = LENGTH + 0.5}};
    const skl_track *const tracks[2] = {&legs[0], &legs[1]};
    skl_arena arena = {0};
    step_along(left, FRAMES, frame, jump, other);
    memcpy(right, left, 3 * FRAMES * sizeof *left);
    for (int f = 0; f < FRAMES; f++) {
        left[3 * f + 2] += f % 2 ? 5 : -5; /* one hip against the other */
        right[3 * f + 2] += f % 2 ? -5 : 5;
    }
    CHECK(skl_body_cuts(2, tracks, fps, &arena, cuts));
    for (int f = 0; f < FRAMES; f++) CHECK(cuts[f] == (expected && f == frame));
    CHECK(!arena.last);
    free(left);
    free(right);
    free(cuts);
}

/* A jump is longer than a tenth of a leg, and than four times any other step within a fifth of a second: four frames of
 * twenty a second. */
static void a_jump_is_long_and_alone(void) {
    for (int frame = 1; frame < FRAMES; frame += 11) body_jumps(20, frame, 0.21, 0, 1);
    body_jumps(20, FRAMES - 1, 0.21, 0, 1);
    body_jumps(20, 8, 0.19, 0, 0);
    body_jumps(20, 8, 0.41, 0.1, 1);
    body_jumps(20, 8, 0.39, 0.1, 0);
    body_jumps(15, 8, 0.39, 0.1, 1);
    body_jumps(1, 8, 0.39, 0.1, 1);
    body_jumps(1000, 8, 0.39, 0.1, 0);
}

/* The bell of 20 ms, 80 ms to either side, as far as neither an end nor the jump to frame `cut` comes between. */
static void a_calm_line_is_the_mean_under_a_bell(double fps, int64_t cut) {
    double *hip = exactly(3 * FRAMES * sizeof *hip), *ankle = exactly(3 * FRAMES * sizeof *ankle);
    double *calm = exactly(3 * FRAMES * sizeof *calm);
    const skl_track track = {.num_frames = FRAMES, .hip = hip, .ankle = ankle, .length = 1};
    skl_arena arena = {0};
    for (int i = 0; i < 3 * FRAMES; i++) {
        ankle[i] = 10 * next_number();
        hip[i] = ankle[i] + 0.02 * next_number() + (i / 3 >= cut ? 1 : 0);
    }
    skl_calm_line(&track, fps, &arena, calm);
    CHECK(!arena.failed && !arena.last);
    for (int f = 0; f < FRAMES; f++)
        for (int c = 0; c < 3; c++) {
            double sum = 0, all = 0;
            for (int g = 0; g < FRAMES; g++) {
                const double after = (g - f) / fps;
                if (fabs(after) > 0.08 + 1e-9 || (g < cut) != (f < cut)) continue;
                sum += exp(-0.5 * after * after / (0.02 * 0.02)) * (hip[3 * g + c] - ankle[3 * g + c]);
                all += exp(-0.5 * after * after / (0.02 * 0.02));
            }
            CHECK(fabs(calm[3 * f + c] - sum / all) < 1e-13);
        }
    free(hip);
    free(ankle);
    free(calm);
}

/* Between steps as long as they may be at most, a path is smoothed, and its velocity taken, as a path of its own. */
static void pieces_between_tears_are_paths_of_their_own(void) {
    const double torn = skl_tear(0.5, 30);
    static const int firsts[] = {0, 1, 9, FRAMES};
    double *path = exactly(3 * FRAMES * sizeof *path), *calm = exactly(3 * FRAMES * sizeof *path);
    double *rate = exactly(3 * FRAMES * sizeof *path), own[3 * FRAMES];
    skl_arena arena = {0};
    for (int i = 0; i < 3 * FRAMES; i++)
        path[i] = 0.1 * next_number() + (i % 3 ? 0 : i >= 3 * 9 ? 2.0 : i >= 3 ? 1.0 : 0.0);
    skl_low_pass_between(path, FRAMES, torn, 1.5, &arena, calm);
    skl_rate_between(path, FRAMES, torn, 30, rate);
    for (int piece = 0; piece < 3; piece++) {
        const int first = firsts[piece], count = firsts[piece + 1] - first;
        skl_low_pass(path + 3 * first, count, 3, 1.5, &arena, own);
        CHECK(memcmp(calm + 3 * first, own, (size_t)count * 3 * sizeof *own) == 0);
        for (int f = 0; f < count; f++)
            for (int c = 0; c < 3; c++) {
                const int a = f > 0 ? f - 1 : f, b = f + 1 < count ? f + 1 : f;
                const double step = path[3 * (first + b) + c] - path[3 * (first + a) + c];
                CHECK(fabs(rate[3 * (first + f) + c] - (a < b ? step * 30 / (b - a) : 0)) < 1e-12);
            }
    }
    CHECK(fabs(skl_tear(2, 10) - 4) < 1e-15 && fabs(skl_tear(2, 40) - 2) < 1e-15);
    free(path);
    free(calm);
    free(rate);
}

/* Of two legs one joint of one jumps, by as many lengths, to frame 10; frames come 50 a second. */
static void contacts_end_at_a_tear(int joint, double lengths, int expected) {
    double *paths[4];
    skl_span first[] = {{2, 6}, {7, 15}, {16, 20}}, second[] = {{8, 9}, {9, 12}, {14, 14}};
    skl_spans contacts[2] = {{first, 3}, {second, 3}};
    skl_arena arena = {0};
    for (int k = 0; k < 4; k++) {
        paths[k] = exactly(3 * FRAMES * sizeof **paths);
        step_along(paths[k], FRAMES, 10, k == joint ? 2 * lengths : 0.01, 0);
    }
    const skl_track tracks[2] = {
        {.num_frames = FRAMES, .hip = paths[3], .knee = paths[3], .ankle = paths[3], .length = 2},
        {.num_frames = FRAMES, .hip = paths[0], .knee = paths[1], .ankle = paths[2], .length = 2}};
    CHECK(skl_break_at_tears(2, tracks, 50, &arena, contacts));
    /* What is left of a contact is one from three frames on; a short one that no tear touches stays. */
    static const skl_span broken[2][4] = {{{2, 6}, {7, 9}, {10, 15}, {16, 20}}, {{8, 9}, {10, 12}, {14, 14}}};
    const int counts[2] = {expected ? 4 : 3, 3};
    const skl_span *const wanted[2] = {expected ? broken[0] : first, expected ? broken[1] : second};
    for (int k = 0; k < 2; k++) {
        CHECK(contacts[k].count == counts[k]);
        CHECK(memcmp(contacts[k].at, wanted[k], (size_t)counts[k] * sizeof(skl_span)) == 0);
    }
    skl_arena_free(&arena);
    for (int k = 0; k < 4; k++) free(paths[k]);
}

/* A body that goes from lying along x, for a quarter of a second, to pointing along `later`; `rest` along y. */
static int up_of(const double first[3], const double later[3], const double rest[3], double up[3], double *share) {
    enum { BEGIN = 5 };
    double *top = exactly(3 * FRAMES * sizeof *top), *feet = exactly(3 * FRAMES * sizeof *feet);
    for (int f = 0; f < FRAMES; f++)
        for (int i = 0; i < 3; i++) {
            feet[3 * f + i] = 3 + i;
            top[3 * f + i] = feet[3 * f + i] + (f < BEGIN ? first[i] : later[i]);
        }
    const skl_body_path body = {FRAMES, top, top, feet, rest, 4 * BEGIN};
    const int found = skl_body_up(&body, up, share);
    free(top);
    free(feet);
    return found;
}

static void check_up(const double first[3], const double later[3], const double rest[3], int axis, double wanted) {
    double up[3], share, mean[3], length = 0;
    CHECK(up_of(first, later, rest, up, &share));
    for (int i = 0; i < 3; i++) {
        mean[i] = (5 * first[i] + (FRAMES - 5) * later[i]) / FRAMES;
        length += mean[i] * mean[i];
    }
    for (int i = 0; i < 3; i++) CHECK(up[i] == (i == axis ? wanted : 0));
    CHECK(fabs(share - wanted * mean[axis] / sqrt(length)) < 1e-14);
}

static void up_is_where_the_body_points_unless_the_rest_pose_says_it_clearly(void) {
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, down[3] = {0, 0, -2}, nothing[3] = {0};
    static const double some[3] = {0.7, 0.6, -0.1}, little[3] = {0.7, 0.2, -0.6}, clear[3] = {0.2, 0.95, 0};
    static const double nearly[3] = {0.5, 0.86, 0}, under[3] = {0, -1, 0};
    double up[3], share;
    check_up(x, x, NULL, 0, 1);
    check_up(down, down, NULL, 2, -1);
    check_up(y, x, y, 1, 1);               /* begins as it stands, then lies */
    check_up(nearly, x, y, 0, 1);          /* it does not begin so clearly enough */
    check_up(under, x, y, 0, 1);           /* begins on its head */
    check_up(y, x, nearly, 0, 1);          /* a rest pose that is not clear */
    check_up(some, some, clear, 1, 1);     /* the whole is not clear, and has some of it */
    check_up(little, little, clear, 0, 1); /* but too little */
    check_up(x, x, y, 0, 1);               /* the whole is clear */
    CHECK(!up_of(nothing, nothing, y, up, &share));
}

/* A body of length 1 with its head toward -x and its hips over its feet toward `hips`; along each axis its lowest
 * joints go up and down by so much in turn. */
static void check_floor(const double head[3], const double hips[3], const double rest[3], const double moves[6],
                        int wanted) {
    double top[3 * FRAMES], middle[3 * FRAMES], feet[3 * FRAMES] = {0}, lowest[6 * FRAMES], up[3], share;
    for (int f = 0; f < FRAMES; f++) {
        for (int i = 0; i < 3; i++) top[3 * f + i] = head[i], middle[3 * f + i] = hips[i];
        for (int a = 0; a < 6; a++) lowest[a * FRAMES + f] = 7 + (f < 3 ? 100 : f % 2 ? moves[a] : -moves[a]);
    }
    const skl_body_path body = {FRAMES, top, middle, feet, rest, 30};
    CHECK(skl_body_up(&body, up, &share));
    CHECK(skl_up_is_doubtful(&body, up, share));
    skl_floor_up(&body, lowest, up, &share);
    for (int a = 0; a < 3; a++) CHECK(up[a] == (a == wanted % 3 ? (wanted < 3 ? 1 : -1) : 0));
}

static void up_is_where_a_floor_is_if_the_body_leans(void) {
    static const double ahead[3] = {-1, 0, 0}, leans[3] = {-0.7, 0.6, 0}, over[3] = {0, 0.4, 0};
    static const double stands[3] = {0, 1, 0}, collapsed[3] = {1, 0, 0}, lies[3] = {0.1, 0, 1};
    static const double goes[6] = {1, 0.1, 1, 1, 1, 1}, less[6] = {1, 0.6, 1, 1, 1, 1}, other[6] = {1, 1, 1, 0.4, 1, 1};
    static const double still[6] = {0.001, 0.004, 0.001, 0.001, 0.001, 0.001};
    check_floor(ahead, ahead, stands, goes, 1);    /* a crawl: along its rest pose joints keep still */
    check_floor(ahead, ahead, stands, less, 3);    /* not still enough */
    check_floor(leans, leans, collapsed, goes, 1); /* it rises along y too */
    check_floor(leans, leans, collapsed, less, 3);
    check_floor(ahead, over, collapsed, still, 1); /* stands on four legs */
    check_floor(ahead, over, collapsed, other, 3); /* but the floor is where the head is */
    check_floor(ahead, over, ahead, still, 3);     /* the rest pose agrees with the body */
    check_floor(ahead, over, ahead, goes, 1);
    check_floor(ahead, lies, ahead, goes, 3); /* neither body nor legs rise there */
}

/* A foot that comes to rest to rounding at frame 8, rests until 15, and is quiet for so many frames before and after:
 * its contact is that in which it rests, unless it is quiet for more than two frames. */
static void a_contact_is_as_long_as_the_pivot_rests_or_rolls(int before, int after) {
    enum { FIRST = 8, LAST = 15 };
    uint8_t core[FRAMES] = {0}, leave[FRAMES], rests[FRAMES] = {0};
    double height[FRAMES] = {0}, velocity[3 * FRAMES] = {0}, place[3 * FRAMES] = {0}, slips[3 * STEPS],
           rises[STEPS] = {0};
    skl_span spans[2 * FRAMES];
    memset(leave, 1, sizeof leave);
    for (int f = FIRST; f <= LAST; f++) core[f] = rests[f] = 1;
    for (int i = 0; i < 3 * STEPS; i++) slips[i] = i / 3 >= FIRST - before && i / 3 < LAST + after ? 0 : 5;
    skl_contacts_job job = {.num_frames = FRAMES,
                            .core = core,
                            .leave = leave,
                            .rests = rests,
                            .height = height,
                            .velocity = velocity,
                            .place = place,
                            .slips = slips,
                            .rises = rises,
                            .limits = {.shortest_core = 3,
                                       .shortest_rest = 3,
                                       .shortest = 3,
                                       .steady = 0.3,
                                       .stay = 0.03,
                                       .quiet = 0.1,
                                       .lift = 0.01,
                                       .noise = 3,
                                       .sets_off = 10,
                                       .rises_off = 10,
                                       .departing = 2,
                                       .brief = 2,
                                       .gap = 2,
                                       .same_place = 0.05},
                            .spans = spans};
    CHECK(skl_contacts_run(&job) == SKL_OK && job.num_spans == 1);
    CHECK(spans[0].first == FIRST - (before > 2 ? before : 0));
    CHECK(spans[0].last == LAST + (after > 2 ? after : 0));
}

enum { LONG = 240, PERIOD = 60 };
static const double LEG = 0.9, RATE = 60;

/* Two legs and what is found of them. */
typedef struct two_legs {
    double hip[2][3 * LONG], knee[2][3 * LONG], ankle[2][3 * LONG], foot[9 * LONG], flexion[LONG];
    uint8_t still[2][LONG];
    skl_track tracks[2];
    skl_arena arena;
    skl_standing_job job;
} two_legs;

static void open_legs(two_legs *l) {
    memset(l, 0, sizeof *l);
    for (int i = 0; i < 9 * LONG; i++) l->foot[i] = i % 9 % 4 == 0;
    for (int k = 0; k < 2; k++)
        l->tracks[k] = (skl_track){.num_frames = LONG,
                                   .hip = l->hip[k],
                                   .knee = l->knee[k],
                                   .ankle = l->ankle[k],
                                   .foot = l->foot,
                                   .flexion = l->flexion,
                                   .ball = {0, -0.07, 0.15},
                                   .length = LEG,
                                   .has_ball = 1,
                                   .bends = 1};
    static const double up[3] = {0, 1, 0};
    l->job = (skl_standing_job){.num_legs = 2, .tracks = l->tracks, .up = up, .fps = RATE, .arena = &l->arena};
}

static void find_in(two_legs *l) {
    const double clearance[2] = {(double)NAN, (double)NAN};
    uint8_t *const still[2] = {l->still[0], l->still[1]};
    CHECK(skl_find_standing(&l->job, clearance, 1, still) == SKL_OK);
}

/* Feet that go back at a speed (legs/s) in so many of 60 frames, and forward through the air; all of it goes at
 * `drift`, and for four frames by turns a foot goes faster, or slower, by the part `spread`. */
static void a_belt_is_told_by_feet_that_are_low(double speed, int stance, double drift, double spread, int expected) {
    static two_legs l;
    open_legs(&l);
    for (int k = 0; k < 2; k++) {
        double back[PERIOD], sum = 0, at = 0, along[PERIOD];
        for (int n = 0; n < stance; n++) sum += back[n] = -speed * LEG / RATE * (1 + (n / 4 % 2 ? -spread : spread));
        for (int n = stance; n < PERIOD; n++) back[n] = -sum / (PERIOD - stance);
        for (int n = 0; n < PERIOD; n++) along[n] = at += back[n];
        for (int f = 0; f < LONG; f++) {
            const int when = (f + 30 * k) % PERIOD;
            const double swing = when < stance ? 0 : (when - stance + 1) / (PERIOD - stance + 1.0);
            double *const hip = l.hip[k] + 3 * f, *const ankle = l.ankle[k] + 3 * f;
            hip[1] = 0.9;
            hip[2] = drift * LEG / RATE * f;
            ankle[1] = 0.1 + 0.25 * sin(3.14159265358979 * swing);
            ankle[2] = along[when] + hip[2];
            for (int i = 0; i < 3; i++) l.knee[k][3 * f + i] = 0.5 * (hip[i] + ankle[i]) + (i == 2 ? 0.1 : 0);
        }
    }
    find_in(&l);
    CHECK(l.job.limits.moves == expected);
    const double *const found = l.job.limits.ground_velocity;
    const double wanted = expected ? drift - speed : 0;
    CHECK(fabs(found[0]) < 1e-9 && fabs(found[1]) < 1e-9);
    CHECK(fabs(found[2] - wanted) < 1e-9 + (spread > 0 ? speed : 0));
    skl_arena_free(&l.arena);
}

/* A foot is this much higher in frames 100 to 100 + `lasts` - 1: all of it, or its ankle alone, or all of both legs. */
typedef enum what_rises { FOOT, HEEL, BODY } what_rises;

static void a_foot_that_is_lifted_does_not_stand(what_rises what, int lasts, double height, int expected) {
    static two_legs l;
    static double turned[9 * LONG];
    open_legs(&l);
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < LONG; f++) {
            l.ankle[k][3 * f] = l.hip[k][3 * f] = l.knee[k][3 * f] = k ? 0.1 : -0.1;
            l.ankle[k][3 * f + 1] = 0.1;
            l.hip[k][3 * f + 1] = 0.9;
            l.knee[k][3 * f + 1] = 0.5;
            l.knee[k][3 * f + 2] = 0.1;
        }
    find_in(&l);
    memcpy(turned, l.foot, sizeof turned);
    for (int f = 100; f < 100 + lasts; f++)
        for (int k = 0; k < (what == BODY ? 2 : 1); k++) {
            double *const ankle = l.ankle[k] + 3 * f;
            if (what == HEEL) { /* about the ball, which stays */
                const double c = cos(0.3), s = sin(0.3), turn[9] = {1, 0, 0, 0, c, -s, 0, s, c};
                memcpy(turned + 9 * f, turn, sizeof turn);
                ankle[1] += -0.07 - (c * -0.07 - s * 0.15);
                ankle[2] += 0.15 - (s * -0.07 + c * 0.15);
                CHECK(ankle[1] - 0.1 > height * LEG);
            } else {
                ankle[1] += height * LEG;
            }
            if (what == BODY) l.hip[k][3 * f + 1] += height * LEG;
        }
    l.tracks[0].foot = turned;
    CHECK(skl_find_again(&l.job) == SKL_OK);
    int stands[LONG] = {0};
    for (int64_t n = 0; n < l.job.contacts[0].count; n++)
        for (int64_t f = l.job.contacts[0].at[n].first; f <= l.job.contacts[0].at[n].last; f++) stands[f] = 1;
    for (int f = 0; f < 98; f++) CHECK(stands[f]);
    for (int f = 102 + lasts; f < LONG; f++) CHECK(stands[f]);
    for (int f = 103; f < 97 + lasts; f++) CHECK(stands[f] == !expected);
    skl_arena_free(&l.arena);
}

/* In legs per second, the ground below a foot in its one contact: it goes at -3 on average while it is low, up to 0.5
 * faster while it lands and more slowly while it leaves, if it rolls, and is lowest in the middle of the clip. */
static void the_ground_goes_as_a_foot_does(int rolls, skl_span contact) {
    enum { NUM = 61 };
    static double ankle[3 * NUM], foot[9 * NUM];
    const double up[3] = {0, 1, 0}, fps = 60;
    skl_arena arena = {0};
    skl_foot_model model = {
        .sole = {.heel = {0, -0.1, 0}, .ball = {0, -0.1, 0.15}, .back = {0, -0.1, -0.05}, .along = {0, 0, 0.15}}};
    skl_track track = {.num_frames = NUM, .hip = ankle, .ankle = ankle, .foot = foot, .length = 1};
    skl_spans contacts = {&contact, 1};
    double smoothing = 0.015;
    for (int f = 0; f < NUM; f++) {
        const double t = (f - NUM / 2) / fps;
        ankle[3 * f] = 0;
        ankle[3 * f + 1] = 0.1 + (rolls ? 3.4 * t * t : 0);
        ankle[3 * f + 2] = -3 * t + (rolls ? 2 * t * t : 0);
        for (int i = 0; i < 9; i++) foot[9 * f + i] = i % 4 == 0;
    }
    skl_standing_job job = {.num_legs = 1,
                            .tracks = &track,
                            .up = up,
                            .fps = fps,
                            .arena = &arena,
                            .models = &model,
                            .contacts = &contacts};
    job.limits.smoothing = &smoothing;
    CHECK(skl_stance_velocity(&job) == SKL_OK && job.limits.moves);
    CHECK(fabs(job.limits.ground_velocity[2] + 3) < 1e-9);
    skl_arena_free(&arena);
}

int main(void) {
    the_ground_goes_as_a_foot_does(0, (skl_span){10, 40});
    the_ground_goes_as_a_foot_does(1, (skl_span){23, 32});
    for (int before = 0; before < 6; before++)
        for (int after = 0; after < 6; after++) a_contact_is_as_long_as_the_pivot_rests_or_rolls(before, after);
    a_belt_is_told_by_feet_that_are_low(0.36, 40, 0, 0, 0);
    a_belt_is_told_by_feet_that_are_low(0.45, 40, 0, 0, 1);
    a_belt_is_told_by_feet_that_are_low(2, 40, 0, 0, 1);
    a_belt_is_told_by_feet_that_are_low(1.5, 5, 0, 0, 0);
    a_belt_is_told_by_feet_that_are_low(1.5, 16, 0, 0, 1);
    a_belt_is_told_by_feet_that_are_low(1, 40, 0.15, 0, 1);
    a_belt_is_told_by_feet_that_are_low(1, 40, 0.25, 0, 0);
    a_belt_is_told_by_feet_that_are_low(1, 40, -0.3, 0, 1);
    a_belt_is_told_by_feet_that_are_low(1, 40, -0.4, 0, 0);
    a_belt_is_told_by_feet_that_are_low(1, 40, 0, 0.25, 1);
    a_belt_is_told_by_feet_that_are_low(1, 40, 0, 0.9, 0);
    a_foot_that_is_lifted_does_not_stand(FOOT, 40, 0.9 * 0.025, 0);
    a_foot_that_is_lifted_does_not_stand(FOOT, 40, 1.1 * 0.025, 1);
    a_foot_that_is_lifted_does_not_stand(FOOT, 40, 1.9 * 0.025, 1);
    a_foot_that_is_lifted_does_not_stand(FOOT, 5, 1.5 * 0.025, 0);
    a_foot_that_is_lifted_does_not_stand(HEEL, 40, 1.5 * 0.025, 0);
    a_foot_that_is_lifted_does_not_stand(BODY, 40, 1.5 * 0.025, 0);
    a_jump_is_long_and_alone();
    for (int64_t cut = 0; cut < FRAMES + 4; cut += 4) a_calm_line_is_the_mean_under_a_bell(120, cut);
    a_calm_line_is_the_mean_under_a_bell(25, 9);
    a_calm_line_is_the_mean_under_a_bell(2000, 30);
    pieces_between_tears_are_paths_of_their_own();
    for (int joint = 0; joint < 3; joint++) {
        contacts_end_at_a_tear(joint, 1.01, 1);
        contacts_end_at_a_tear(joint, 0.98, 0);
    }
    up_is_where_the_body_points_unless_the_rest_pose_says_it_clearly();
    up_is_where_a_floor_is_if_the_body_leans();
    a_foot_rests_from_its_first_frame_to_its_last(5, 9, 9);
    a_foot_rests_from_its_first_frame_to_its_last(5, 9, 12);
    a_foot_rests_from_its_first_frame_to_its_last(0, 1, 1);
    a_foot_rests_from_its_first_frame_to_its_last(3, STEPS, STEPS);
    a_foot_rests_from_its_first_frame_to_its_last(3, STEPS - 1, STEPS);
    a_foot_that_jitters_by_more_than_rounding_does_not_rest();
    a_foot_that_rises_or_falls_does_not_rest(0.02);
    a_foot_that_rises_or_falls_does_not_rest(-0.02);
    return REPORT();
}
