/* SPDX-License-Identifier: MIT */
/* Arrays, status, kernels and threads: what every job takes. */
#ifndef SKELKIN_BASE_H
#define SKELKIN_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- arrays and status -------------------------------------------------------------------------------------------- */

/* Most leading dimensions that an array may have. */
#define SKL_MAX_DIMS 32
/* Most joints of a skeleton. */
#define SKL_MAX_JOINTS 65535

/* Precision of a job: all of its arrays have it. */
typedef enum skl_dtype { SKL_FLOAT32 = 1, SKL_FLOAT64 = 2 } skl_dtype;

/* A strided array of items (a pose, a point cloud, a number). Its leading dimensions broadcast with those of the other
 * arrays of the job as in numpy: aligned at the right, and 1 stretches. Strides are in bytes, of any sign, or 0.
 * `step` is the stride from one joint or vertex of an item to the next; inside of a joint or vertex the numbers are
 * contiguous. All addresses are aligned to the number's size. Inputs are read only.
 *
 * In an input a step or stride of 0 gives all of its joints, vertices or items the same numbers. In an output that
 * would put them on each other: it is SKL_BAD_VALUE wherever there is more than one. */
typedef struct skl_array {
    void *data;
    int64_t step;
    int32_t ndim;
    int64_t shape[SKL_MAX_DIMS];
    int64_t strides[SKL_MAX_DIMS];
} skl_array;

/* An array without gaps: items in C order, of `count` joints, vertices or rows (1: it is a number or a vector) of
 * `size` bytes each. Of a single item `ndim` is 0 and `shape` NULL.
 *
 *     job.out = skl_contiguous(out, num_joints, sizeof(float[16]), 1, &num_frames); */
skl_array skl_contiguous(const void *data, int64_t count, size_t size, int ndim, const int64_t *shape);

typedef enum skl_code {
    SKL_OK = 0,
    SKL_BAD_VALUE, /* a value broke a rule: argument, index, value, rule are set */
    SKL_BAD_SHAPE, /* leading dimensions do not broadcast, or the output has other ones: argument and rule are set */
    SKL_NO_MEMORY,
    SKL_STOPPED /* skl_set_stop's function said so: the outputs hold whatever numbers */
} skl_code;

/* What went wrong: `argument[index] is value: rule`. */
typedef struct skl_status {
    skl_code code;
    const char *argument;
    const char *rule;
    int32_t num_indices; /* 0: the argument as a whole */
    int32_t num_values;  /* 0: the value is not shown */
    int64_t index[SKL_MAX_DIMS + 2];
    double value[12];
} skl_status;

/* Write the sentence for `status` into `text` (`size` bytes, always ended by 0); returns `text`. */
char *skl_status_text(const skl_status *status, char *text, size_t size);

/* Broadcast the leading dimensions of `count` arrays into `shape`; returns their number, or -1 if they do not fit. */
int skl_broadcast(const skl_array *const *arrays, int count, int64_t shape[SKL_MAX_DIMS]);

/* --- kernels and threads in use ----------------------------------------------------------------------------------- */

/* Name of the kernels in use: "scalar", "sse2", "avx2", "avx512" or "neon". The best that the CPU can run, unless
 * lowered. "scalar" and "sse2" round a * b + c twice and give the same bits; the others round it once. */
const char *skl_isa(void);

/* Names of the kernels that were compiled, best first; NULL behind the last. The CPU may lack some of them. */
const char *skl_isa_compiled(int index);

/* Use the kernels called `name` (NULL: the best). Returns 0 if it is unknown here or above the CPU, and then the best
 * ones are in use. Meant to be called once, before any job runs. */
int skl_isa_select(const char *name);

/* Most threads of a job. */
#define SKL_MAX_THREADS 256

/* How many threads a job may use, the calling one included: 1 unless said otherwise. They start when a job first has
 * work for them, and wait for the next one without using the processor; fewer than before end those that are too many.
 * Jobs that run at once share them by whoever came first; the others run on their own thread. Results have the same
 * bits with any number. A number outside of 1 .. SKL_MAX_THREADS is SKL_BAD_VALUE. */
skl_code skl_set_num_threads(int64_t num_threads, skl_status *status);
int skl_num_threads(void);

/* Whether a job shall end before its work is done: 1, or 0 to continue. */
typedef int (*skl_stop_fn)(void *context);

/* From now on have the jobs that this thread runs call `stop`, on this thread, while they work: after 20 milliseconds,
 * and then about as often, or less often where the answer takes long. Once it returns 1 that job, and every other of
 * this thread until skl_set_stop is called again, ends within some milliseconds, on all of its threads: SKL_STOPPED.
 * Its outputs then hold whatever numbers; nothing else is left behind. `stop` may run jobs itself. NULL, as it is at
 * first: jobs run to their end. */
void skl_set_stop(skl_stop_fn stop, void *context);

#ifdef __cplusplus
}
#endif

#endif
