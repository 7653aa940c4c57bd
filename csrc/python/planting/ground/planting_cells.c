/* SPDX-License-Identifier: MIT */
/* Triangles straight above and below points, for Python: sorted once, kept in a capsule. */
#include "python/base/args.h"
#include "python/base/module.h"
#include "python/base/packed.h"

#include "planting/ground/upright_cells.h"

static const char NAME[] = "skelkin.cells";

static void free_cells(PyObject *capsule) { skl_upright_cells_free(PyCapsule_GetPointer(capsule, NAME)); }

/* The first triangle of points that do not exist; num_faces where all do. */
static int64_t first_wrong(const skl_triangles *mesh) {
    int64_t i = 0;
    while (i < 3 * mesh->num_faces && mesh->faces[i] >= 0 && mesh->faces[i] < mesh->num_points) i++;
    return i / 3;
}

/* points, faces, up: what upright_first reads; None where that is nothing for these triangles */
PyObject *skl_py_upright_cells(PyObject *const *args) {
    const npy_intp any[2] = {SKL_ANY, 3};
    skl_triangles mesh = {0};
    double up[3];
    if (!(mesh.points = skl_py_vectors(args[0], "points", SKL_ANY)) ||
        !(mesh.faces = skl_py_packed(args[1], "faces", NPY_INT32, 2, any)) || !skl_py_vector(args[2], "up", up))
        return NULL;
    mesh.num_points = skl_py_rows(args[0], "points");
    mesh.num_faces = skl_py_rows(args[1], "faces");
    const int64_t wrong = first_wrong(&mesh);
    if (wrong < mesh.num_faces)
        return PyErr_Format(PyExc_ValueError, "faces[%lld] is of points that do not exist", (long long)wrong);
    skl_upright_cells *cells = NULL;
    PyThreadState *lock = skl_py_release(mesh.num_faces);
    const skl_code code = skl_upright_cells_new(&mesh, up, &cells);
    if (!skl_py_restore(lock) || code != SKL_OK) {
        skl_upright_cells_free(cells);
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    }
    if (!cells) return Py_NewRef(Py_None);
    PyObject *capsule = PyCapsule_New(cells, NAME, free_cells);
    if (!capsule) skl_upright_cells_free(cells);
    return capsule;
}

/* cells, origins, upward: the first triangle of each line, -1 for none */
PyObject *skl_py_upright_first(PyObject *const *args) {
    const skl_upright_cells *cells = PyCapsule_GetPointer(args[0], NAME);
    const npy_intp num = cells ? skl_py_rows(args[1], "origins") : -1;
    const double *origins = num < 0 ? NULL : skl_py_vectors(args[1], "origins", num);
    const int upward = origins ? PyObject_IsTrue(args[2]) : -1;
    PyObject *found = upward < 0 ? NULL : skl_py_new_frames(1, num, NPY_INT32);
    if (!found) return NULL;
    PyThreadState *lock = skl_py_release(num);
    skl_upright_first(cells, num, origins, upward, skl_py_data(found));
    return skl_py_give(lock, found);
}
