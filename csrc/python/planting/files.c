/* SPDX-License-Identifier: MIT */
/* Text of motion files, for Python. The package hands in bytes and packed arrays of the right types. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "files/motion_text.h"

/* The bytes of an object, which live as long as it does; or NULL and an exception. */
static const uint8_t *bytes_of(PyObject *value, int64_t *size) {
    char *text;
    Py_ssize_t length;
    if (PyBytes_AsStringAndSize(value, &text, &length) < 0) return NULL;
    *size = length;
    return (const uint8_t *)text;
}

/* text: bytes → starts, ends, line_ends int64, values float64, odd */
PyObject *skl_py_scan_numbers(PyObject *const *args) {
    skl_scan_job job;
    if (!(job.text = bytes_of(args[0], &job.size))) return NULL;
    int64_t count, lines;
    PyThreadState *lock = skl_py_release(job.size);
    skl_count_words(job.text, job.size, &count, &lines);
    if (!skl_py_restore(lock)) return NULL;
    npy_intp num_words = (npy_intp)count, num_lines = (npy_intp)lines;
    PyObject *starts = PyArray_SimpleNew(1, &num_words, NPY_INT64), *ends = PyArray_SimpleNew(1, &num_words, NPY_INT64),
             *line_ends = PyArray_SimpleNew(1, &num_lines, NPY_INT64),
             *values = PyArray_SimpleNew(1, &num_words, NPY_DOUBLE),
             *result = Py_BuildValue("NNNNO", starts, ends, line_ends, values, Py_False);
    if (!result) return NULL;
    job.starts = skl_py_data(starts);
    job.ends = skl_py_data(ends);
    job.line_ends = skl_py_data(line_ends);
    job.values = skl_py_data(values);
    lock = skl_py_release(job.size);
    skl_scan_run(&job);
    result = skl_py_give(lock, result);
    if (result) PyTuple_SetItem(result, 4, PyBool_FromLong(job.odd));
    return result;
}

static int decimals_are_right(const int64_t *decimals, int64_t count) {
    for (int64_t i = 0; i < count; i++)
        if (decimals[i] < 0 || decimals[i] > SKL_MOST_DECIMALS)
            return skl_py_fail(PyExc_ValueError, "decimals[%zd] is %lld: 0 to %d can be written", (Py_ssize_t)i,
                               (long long)decimals[i], SKL_MOST_DECIMALS);
    return 1;
}

/* values (F, N) float64, decimals (N,) int64, before, behind: bytes → text, stops (F,) int64; None where numbers are
 * too large */
PyObject *skl_py_format_numbers(PyObject *const *args) {
    skl_format_job job;
    const npy_intp any[2] = {SKL_ANY, SKL_ANY};
    if (!(job.values = skl_py_packed(args[0], "values", NPY_DOUBLE, 2, any))) return NULL;
    npy_intp rows = PyArray_DIM((PyArrayObject *)args[0], 0);
    const npy_intp columns = PyArray_DIM((PyArrayObject *)args[0], 1);
    if (!(job.decimals = skl_py_packed(args[1], "decimals", NPY_INT64, 1, &columns)) ||
        !decimals_are_right(job.decimals, columns) || !(job.before = bytes_of(args[2], &job.before_size)) ||
        !(job.behind = bytes_of(args[3], &job.behind_size)))
        return NULL;
    job.num_rows = rows;
    job.num_columns = columns;
    PyObject *stops = PyArray_SimpleNew(1, &rows, NPY_INT64);
    if (!stops) return NULL;
    job.stops = skl_py_data(stops);
    job.text = PyMem_Malloc((size_t)skl_format_room(&job) + 1);
    if (!job.text) {
        Py_DECREF(stops);
        return PyErr_NoMemory();
    }
    PyThreadState *lock = skl_py_release(rows * columns);
    const int written = skl_format_run(&job);
    PyObject *result = NULL;
    if (!skl_py_restore(lock)) {
        /* the text is not whole */
    } else if (!written) {
        result = Py_None;
        Py_INCREF(result);
    } else {
        PyObject *text =
            PyBytes_FromStringAndSize((const char *)job.text, (Py_ssize_t)(rows ? job.stops[rows - 1] : 0));
        if (text) result = PyTuple_Pack(2, text, stops);
        Py_XDECREF(text);
    }
    PyMem_Free(job.text);
    Py_DECREF(stops);
    return result;
}

/* text: bytes, start, stop, begins, ends (n,) int64, pieces: bytes, piece_begins, piece_ends (n,) int64 → bytes */
PyObject *skl_py_splice_text(PyObject *const *args) {
    skl_splice_job job;
    if (!(job.text = bytes_of(args[0], &job.size))) return NULL;
    job.start = PyNumber_AsSsize_t(args[1], PyExc_ValueError);
    if (job.start == -1 && PyErr_Occurred()) return NULL;
    job.stop = PyNumber_AsSsize_t(args[2], PyExc_ValueError);
    if (job.stop == -1 && PyErr_Occurred()) return NULL;
    const npy_intp parts = skl_py_rows(args[3], "begins");
    if (parts < 0 || !(job.begins = skl_py_packed(args[3], "begins", NPY_INT64, 1, &parts)) ||
        !(job.ends = skl_py_packed(args[4], "ends", NPY_INT64, 1, &parts)) ||
        !(job.pieces = bytes_of(args[5], &job.pieces_size)) ||
        !(job.piece_begins = skl_py_packed(args[6], "piece_begins", NPY_INT64, 1, &parts)) ||
        !(job.piece_ends = skl_py_packed(args[7], "piece_ends", NPY_INT64, 1, &parts)))
        return NULL;
    job.num_parts = parts;
    const int64_t size = skl_splice_size(&job);
    if (size < 0)
        return PyErr_Format(PyExc_ValueError, "begins and ends must rise within start and stop, pieces lie in theirs");
    PyObject *out = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
    if (!out) return NULL;
    job.out = (uint8_t *)PyBytes_AsString(out);
    PyThreadState *lock = skl_py_release(size);
    skl_splice_run(&job);
    return skl_py_give(lock, out);
}

/* angles (F, 3) float64 in degrees, changed (F,) bool, known (F, 3) float64 or None → (F, 3) float64 */
PyObject *skl_py_smooth_angles(PyObject *const *args) {
    npy_intp frames = skl_py_rows(args[0], "angles");
    if (frames < 0) return NULL;
    npy_intp each[2] = {frames, 3};
    skl_smooth_job job = {.num_frames = frames, .known = args[2] != Py_None};
    const double *known = NULL;
    if (!(job.angles = skl_py_packed(args[0], "angles", NPY_DOUBLE, 2, each)) ||
        !(job.changed = skl_py_packed(args[1], "changed", NPY_BOOL, 1, each)) ||
        (job.known && !(known = skl_py_packed(args[2], "known", NPY_DOUBLE, 2, each))))
        return NULL;
    PyObject *result = PyArray_SimpleNew(2, each, NPY_DOUBLE);
    if (!result) return NULL;
    job.result = skl_py_data(result);
    for (npy_intp i = 0; i < 3 * frames; i++) job.result[i] = known ? known[i] : 0.0;
    PyThreadState *lock = skl_py_release(frames);
    skl_smooth_run(&job);
    return skl_py_give(lock, result);
}
