/* SPDX-License-Identifier: MIT */
/* What the files of the binding share: the two types, and the functions that module.c lists. */
#ifndef SKL_MODULE_H
#define SKL_MODULE_H

#include "numpy_api.h"

#include "errors.h"
#include "native.h"
#include "skelkin/skelkin.h"

/* Per module object; there are no static variables. */
typedef struct skl_state {
    PyTypeObject *skeleton_type;
    PyTypeObject *weights_type;
    skl_native natives[SKL_NATIVES];
} skl_state;

/* skeleton.c, weights.c: the specs of the types that own a skl_skeleton and a skl_weights. */
extern PyType_Spec skl_py_skeleton_spec;
extern PyType_Spec skl_py_weights_spec;

/* The struct inside of an argument, or NULL and a TypeError. It lives as long as `object`. */
const skl_skeleton *skl_py_skeleton(PyObject *module, PyObject *object);
const skl_weights *skl_py_weights(PyObject *module, PyObject *object);

/* threads.c: the setting, and SKELKIN_NUM_THREADS at import (-1: an exception is set). */
PyObject *skl_py_set_num_threads(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_get_num_threads(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
int skl_py_threads_from_environment(void);

/* args.c: what a verb says of a masked array, for the arrays that are looked at in Python. */
PyObject *skl_py_check_unmasked(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* kinematics.c, skinning.c, skin_poses.c, ik.c, fabrik.c: METH_FASTCALL functions. */
PyObject *skl_py_forward_kinematics(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_forward_kinematics_trs(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_rest_relative(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_skinning_matrices(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_local_from_global(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_skin_points(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_skin_poses(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_skin_mesh(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
/* native.c: a METH_FASTCALL function. */
PyObject *skl_py_native(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
/* ik.c: the arguments of solve_two_bone in its order, and the type of the result. */
PyObject *skl_py_solve_two_bone_into(PyObject *const *args, PyTypeObject *type);
PyObject *skl_py_apply_two_bone(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_solve_fabrik(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* turned_joints.c: METH_FASTCALL functions. */
PyObject *skl_py_turn_joint(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_points_at(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_align_to_ground(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_roll_toe(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_rotations_from_positions(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_limit_slope(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* overlap.c: a METH_FASTCALL function. */
PyObject *skl_py_check_own_memory(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* blender_fcurves.c: a METH_FASTCALL function. */
PyObject *skl_py_evaluate_fcurves(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* blender_keys.c: a METH_FASTCALL function. */
PyObject *skl_py_fit_keys(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* limits.c: a METH_FASTCALL function. */
PyObject *skl_py_limit_poses(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* blender_pose.c: METH_FASTCALL functions. */
PyObject *skl_py_blender_pose(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_blender_local(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
/* blender_deform.c: METH_FASTCALL functions. */
PyObject *skl_py_blender_influences(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_blender_deform_linear(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_blender_deform_dual(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* blender_bbones.c: METH_FASTCALL function. */
PyObject *skl_py_blender_bend(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* blender_ik.c: a METH_FASTCALL function. */
/* blender_ik.c: the dtypes of its rows; -1: an exception is set. */
int skl_py_add_ik_structs(PyObject *module);
/* planting_contacts.c: the same. */
int skl_py_add_tally_structs(PyObject *module);
/* limits.c: the same. */
int skl_py_add_limit_struct(PyObject *module);
/* planting_scene.c: RefusalError, and what is said of the length of legs. */
int skl_py_add_refusal(PyObject *module);
PyObject *skl_py_blender_ik(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_soles.c, planting_turns.c: METH_FASTCALL functions. */
PyObject *skl_py_sole_outline(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_turn_matrices(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_joint_turns(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_contacts.c: METH_FASTCALL functions. */
PyObject *skl_py_frames_to_spans(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_rays.c: a METH_FASTCALL function. */
PyObject *skl_py_ray_hits(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_cells.c: METH_FASTCALL functions. */
PyObject *skl_py_upright_cells(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_upright_first(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_tracks.c: METH_FASTCALL functions. */

/* planting_plan.c: METH_FASTCALL functions. */
PyObject *skl_py_rest_bend(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_rest_leg(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_foot_curves(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_read_tracks(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_body_up(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_learn(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_settle(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_closing_pose(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_lowest_near(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_levels.c: METH_FASTCALL functions. */
PyObject *skl_py_lowest_sole(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_cost.c: METH_FASTCALL functions. */
PyObject *skl_py_glitch_limits(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_add_cost(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_literature_figures(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_rows.c: METH_FASTCALL functions. */
PyObject *skl_py_viewer_rows(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* planting_legs.c: METH_FASTCALL functions. */
PyObject *skl_py_changed_frames(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_measure_contacts(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* files.c: METH_FASTCALL functions. */
PyObject *skl_py_scan_numbers(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_format_numbers(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_splice_text(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_smooth_angles(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

/* skinning.c: the argument `method`, 0 (linear) or 1 (dual quaternions); returns 0 with an exception set. */
int skl_py_take_method(PyObject *value, skl_skin_method *method);

/* transforms.c: METH_FASTCALL functions. */
PyObject *skl_py_compose(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_decompose(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_invert(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_invert_rigid(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_invert_trs(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_change_basis(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_change_basis_points(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_relative_transform(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_multiply(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_rotate(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_between(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_slerp(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_from_matrix(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_to_matrix(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_from_axis_angle(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_to_axis_angle(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_from_rotation_vector(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_to_rotation_vector(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_swing_twist(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_from_euler(PyObject *module, PyObject *const *args, Py_ssize_t nargs);
PyObject *skl_py_quaternion_to_euler(PyObject *module, PyObject *const *args, Py_ssize_t nargs);

#endif
