/* SPDX-License-Identifier: MIT */
/* A verb over poses on every instruction set that is compiled in and that this CPU has: near plain C, the same bits as
 * the others that round alike, and the same bits however a batch is cut. */
#ifndef ISAS_H
#define ISAS_H

#include "check.h"
#include "skelkin/skelkin.h"

enum { POSES = 41, MOST_ISAS = 5 };

/* The precision of the verbs that run now, and the bytes of a number of it. */
static skl_dtype dtype;
static int64_t size;

static inline void use_dtype(skl_dtype wanted) {
    dtype = wanted;
    size = wanted == SKL_FLOAT32 ? 4 : 8;
}

/* The same numbers in both precisions; memory ends with the last one. */
typedef struct numbers {
    float *narrow;
    double *wide;
    size_t count;
} numbers;

static inline void make_numbers(numbers *n, size_t count) {
    n->narrow = exactly(count * sizeof(float));
    n->wide = exactly(count * sizeof(double));
    n->count = count;
}

static inline void narrow_numbers(numbers *n) {
    for (size_t i = 0; i < n->count; i++) n->narrow[i] = (float)n->wide[i];
}

static inline void random_numbers(numbers *n, size_t count, double scale, double offset) {
    make_numbers(n, count);
    for (size_t i = 0; i < count; i++) n->wide[i] = scale * next_number() + offset;
    narrow_numbers(n);
}

static inline void free_numbers(numbers *n) {
    free(n->narrow);
    free(n->wide);
}

static inline void *data_of(const numbers *n) { return dtype == SKL_FLOAT32 ? (void *)n->narrow : (void *)n->wide; }

/* `count` poses of `per_pose` numbers, `step` of them per joint or vertex. */
static inline skl_array poses_at(void *data, int64_t count, int64_t per_pose, int64_t step) {
    return (skl_array){.data = data, .step = step * size, .ndim = 1, .shape = {count}, .strides = {per_pose * size}};
}

static inline skl_array slice(const numbers *n, int64_t first, int64_t count, int64_t per_pose, int64_t step) {
    return poses_at((char *)data_of(n) + first * per_pose * size, count, per_pose, step);
}

/* A verb writes the poses first .. first + count - 1 to memory that begins and ends with them. */
typedef struct isa_verb {
    const char *name;
    void (*run)(int64_t first, int64_t count, void *out);
    int64_t per_pose; /* numbers */
    double off;       /* how far kernels may be from plain C in double, of the largest number; 0: 1e-14 */
} isa_verb;

static inline double number_at(const void *memory, size_t i) {
    return dtype == SKL_FLOAT32 ? (double)((const float *)memory)[i] : ((const double *)memory)[i];
}

static inline int rounds_once(const char *isa) { return strcmp(isa, "scalar") != 0 && strcmp(isa, "sse2") != 0; }

static inline void near_plain_c(const char *isa, const isa_verb *verb, const void *found, const void *plain) {
    double worst = 0, largest = 1;
    int numbers_only = 1;
    for (size_t i = 0; i < (size_t)(POSES * verb->per_pose); i++) {
        largest = fmax(largest, fabs(number_at(plain, i)));
        worst = fmax(worst, fabs(number_at(found, i) - number_at(plain, i)));
        numbers_only &= isfinite(number_at(found, i)) != 0;
    }
    const double wide = verb->off > 0 ? verb->off : 1e-14;
    const int good = numbers_only && worst <= (dtype == SKL_FLOAT32 ? 4e-6 : wide) * largest;
    CHECK(good);
    if (!good) printf("%s on %s: %g of %g\n", verb->name, isa, worst, largest);
}

/* Under the sanitizers a few lengths show what there is to see: more than a number has lanes, and fewer. */
static const int64_t all_lengths[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 17}, few_lengths[] = {3, 17};

static inline void cut_anywhere(const char *isa, const isa_verb *verb, const char *whole) {
    const int64_t bytes = verb->per_pose * size;
    const int few = getenv("SKL_TEST_BRIEF") != NULL;
    for (size_t i = 0; i < (few ? sizeof few_lengths : sizeof all_lengths) / sizeof(int64_t); i++) {
        const int64_t length = few ? few_lengths[i] : all_lengths[i];
        int same = 1;
        for (int64_t first = 0; first < POSES; first += length) {
            const int64_t count = POSES - first < length ? POSES - first : length;
            char *part = exactly((size_t)(count * bytes));
            memset(part, 0, (size_t)(count * bytes));
            verb->run(first, count, part);
            same &= memcmp(part, whole + first * bytes, (size_t)(count * bytes)) == 0;
            free(part);
        }
        CHECK(same);
        if (!same) printf("%s on %s in runs of %d\n", verb->name, isa, (int)length);
    }
}

static inline void try_verb(const isa_verb *verb) {
    const size_t bytes = (size_t)(POSES * verb->per_pose * size);
    void *found[MOST_ISAS], *plain = NULL, *kin[2] = {NULL, NULL};
    int count = 0;
    for (; skl_isa_compiled(count); count++) {
        const char *isa = skl_isa_compiled(count);
        found[count] = NULL;
        if (!skl_isa_select(isa)) continue; /* not on this CPU */
        found[count] = exactly(bytes);
        memset(found[count], 0, bytes);
        verb->run(0, POSES, found[count]);
        cut_anywhere(isa, verb, found[count]);
        void **relative = &kin[rounds_once(isa)];
        const int same = !*relative || memcmp(*relative, found[count], bytes) == 0;
        CHECK(same);
        if (!same) printf("%s on %s\n", verb->name, isa);
        *relative = found[count];
        plain = found[count]; /* the last one */
    }
    for (int i = 0; i < count; i++) {
        if (found[i]) near_plain_c(skl_isa_compiled(i), verb, found[i], plain);
        free(found[i]);
    }
}

static inline void try_verbs(const isa_verb *verbs, int count) {
    for (int i = 0; i < 2 * count; i++) {
        use_dtype(i % 2 ? SKL_FLOAT64 : SKL_FLOAT32);
        try_verb(&verbs[i / 2]);
    }
    for (int i = 0; skl_isa_compiled(i); i++)
        if (!skl_isa_select(skl_isa_compiled(i)))
            printf("not run: %s (needs a CPU that has it)\n", skl_isa_compiled(i));
}

#endif
