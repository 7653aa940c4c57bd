/* SPDX-License-Identifier: MIT */
#include "planting_models.h"

#include <string.h>

static PyObject *vector_out(const double from[3]) {
    const npy_intp three = 3;
    PyObject *array = PyArray_SimpleNew(1, &three, NPY_DOUBLE);
    if (array) memcpy(skl_py_data(array), from, 3 * sizeof *from);
    return array;
}

/* What FootModel is made of, as a tuple. */
static PyObject *model_fields(const skl_foot_model *model) {
    const skl_sole *sole = &model->sole;
    const char *source = model->from_rest_pose ? "rest pose" : "typical foot";
    return Py_BuildValue("NNddsNNd", vector_out(sole->heel), vector_out(sole->ball), sole->drop, model->clearance,
                         source, vector_out(sole->back), vector_out(sole->along), sole->raised);
}

PyObject *skl_py_list_of_models(const skl_foot_model *models, Py_ssize_t count) {
    PyObject *list = PyList_New(count);
    for (Py_ssize_t k = 0; list && k < count; k++) {
        PyObject *each = model_fields(&models[k]);
        if (!each || PyList_SetItem(list, k, each) < 0) Py_CLEAR(list);
    }
    return list;
}
