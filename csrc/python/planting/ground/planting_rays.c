/* SPDX-License-Identifier: MIT */
/* Rays and triangles, for Python. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "planting/ground/rays.h"

/* points, faces, origins, directions (one, or one each), found */
PyObject *skl_py_ray_hits(PyObject *const *args) {
    const npy_intp num = skl_py_rows(args[2], "origins"),
                   num_directions = num < 0 ? -1 : skl_py_rows(args[3], "directions");
    if (num_directions < 0) return NULL;
    const npy_intp any[2] = {SKL_ANY, 3};
    skl_triangles mesh = {0};
    skl_rays rays = {.num_rays = num, .one_direction = num_directions == 1};
    if (!(mesh.points = skl_py_vectors(args[0], "points", SKL_ANY)) ||
        !(mesh.faces = skl_py_packed(args[1], "faces", NPY_INT32, 2, any)) ||
        !(rays.origins = skl_py_vectors(args[2], "origins", num)) ||
        !(rays.directions = skl_py_vectors(args[3], "directions", num_directions == 1 ? 1 : num)) ||
        !(rays.found = skl_py_packed(args[4], "found", NPY_INT32, 1, &num)))
        return NULL;
    mesh.num_points = skl_py_rows(args[0], "points");
    mesh.num_faces = skl_py_rows(args[1], "faces");
    PyObject *distance = skl_py_new_frames(1, num, NPY_DOUBLE), *normal = skl_py_new_frames(2, num, NPY_DOUBLE);
    PyObject *result = distance && normal ? PyTuple_Pack(2, distance, normal) : NULL;
    if (result) {
        PyThreadState *lock = skl_py_release(rays.num_rays);
        const int64_t bad = skl_ray_hits(&mesh, &rays, skl_py_data(distance), skl_py_data(normal));
        result = skl_py_give(lock, result);
        if (result && bad < rays.num_rays) {
            PyErr_Format(PyExc_ValueError, "found[%lld] is %ld: there is no such triangle of points that exist",
                         (long long)bad, (long)rays.found[bad]);
            Py_CLEAR(result);
        }
    }
    Py_XDECREF(distance);
    Py_XDECREF(normal);
    return result;
}
