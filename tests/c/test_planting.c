/* SPDX-License-Identifier: MIT */
/* Planting without Python: what is learned, solved, measured and refused. */
#include <string.h>

#include "biped.h"
#include "check.h"
#include "planting/ground/levels.h"

static biped walker;

static skl_code plant(const skl_plant_options *options, skl_ground *ground, skl_plant_measures *out,
                      skl_planting **kept) {
    skl_status status;
    skl_code code = skl_plant_learn(&walker.motion, options, ground, kept, &status);
    if (code == SKL_OK) code = skl_plant_solve(*kept, walker.planted, &status);
    return code == SKL_OK ? skl_plant_measure(*kept, out, &status) : code;
}

static void check_feet_stand_still(void) {
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_plant_defaults(&options);
    CHECK(plant(&options, NULL, &m, &planting) == SKL_OK);
    CHECK(m.num_contacts == 11);
    CHECK(m.up[1] == 1.0);
    for (int64_t n = 0; n < m.num_contacts; n++) {
        CHECK(m.contacts[n].slide[0] > 0.01);
        CHECK(m.contacts[n].slide[1] < 1e-9);
        CHECK(m.contacts[n].depth[1] < 1e-9);
    }
    CHECK(m.unreached < 1e-4);
    skl_plant_free(planting);
}

static void check_given_contacts_hold(void) {
    skl_span spans[2] = {{30, 52}, {48, 70}};
    const skl_plant_pin pin = {.span = {30, 52}, .place = {0.1, 0, 0.9}, .height = 0.02};
    const skl_plant_given given[2] = {{.contacts = {&spans[0], 1}, .pins = &pin, .num_pins = 1},
                                      {.contacts = {&spans[1], 1}}};
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_ground floor = {.is_level = 1};
    skl_plant_defaults(&options);
    options.mode = SKL_CONTACTS_GIVEN;
    options.given = given;
    CHECK(plant(&options, &floor, &m, &planting) == SKL_OK);
    CHECK(m.num_contacts == 2);
    CHECK(m.contacts[0].span.first == 30 && m.contacts[1].span.last == 70);
    CHECK(m.contacts[0].slide[1] < 1e-6 && m.contacts[1].slide[1] < 1e-6);
    skl_plant_free(planting);
}

static void check_nothing_changes_without_contacts(void) {
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_plant_defaults(&options);
    options.mode = SKL_CONTACTS_NEVER;
    CHECK(plant(&options, NULL, &m, &planting) == SKL_OK);
    CHECK(m.num_contacts == 0);
    CHECK(!memcmp(walker.local, walker.planted, sizeof walker.local));
    skl_plant_free(planting);
}

enum { STRIDE = 36 };

/* A stride of the walk, its hips carried evenly: the last pose is the first, so many metres on. */
static void make_stride(biped *out, double way) {
    const int64_t pose = 16 * JOINTS;
    *out = walker;
    out->rig.skeleton = &walker.skeleton;
    out->rig.legs = walker.legs;
    for (int f = 0; f <= STRIDE; f++) {
        double *hips = out->local + pose * f;
        memcpy(hips, walker.local + pose * (6 + f % STRIDE), (size_t)pose * sizeof *hips);
        hips[3] = 0.01;
        hips[7] = 0.93;
        hips[11] = way / STRIDE * f;
    }
    out->motion = (skl_plant_motion){.rig = &out->rig, .num_frames = STRIDE + 1, .fps = FPS, .local = out->local};
}

/* Without its way, its feet go back as fast as it went. */
static void check_the_ground_of_a_cycle_in_place(void) {
    static biped stays;
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_status status;
    skl_plant_defaults(&options);
    for (int travels = 0; travels < 2; travels++) {
        make_stride(&stays, travels ? 1.16 : 0.0);
        CHECK(skl_plant_learn(&stays.motion, &options, NULL, &planting, &status) == SKL_OK);
        CHECK(skl_plant_solve(planting, stays.planted, &status) == SKL_OK);
        CHECK(skl_plant_measure(planting, &m, &status) == SKL_OK);
        CHECK(m.ground_moves == !travels);
        const double speed = travels ? 0.0 : 1.16 * FPS / STRIDE;
        CHECK(fabs(m.ground_velocity[0]) + fabs(m.ground_velocity[1]) <= 0.05 * speed);
        CHECK(fabs(m.ground_velocity[2] + speed) <= 0.1 * speed);
        skl_plant_free(planting);
    }
}

static void check_loops_stay_closed(void) {
    static biped looped;
    skl_plant_options options;
    skl_plant_measures m;
    skl_planting *planting;
    skl_status status;
    const int64_t pose = 16 * JOINTS;
    make_stride(&looped, 1.16);
    skl_plant_defaults(&options);
    for (int given = 0; given < 2; given++) {
        options.loop = given ? SKL_LOOP_NONE : SKL_LOOP_RECOGNISED;
        CHECK(skl_plant_learn(&looped.motion, &options, NULL, &planting, &status) == SKL_OK);
        CHECK(skl_plant_solve(planting, looped.planted, &status) == SKL_OK);
        CHECK(skl_plant_measure(planting, &m, &status) == SKL_OK);
        CHECK(m.is_loop == !given);
        double open = 0.0, changed = 0.0;
        for (int64_t i = 0; i < pose; i++) {
            const double way = i == 11 ? 1.16 : 0.0;
            open = fmax(open, fabs(looped.planted[pose * STRIDE + i] - looped.planted[i] - way));
        }
        for (int64_t i = 0; i < pose * (STRIDE + 1); i++)
            changed = fmax(changed, fabs(looped.planted[i] - looped.local[i]));
        CHECK(changed > 1e-3);
        CHECK(given ? open > 1e-6 : open < 1e-9);
        CHECK(m.num_contacts >= 2);
        for (int64_t n = 0; n < m.num_contacts; n++) CHECK(m.contacts[n].slide[1] < 1e-6);
        skl_plant_free(planting);
    }
    options.loop = SKL_LOOP_GIVEN;
    CHECK(skl_plant_learn(&walker.motion, &options, NULL, &planting, &status) == SKL_BAD_VALUE);
    char text[200];
    const char *const why = skl_status_text(&status, text, sizeof text);
    CHECK(strstr(why, "gap is 0.037") == why);
    CHECK(strstr(why, ": a loop's last pose is within 0.03 leg lengths of its first") != NULL);
}

static int fails(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out) {
    (void)context, (void)num, (void)points, (void)frames, (void)out;
    return 1;
}

static void check_refusals(void) {
    skl_plant_options options;
    skl_planting *planting;
    skl_status status;
    char text[200];
    skl_plant_defaults(&options);
    const double number = walker.local[16 * JOINTS * 3 + 16 * 2 + 7];
    walker.local[16 * JOINTS * 3 + 16 * 2 + 7] = NAN;
    CHECK(skl_plant_learn(&walker.motion, &options, NULL, &planting, &status) == SKL_BAD_VALUE);
    CHECK(!planting);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "local[3, 2]: numbers must be finite");
    walker.local[16 * JOINTS * 3 + 16 * 2 + 7] = number;
    options.working = (skl_span){5, FRAMES};
    CHECK(skl_plant_learn(&walker.motion, &options, NULL, &planting, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "working: 0 <= first <= last < num_frames is needed");
    skl_plant_defaults(&options);
    skl_ground broken = {.below = fails};
    CHECK(skl_plant_learn(&walker.motion, &options, &broken, &planting, &status) == SKL_STOPPED);
    CHECK(!planting);
    const int32_t chain[3] = {1, 2, 6};
    CHECK(skl_plant_leg_init(&walker.legs[0], &walker.skeleton, chain, -1, -1, NULL, &status) == SKL_BAD_VALUE);
    CHECK_TEXT(skl_status_text(&status, text, sizeof text), "chain[2] is 6: it must be below the one before it");
}

enum { UNEVEN_LEGS = 3, UNEVEN_FRAMES = 900, UNEVEN_CONTACTS = 12 };

/* Feet on a floor, each with its thickness of sole, whose contacts are as high as that and a little noise. */
typedef struct uneven_feet {
    double ankles[UNEVEN_LEGS][3 * UNEVEN_FRAMES], turns[9 * UNEVEN_FRAMES];
    skl_span spans[UNEVEN_LEGS][UNEVEN_CONTACTS];
    skl_spans contacts[UNEVEN_LEGS];
    skl_track tracks[UNEVEN_LEGS];
    skl_foot_model models[UNEVEN_LEGS];
    skl_feet feet;
} uneven_feet;

static void make_uneven(uneven_feet *u, int64_t legs, double fps, double thicker, double noise) {
    memset(u, 0, sizeof *u);
    for (int i = 0; i < 9 * UNEVEN_FRAMES; i++) u->turns[i] = i % 9 % 4 == 0;
    for (int64_t k = 0; k < legs; k++) {
        u->tracks[k] = (skl_track){
            .num_frames = UNEVEN_FRAMES, .ankle = u->ankles[k], .foot = u->turns, .length = 0.8 + 0.2 * (double)k};
        for (int64_t f = 0; f < UNEVEN_FRAMES; f++)
            u->ankles[k][3 * f + 1] = thicker * (double)k + noise * next_number() + 0.03 * sin(0.01 * (double)f);
        int64_t at = 5 + 7 * k;
        for (int n = 0; n < UNEVEN_CONTACTS; n++) {
            const int64_t lasts = n % 4 == 3 ? 2 : (int64_t)(fps * (0.2 + 0.9 * fabs(next_number())));
            const skl_span span = {at, at + lasts - 1};
            at += lasts + (int64_t)(fps * (n % 5 == 4 ? 3.0 : 0.3));
            if (span.last < UNEVEN_FRAMES) u->spans[k][u->contacts[k].count++] = span;
        }
        u->contacts[k].at = u->spans[k];
    }
    static const double up[3] = {0, 1, 0};
    u->feet = (skl_feet){legs, UNEVEN_FRAMES, u->tracks, u->models, u->contacts, up};
}

static int rising(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A quantile with lines between the values. */
static double quantile(double *values, int64_t count, double part) {
    qsort(values, (size_t)count, sizeof *values, rising);
    const double at = part * (double)(count - 1);
    const int64_t low = (int64_t)at, high = low + 1 < count ? low + 1 : low;
    return values[low] + (at - (double)low) * (values[high] - values[low]);
}

/* The least value with half of the weight at it or below. */
static double weighed_median(const double *values, const double *weights, int64_t count) {
    double total = 0, best = INFINITY;
    for (int64_t i = 0; i < count; i++) total += weights[i];
    for (int64_t i = 0; i < count; i++) {
        double below = 0;
        for (int64_t j = 0; j < count; j++) below += values[j] <= values[i] ? weights[j] : 0;
        if (below >= 0.5 * total && values[i] < best) best = values[i];
    }
    return best;
}

typedef struct told_contact {
    int64_t leg;
    skl_span span;
    double height, noise, weight;
} told_contact;

/* The height of a foot for most of the time of a contact, or in its contact nearest to that, up to a second away; of
 * two, in the later one. */
static double height_beside(const told_contact *all, int64_t count, const told_contact *own, int64_t leg, double fps) {
    double heights[UNEVEN_CONTACTS], frames[UNEVEN_CONTACTS], nearest = INFINITY, height = NAN;
    int64_t own_contacts = 0, meanwhile = 0;
    for (int64_t i = 0; i < count; i++) {
        int64_t shared = 0;
        if (all[i].leg != leg) continue;
        for (int64_t f = own->span.first; f <= own->span.last; f++)
            shared += f >= all[i].span.first && f <= all[i].span.last;
        heights[own_contacts] = all[i].height;
        frames[own_contacts++] = (double)shared;
        meanwhile += shared;
        const int64_t after = all[i].span.first - own->span.last - 1, before = own->span.first - all[i].span.last - 1;
        const double away = (double)(after > before ? after : before);
        if (!shared && away <= fps && away <= nearest) nearest = away, height = all[i].height;
    }
    return meanwhile ? weighed_median(heights, frames, own_contacts) : height;
}

/* What planting believes of the soles, from its definition: differences of medians, drawn to 0 by what of their
 * variance is more than 0.4 % of the leg beside the 1.2 % that soles typically differ by. */
static void believed(const uneven_feet *u, double fps, double *out) {
    told_contact all[UNEVEN_LEGS * UNEVEN_CONTACTS];
    const int64_t legs = u->feet.num_legs;
    double length = 0, scratch[UNEVEN_FRAMES], mean = 0, most = 0;
    int64_t count = 0, known = 0;
    for (int64_t k = 0; k < legs; k++) length += u->tracks[k].length / (double)legs;
    for (int64_t k = 0; k < legs; k++)
        for (int64_t i = 0; i < u->contacts[k].count; i++) {
            const skl_span span = u->spans[k][i];
            const int64_t frames = span.last - span.first + 1;
            if ((double)frames / fps < 0.08) continue;
            for (int64_t f = 0; f < frames; f++) scratch[f] = u->ankles[k][3 * (span.first + f) + 1] / length;
            told_contact *const own = &all[count++];
            *own = (told_contact){k, span, quantile(scratch, frames, 0.5), 0, fmin((double)frames / fps, 2)};
            own->noise = 0.5 * (quantile(scratch, frames, 0.8) - quantile(scratch, frames, 0.2));
        }
    for (int64_t k = 0; k < legs; k++) {
        double higher[UNEVEN_CONTACTS], weights[UNEVEN_CONTACTS], seconds = 0, noise = 0;
        int64_t own = 0;
        for (int64_t i = 0; i < count; i++) {
            double sum = 0;
            int64_t others = 0;
            for (int64_t other = 0; all[i].leg == k && other < legs; other++) {
                const double height = other == k ? NAN : height_beside(all, count, &all[i], other, fps);
                if (isnan(height)) continue;
                sum += all[i].height - height;
                others++;
            }
            if (!others) continue;
            higher[own] = sum / (double)others;
            weights[own++] = all[i].weight;
            seconds += all[i].weight;
            noise += all[i].weight * all[i].noise;
        }
        out[k] = NAN;
        if (!own) continue;
        const double middle = weighed_median(higher, weights, own);
        for (int64_t i = 0; i < own; i++) higher[i] = fabs(higher[i] - middle);
        const double spread = 1.48 * weighed_median(higher, weights, own),
                     off = middle * (double)(legs - 1) / (double)legs;
        const double square =
            (spread * spread + noise / seconds * noise / seconds) / fmin(4 * seconds, 2.0 * (double)own);
        most = fmax(most, fabs(off));
        out[k] = off * 0.012 * 0.012 / (0.012 * 0.012 + fmax(0, square - 0.004 * 0.004));
        mean += out[k];
        known++;
    }
    for (int64_t k = 0; k < legs; k++) {
        out[k] = most >= 0.04 || isnan(out[k]) ? 0 : out[k] - mean / (double)known;
        out[k] *= length / u->tracks[k].length;
    }
}

static void soles_are_as_uneven_as_contacts_around_each_other_say(int64_t legs, double fps, double thicker,
                                                                  double noise) {
    static uneven_feet u;
    double found[UNEVEN_LEGS], wanted[UNEVEN_LEGS];
    skl_arena arena = {0};
    make_uneven(&u, legs, fps, thicker, noise);
    CHECK(skl_uneven_soles(&u.feet, fps, NULL, NULL, &arena, found));
    CHECK(!arena.failed && !arena.last);
    believed(&u, fps, wanted);
    for (int64_t k = 0; k < legs; k++) CHECK(fabs(found[k] - wanted[k]) < 1e-12);
    if (thicker > 0.03) CHECK(found[0] == 0 && found[1] == 0);
    if (thicker < 0.03 && noise < 0.01) CHECK(found[1] - found[0] > 0.3 * thicker);
}

/* Ground that rises and falls along x, and as a whole from frame to frame. */
static int waves(void *context, int64_t num, const double *points, const int64_t *frames, const skl_footing *out) {
    (void)context;
    for (int64_t i = 0; i < num; i++)
        out->heights[i] = 0.3 * sin(7 * points[3 * i]) + 0.05 * cos(0.4 * (double)frames[i]);
    return 0;
}

/* Feet that stand on the waves, or on a floor with the waves given: the ground counts on which contacts are alike. The
 * heel is lower than the ball, and soles differ by less than feet on different ground would. */
static void soles_are_uneven_above_the_ground_that_they_stand_on(int64_t legs, int on_waves, double thicker) {
    static uneven_feet u;
    double found[UNEVEN_LEGS], mean = 0;
    skl_arena arena = {0};
    const skl_ground ground = {.up = {0, 1, 0}, .below = waves};
    const skl_foothold *const holds[UNEVEN_LEGS] = {0};
    make_uneven(&u, legs, 32, 0, 0);
    for (int64_t k = 0; k < legs; k++) {
        const double lowest[3] = {0.02 * (double)k, -0.1, 0.01};
        memcpy(u.models[k].sole.heel, lowest, sizeof lowest);
        u.models[k].sole.ball[1] = u.models[k].sole.back[1] = -0.05;
        mean += thicker * (double)k / (double)legs;
        for (int64_t f = 0; f < UNEVEN_FRAMES; f++) {
            double *const at = u.ankles[k] + 3 * f, point[3], height;
            at[0] = (double)(f / 40) * 0.37 + (double)k;
            at[2] = next_number();
            for (int i = 0; i < 3; i++) point[i] = at[i] + lowest[i];
            waves(NULL, 1, point, &f, &(skl_footing){.heights = &height});
            at[1] = (on_waves ? height : 0.7) + thicker * (double)k - lowest[1];
        }
    }
    CHECK(skl_uneven_soles(&u.feet, 32, &ground, holds, &arena, found));
    CHECK(!arena.failed && !arena.last);
    for (int64_t k = 0; k < legs; k++) {
        const double own = (thicker * (double)k - mean) / u.tracks[k].length;
        CHECK(fabs(found[k] - (thicker * (double)(legs - 1) > 0.08 ? 0 : own)) < 1e-12);
    }
}

static void a_foot_that_nothing_compares_with_is_not_uneven(void) {
    static uneven_feet u;
    double found[UNEVEN_LEGS];
    skl_arena arena = {0};
    make_uneven(&u, 2, 30, 0.01, 0);
    u.spans[0][0] = (skl_span){10, 40};
    u.spans[1][0] = (skl_span){72, 100}; /* 31 frames later; a second is 30 */
    u.contacts[0].count = u.contacts[1].count = 1;
    CHECK(skl_uneven_soles(&u.feet, 30, NULL, NULL, &arena, found) && found[0] == 0 && found[1] == 0);
    u.spans[1][0].first--;
    CHECK(skl_uneven_soles(&u.feet, 30, NULL, NULL, &arena, found) && found[0] < 0 && found[1] > 0);
}

int main(void) {
    for (int n = 0; n < 24; n++)
        soles_are_as_uneven_as_contacts_around_each_other_say(2 + n % 2, n % 3 ? 32 : 64, n % 6 == 5 ? 0.05 : 0.012,
                                                              n % 4 ? 0.004 * n : 0);
    a_foot_that_nothing_compares_with_is_not_uneven();
    for (int on_waves = 0; on_waves < 2; on_waves++) {
        for (int64_t legs = 2; legs < 4; legs++)
            soles_are_uneven_above_the_ground_that_they_stand_on(legs, on_waves, 0.015);
        soles_are_uneven_above_the_ground_that_they_stand_on(2, on_waves, 0.12);
    }
    skl_status status;
    CHECK(biped_walks(&walker, FRAMES, &status) == SKL_OK);
    check_feet_stand_still();
    check_given_contacts_hold();
    check_nothing_changes_without_contacts();
    check_loops_stay_closed();
    check_the_ground_of_a_cycle_in_place();
    check_refusals();
    skl_skeleton_free(&walker.skeleton);
    return REPORT();
}
