/* SPDX-License-Identifier: MIT */
/* skelkin: forward kinematics, skinning and inverse kinematics over strided buffers.
 *
 * This is the only header to include. Every verb is a job: fill a plain struct, call `skl_<verb>_run(&job)`,
 * look at the code that comes back. A job that fails has written nothing to its output (unless it was told to stop) and
 * says in `job.status` which argument broke which rule where; `skl_status_text` puts that into a sentence.
 *
 * Conventions: column vectors, M @ v; matrices are 4 x 4 (or 3 x 4: the last row is taken to be 0 0 0 1 and never
 * read) in row-major order with the translation in the last column; quaternions are w x y z and are normalised on
 * input; angles are radians; `local` is relative to the parent, `global` to the model.
 *
 * Threads: every function may be called from any thread at once; objects are not changed after their init. A job runs
 * on the calling thread alone unless skl_set_num_threads has been told more.
 * Memory: init functions allocate, `_free` frees; jobs allocate scratch of the size of a block at most.
 *
 *   1. arrays and status       3. skeleton                5. skin weights and skinning (in skelkin_skinning.h)
 *   2. kernels and threads     4. forward kinematics (in skelkin_kinematics.h)
 *   6. inverse kinematics (in skelkin_ik.h)               7. transforms (in skelkin_transforms.h)
 */
#ifndef SKELKIN_H
#define SKELKIN_H

#include <stddef.h>
#include <stdint.h>

/* --- 1. arrays and status ---------------------------------------------------------------------------------------- */

/* Most leading dimensions that an array may have. */
#define SKL_MAX_DIMS 32
/* Most joints of a skeleton. */
#define SKL_MAX_JOINTS 65535

/* Precision of a job: all of its arrays have it. */
typedef enum skl_dtype { SKL_FLOAT32 = 0, SKL_FLOAT64 = 1 } skl_dtype;

/* A strided array of items (a pose, a point cloud, a number). Its leading dimensions broadcast with those of the other
 * arrays of the job as in numpy: aligned at the right, and 1 stretches. Strides are in bytes, of any sign, or 0.
 * `step` is the stride from one joint or vertex of an item to the next; inside of a joint or vertex the numbers are
 * contiguous. All addresses are aligned to the number's size. Inputs are read only. */
typedef struct skl_array {
    void *data;
    int64_t step;
    int32_t ndim;
    int64_t shape[SKL_MAX_DIMS];
    int64_t strides[SKL_MAX_DIMS];
} skl_array;

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

/* --- 2. kernels and threads in use ------------------------------------------------------------------------------- */

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

/* Whether a job shall end before its work is done: 1, or 0 to go on. */
typedef int (*skl_stop_fn)(void *context);

/* From now on have the jobs that this thread runs call `stop`, on this thread, while they work: after 20 milliseconds,
 * and then about as often, or less often where the answer takes long. Once it returns 1 that job, and every other of
 * this thread until skl_set_stop is called again, ends within some milliseconds, on all of its threads: SKL_STOPPED.
 * Its outputs then hold whatever numbers; nothing else is left behind. `stop` may run jobs itself. NULL, as it is at
 * first: jobs run to their end. */
void skl_set_stop(skl_stop_fn stop, void *context);

/* --- 3. skeleton ------------------------------------------------------------------------------------------------- */

/* An immutable hierarchy that owns its memory. Matrices are num_joints x 16 numbers. Read, never write. */
typedef struct skl_skeleton {
    int64_t num_joints;
    const int32_t *parents; /* parents[j] < j; -1 for a root */
    const double *rest_local;
    const double *rest_global;
    const double *inverse_bind;
    const double *rest_offsets; /* num_joints x 3: the translations of rest_local */
    const float *rest_offsets_f32;
    const float *inverse_bind_f32;
    void *memory;
} skl_skeleton;

/* Check and copy. `rest_local`: num_joints x 16, last rows 0 0 0 1; `inverse_bind`: the same, or NULL for the inverses
 * of the rest pose's global matrices. On failure nothing needs to be freed. */
skl_code skl_skeleton_init(skl_skeleton *skeleton, int64_t num_joints, const int64_t *parents, const double *rest_local,
                           const double *inverse_bind, skl_status *status);
void skl_skeleton_free(skl_skeleton *skeleton);

/* --- 4. forward kinematics --------------------------------------------------------------------------------------- */

#include "skelkin_kinematics.h"

/* --- 5. skin weights and skinning -------------------------------------------------------------------------------- */

#include "skelkin_skinning.h"

/* --- 6. inverse kinematics --------------------------------------------------------------------------------------- */

#include "skelkin_ik.h"

#include "skelkin_fabrik.h"

/* --- 7. transforms ----------------------------------------------------------------------------------------------- */

#include "skelkin_transforms.h"

#endif
