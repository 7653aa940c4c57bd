/* SPDX-License-Identifier: MIT */
/* The functions of the module, and how many arguments each of them takes; M: with the module before them. */
/* args.c */
F(check_unmasked, 2)
/* blender_bbones.c */
F(blender_bend, 2)
/* blender_deform.c */
F(blender_influences, 8)
F(blender_deform_linear, 10)
M(blender_deform_dual, 8)
/* blender_fcurves.c */
F(evaluate_fcurves, 8)
/* blender_ik.c */
M(blender_ik, 13)
/* blender_keys.c */
F(fit_keys, 5)
/* blender_pose.c */
F(blender_pose, 6)
F(blender_local, 3)
/* fabrik.c */
F(solve_fabrik, 8)
/* files.c */
F(scan_numbers, 1)
F(format_numbers, 4)
F(splice_text, 8)
F(smooth_angles, 3)
/* ik.c */
M(apply_two_bone, 19)
/* kinematics.c */
M(forward_kinematics, 5)
M(forward_kinematics_trs, 7)
M(rest_relative, 4)
M(skinning_matrices, 3)
M(local_from_global, 3)
/* limits.c */
M(limit_poses, 5)
/* native.c */
M(native, 2)
/* overlap.c */
F(check_own_memory, 1)
/* planting_cells.c */
F(upright_cells, 3)
F(upright_first, 3)
/* planting_contacts.c */
F(frames_to_spans, 1)
/* planting_cost.c */
F(planting_cost, 9)
F(literature_figures, 5)
/* planting_curves.c */
F(foot_curves, 7)
/* planting_learn.c */
M(learn, 5)
M(settle, 1)
/* planting_legs.c */
F(changed_frames, 3)
F(measure_contacts, 4)
/* planting_levels.c */
F(lowest_sole, 4)
/* planting_loop.c */
M(closing_pose, 6)
/* planting_paths.c */
F(lowest_near, 3)
/* planting_rays.c */
F(ray_hits, 5)
/* planting_rest.c */
M(rest_bend, 3)
M(rest_leg, 5)
/* planting_rows.c */
F(viewer_rows, 8)
/* planting_scene.c */
M(read_tracks, 3)
M(body_up, 6)
/* planting_soles.c */
F(sole_outline, 3)
/* planting_turns.c */
F(turn_matrices, 1)
F(joint_turns, 2)
/* skin_poses.c */
M(skin_poses, 10)
/* skinning.c */
M(skin_points, 5)
M(skin_mesh, 10)
/* threads.c */
F(set_num_threads, 1)
F(get_num_threads, 0)
/* transforms.c */
F(compose, 4)
F(decompose, 2)
F(invert, 2)
F(invert_rigid, 2)
F(invert_trs, 2)
F(change_basis, 4)
F(change_basis_points, 4)
M(relative_transform, 5)
F(quaternion_multiply, 3)
F(quaternion_rotate, 3)
F(quaternion_between, 3)
F(quaternion_slerp, 4)
F(quaternion_from_matrix, 2)
F(quaternion_to_matrix, 2)
F(quaternion_from_axis_angle, 3)
F(quaternion_to_axis_angle, 1)
F(quaternion_from_rotation_vector, 2)
F(quaternion_to_rotation_vector, 2)
F(quaternion_swing_twist, 2)
F(quaternion_from_euler, 5)
F(quaternion_to_euler, 5)
/* turned_joints.c */
M(turn_joint, 6)
M(points_at, 13)
M(align_to_ground, 11)
M(roll_toe, 10)
M(rotations_from_positions, 7)
F(limit_slope, 4)
