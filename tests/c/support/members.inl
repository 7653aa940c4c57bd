/* SPDX-License-Identifier: MIT */
/* Made from the public headers by list_members.py. */
// clang-format off

static const member skl_bbone_job_members[] = {
    {"num_frames", OPTIONAL, AT(skl_bbone_job, num_frames), 0, {{0, 0}}},
    {"num_segments", NEEDED, AT(skl_bbone_job, num_segments), 0, {{0, 0}}},
    {"bends", NEEDED, AT(skl_bbone_job, bends), 0, {{0, 0}}},
    {"bends.length", VALUE, AT(skl_bend, length), 1, {THROUGH(skl_bbone_job, bends)}},
    {"bends.direction", VALUE, AT(skl_bend, direction), 1, {THROUGH(skl_bbone_job, bends)}},
    {"bends.ease", VALUE, AT(skl_bend, ease), 1, {THROUGH(skl_bbone_job, bends)}},
    {"bends.roll", VALUE, AT(skl_bend, roll), 1, {THROUGH(skl_bbone_job, bends)}},
    {"bends.offset", VALUE, AT(skl_bend, offset), 1, {THROUGH(skl_bbone_job, bends)}},
    {"bends.size", VALUE, AT(skl_bend, size), 1, {THROUGH(skl_bbone_job, bends)}},
    {"bends.scale", VALUE, AT(skl_bend, scale), 1, {THROUGH(skl_bbone_job, bends)}},
    {"out", NEEDED, AT(skl_bbone_job, out), 0, {{0, 0}}},
};

static const member skl_influences_job_members[] = {
    {"num_vertices", OPTIONAL, AT(skl_influences_job, num_vertices), 0, {{0, 0}}},
    {"num_bones", OPTIONAL, AT(skl_influences_job, num_bones), 0, {{0, 0}}},
    {"points", NEEDED, AT(skl_influences_job, points), 0, {{0, 0}}},
    {"group_offsets", OPTIONAL, AT(skl_influences_job, group_offsets), 0, {{0, 0}}},
    {"groups", NEEDED, AT(skl_influences_job, groups), 0, {{0, 0}}},
    {"group_weights", NEEDED, AT(skl_influences_job, group_weights), 0, {{0, 0}}},
    {"bone_of_group", NEEDED, AT(skl_influences_job, bone_of_group), 0, {{0, 0}}},
    {"envelopes", NEEDED, AT(skl_influences_job, envelopes), 0, {{0, 0}}},
    {"envelopes.head", VALUE, AT(skl_envelope, head), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"envelopes.tail", VALUE, AT(skl_envelope, tail), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"envelopes.head_radius", VALUE, AT(skl_envelope, head_radius), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"envelopes.tail_radius", VALUE, AT(skl_envelope, tail_radius), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"envelopes.distance", VALUE, AT(skl_envelope, distance), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"envelopes.weight", VALUE, AT(skl_envelope, weight), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"envelopes.multiply", VALUE, AT(skl_envelope, multiply), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"envelopes.deforms", VALUE, AT(skl_envelope, deforms), 1, {THROUGH(skl_influences_job, envelopes)}},
    {"use_envelopes", OPTIONAL, AT(skl_influences_job, use_envelopes), 0, {{0, 0}}},
    {"offsets", NEEDED, AT(skl_influences_job, offsets), 0, {{0, 0}}},
    {"bones", OPTIONAL, AT(skl_influences_job, bones), 0, {{0, 0}}},
    {"weights", NEEDED, AT(skl_influences_job, weights), 0, {{0, 0}}},
    {"totals", OPTIONAL, AT(skl_influences_job, totals), 0, {{0, 0}}},
};

static const member skl_deform_linear_job_members[] = {
    {"num_frames", OPTIONAL, AT(skl_deform_linear_job, num_frames), 0, {{0, 0}}},
    {"num_vertices", OPTIONAL, AT(skl_deform_linear_job, num_vertices), 0, {{0, 0}}},
    {"num_matrices", NEEDED, AT(skl_deform_linear_job, num_matrices), 0, {{0, 0}}},
    {"points", NEEDED, AT(skl_deform_linear_job, points), 0, {{0, 0}}},
    {"into", OPTIONAL, AT(skl_deform_linear_job, into), 0, {{0, 0}}},
    {"back", NEEDED, AT(skl_deform_linear_job, back), 0, {{0, 0}}},
    {"matrices", NEEDED, AT(skl_deform_linear_job, matrices), 0, {{0, 0}}},
    {"offsets", NEEDED, AT(skl_deform_linear_job, offsets), 0, {{0, 0}}},
    {"indices", NEEDED, AT(skl_deform_linear_job, indices), 0, {{0, 0}}},
    {"weights", NEEDED, AT(skl_deform_linear_job, weights), 0, {{0, 0}}},
    {"totals", NEEDED, AT(skl_deform_linear_job, totals), 0, {{0, 0}}},
    {"masks", OPTIONAL, AT(skl_deform_linear_job, masks), 0, {{0, 0}}},
    {"out", NEEDED, AT(skl_deform_linear_job, out), 0, {{0, 0}}},
};

static const member skl_deform_dual_job_members[] = {
    {"weights", NEEDED, AT(skl_deform_dual_job, weights), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_deform_dual_job, dtype), 0, {{0, 0}}},
    {"num_frames", OPTIONAL, AT(skl_deform_dual_job, num_frames), 0, {{0, 0}}},
    {"points", NEEDED, AT(skl_deform_dual_job, points), 0, {{0, 0}}},
    {"into", OPTIONAL, AT(skl_deform_dual_job, into), 0, {{0, 0}}},
    {"back", NEEDED, AT(skl_deform_dual_job, back), 0, {{0, 0}}},
    {"motions", NEEDED, AT(skl_deform_dual_job, motions), 0, {{0, 0}}},
    {"scales", OPTIONAL, AT(skl_deform_dual_job, scales), 0, {{0, 0}}},
    {"blend_scales", OPTIONAL, AT(skl_deform_dual_job, blend_scales), 0, {{0, 0}}},
    {"out", NEEDED, AT(skl_deform_dual_job, out), 0, {{0, 0}}},
};

static const member skl_evaluate_fcurves_job_members[] = {
    {"num_curves", OPTIONAL, AT(skl_evaluate_fcurves_job, num_curves), 0, {{0, 0}}},
    {"num_frames", OPTIONAL, AT(skl_evaluate_fcurves_job, num_frames), 0, {{0, 0}}},
    {"starts", NEEDED, AT(skl_evaluate_fcurves_job, starts), 0, {{0, 0}}},
    {"keys", NEEDED, AT(skl_evaluate_fcurves_job, keys), 0, {{0, 0}}},
    {"keys.time", VALUE, AT(skl_fcurve_key, time), 1, {THROUGH(skl_evaluate_fcurves_job, keys)}},
    {"keys.value", VALUE, AT(skl_fcurve_key, value), 1, {THROUGH(skl_evaluate_fcurves_job, keys)}},
    {"keys.left", VALUE, AT(skl_fcurve_key, left), 1, {THROUGH(skl_evaluate_fcurves_job, keys)}},
    {"keys.right", VALUE, AT(skl_fcurve_key, right), 1, {THROUGH(skl_evaluate_fcurves_job, keys)}},
    {"keys.back", VALUE, AT(skl_fcurve_key, back), 1, {THROUGH(skl_evaluate_fcurves_job, keys)}},
    {"keys.amplitude", VALUE, AT(skl_fcurve_key, amplitude), 1, {THROUGH(skl_evaluate_fcurves_job, keys)}},
    {"keys.period", VALUE, AT(skl_fcurve_key, period), 1, {THROUGH(skl_evaluate_fcurves_job, keys)}},
    {"interpolation", NEEDED, AT(skl_evaluate_fcurves_job, interpolation), 0, {{0, 0}}},
    {"easing", NEEDED, AT(skl_evaluate_fcurves_job, easing), 0, {{0, 0}}},
    {"linear", NEEDED, AT(skl_evaluate_fcurves_job, linear), 0, {{0, 0}}},
    {"cycles", NEEDED, AT(skl_evaluate_fcurves_job, cycles), 0, {{0, 0}}},
    {"cycles.mode", VALUE, AT(skl_fcurve_cycles, mode), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"cycles.count", VALUE, AT(skl_fcurve_cycles, count), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"cycles.restricted", VALUE, AT(skl_fcurve_cycles, restricted), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"cycles.start", VALUE, AT(skl_fcurve_cycles, start), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"cycles.end", VALUE, AT(skl_fcurve_cycles, end), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"cycles.blend_in", VALUE, AT(skl_fcurve_cycles, blend_in), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"cycles.blend_out", VALUE, AT(skl_fcurve_cycles, blend_out), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"cycles.influence", VALUE, AT(skl_fcurve_cycles, influence), 1, {THROUGH(skl_evaluate_fcurves_job, cycles)}},
    {"frames", NEEDED, AT(skl_evaluate_fcurves_job, frames), 0, {{0, 0}}},
    {"rounds", OPTIONAL, AT(skl_evaluate_fcurves_job, rounds), 0, {{0, 0}}},
    {"out", NEEDED, AT(skl_evaluate_fcurves_job, out), 0, {{0, 0}}},
};

static const member skl_blender_ik_job_members[] = {
    {"num_frames", OPTIONAL, AT(skl_blender_ik_job, num_frames), 0, {{0, 0}}},
    {"num_pose_bones", NEEDED, AT(skl_blender_ik_job, num_pose_bones), 0, {{0, 0}}},
    {"num_targets", NEEDED, AT(skl_blender_ik_job, num_targets), 0, {{0, 0}}},
    {"pose", NEEDED, AT(skl_blender_ik_job, pose), 0, {{0, 0}}},
    {"num_bones", NEEDED, AT(skl_blender_ik_job, num_bones), 0, {{0, 0}}},
    {"num_goals", NEEDED, AT(skl_blender_ik_job, num_goals), 0, {{0, 0}}},
    {"num_followers", OPTIONAL, AT(skl_blender_ik_job, num_followers), 0, {{0, 0}}},
    {"above", OPTIONAL, AT(skl_blender_ik_job, above), 0, {{0, 0}}},
    {"bones", NEEDED, AT(skl_blender_ik_job, bones), 0, {{0, 0}}},
    {"bones.bone", VALUE, AT(skl_ik_bone, bone), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.parent", VALUE, AT(skl_ik_bone, parent), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.locked", VALUE, AT(skl_ik_bone, locked), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.limited", VALUE, AT(skl_ik_bone, limited), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.rest", VALUE, AT(skl_ik_bone, rest), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.length", VALUE, AT(skl_ik_bone, length), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.stiffness", VALUE, AT(skl_ik_bone, stiffness), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.least", VALUE, AT(skl_ik_bone, least), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.most", VALUE, AT(skl_ik_bone, most), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"bones.stretch", VALUE, AT(skl_ik_bone, stretch), 1, {THROUGH(skl_blender_ik_job, bones)}},
    {"goals", NEEDED, AT(skl_blender_ik_job, goals), 0, {{0, 0}}},
    {"goals.bone", VALUE, AT(skl_ik_goal, bone), 1, {THROUGH(skl_blender_ik_job, goals)}},
    {"goals.target", VALUE, AT(skl_ik_goal, target), 1, {THROUGH(skl_blender_ik_job, goals)}},
    {"goals.places", VALUE, AT(skl_ik_goal, places), 1, {THROUGH(skl_blender_ik_job, goals)}},
    {"goals.turns", VALUE, AT(skl_ik_goal, turns), 1, {THROUGH(skl_blender_ik_job, goals)}},
    {"goals.weight", VALUE, AT(skl_ik_goal, weight), 1, {THROUGH(skl_blender_ik_job, goals)}},
    {"goals.turn_weight", VALUE, AT(skl_ik_goal, turn_weight), 1, {THROUGH(skl_blender_ik_job, goals)}},
    {"goals.influence", VALUE, AT(skl_ik_goal, influence), 1, {THROUGH(skl_blender_ik_job, goals)}},
    {"followers", NEEDED, AT(skl_blender_ik_job, followers), 0, {{0, 0}}},
    {"targets", NEEDED, AT(skl_blender_ik_job, targets), 0, {{0, 0}}},
    {"turns", OPTIONAL, AT(skl_blender_ik_job, turns), 0, {{0, 0}}},
    {"poles", OPTIONAL, AT(skl_blender_ik_job, poles), 0, {{0, 0}}},
    {"pole_angle", OPTIONAL, AT(skl_blender_ik_job, pole_angle), 0, {{0, 0}}},
    {"iterations", OPTIONAL, AT(skl_blender_ik_job, iterations), 0, {{0, 0}}},
};

static const member skl_fit_keys_job_members[] = {
    {"num_frames", NEEDED, AT(skl_fit_keys_job, num_frames), 0, {{0, 0}}},
    {"num_curves", NEEDED, AT(skl_fit_keys_job, num_curves), 0, {{0, 0}}},
    {"frames", NEEDED, AT(skl_fit_keys_job, frames), 0, {{0, 0}}},
    {"values", NEEDED, AT(skl_fit_keys_job, values), 0, {{0, 0}}},
    {"kinds", NEEDED, AT(skl_fit_keys_job, kinds), 0, {{0, 0}}},
    {"tolerance", OPTIONAL, AT(skl_fit_keys_job, tolerance), 0, {{0, 0}}},
    {"chain.num_bones", OPTIONAL, AT(skl_keyed_chain, num_bones), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.num_points", OPTIONAL, AT(skl_keyed_chain, num_points), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.modes", NEEDED, AT(skl_keyed_chain, modes), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.columns", NEEDED, AT(skl_keyed_chain, columns), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.above", NEEDED, AT(skl_keyed_chain, above), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.basis", NEEDED, AT(skl_keyed_chain, basis), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.scale", NEEDED, AT(skl_keyed_chain, scale), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.point_bones", NEEDED, AT(skl_keyed_chain, point_bones), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.points", NEEDED, AT(skl_keyed_chain, points), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"chain.targets", NEEDED, AT(skl_keyed_chain, targets), 1, {INSIDE(skl_fit_keys_job, chain)}},
    {"is_key", RESULT, AT(skl_fit_keys_job, is_key), 0, {{0, 0}}},
    {"fitted", RESULT, AT(skl_fit_keys_job, fitted), 0, {{0, 0}}},
    {"left", RESULT, AT(skl_fit_keys_job, left), 0, {{0, 0}}},
    {"right", RESULT, AT(skl_fit_keys_job, right), 0, {{0, 0}}},
    {"error", RESULT, AT(skl_fit_keys_job, error), 0, {{0, 0}}},
};

static const member skl_blender_pose_job_members[] = {
    {"bones", NEEDED, AT(skl_blender_pose_job, bones), 0, {{0, 0}}},
    {"bones.num_bones", OPTIONAL, AT(skl_blender_bones, num_bones), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.parents", NEEDED, AT(skl_blender_bones, parents), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.rest", NEEDED, AT(skl_blender_bones, rest), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.axes", NEEDED, AT(skl_blender_bones, axes), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.offsets", NEEDED, AT(skl_blender_bones, offsets), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.lengths", NEEDED, AT(skl_blender_bones, lengths), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.connected", NEEDED, AT(skl_blender_bones, connected), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.inherit_rotation", NEEDED, AT(skl_blender_bones, inherit_rotation), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.local_location", NEEDED, AT(skl_blender_bones, local_location), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"bones.inherit_scale", NEEDED, AT(skl_blender_bones, inherit_scale), 1, {THROUGH(skl_blender_pose_job, bones)}},
    {"dtype", NEEDED, AT(skl_blender_pose_job, dtype), 0, {{0, 0}}},
    {"num_frames", OPTIONAL, AT(skl_blender_pose_job, num_frames), 0, {{0, 0}}},
    {"modes", NEEDED, AT(skl_blender_pose_job, modes), 0, {{0, 0}}},
    {"location.data", OPTIONAL, AT(skl_channel, data), 1, {INSIDE(skl_blender_pose_job, location)}},
    {"location.step", OPTIONAL, AT(skl_channel, step), 1, {INSIDE(skl_blender_pose_job, location)}},
    {"rotation.data", OPTIONAL, AT(skl_channel, data), 1, {INSIDE(skl_blender_pose_job, rotation)}},
    {"rotation.step", OPTIONAL, AT(skl_channel, step), 1, {INSIDE(skl_blender_pose_job, rotation)}},
    {"scale.data", OPTIONAL, AT(skl_channel, data), 1, {INSIDE(skl_blender_pose_job, scale)}},
    {"scale.step", OPTIONAL, AT(skl_channel, step), 1, {INSIDE(skl_blender_pose_job, scale)}},
    {"out", NEEDED, AT(skl_blender_pose_job, out), 0, {{0, 0}}},
};

static const member skl_blender_local_job_members[] = {
    {"bones", NEEDED, AT(skl_blender_local_job, bones), 0, {{0, 0}}},
    {"bones.num_bones", OPTIONAL, AT(skl_blender_bones, num_bones), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.parents", NEEDED, AT(skl_blender_bones, parents), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.rest", NEEDED, AT(skl_blender_bones, rest), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.axes", NEEDED, AT(skl_blender_bones, axes), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.offsets", NEEDED, AT(skl_blender_bones, offsets), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.lengths", NEEDED, AT(skl_blender_bones, lengths), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.connected", NEEDED, AT(skl_blender_bones, connected), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.inherit_rotation", NEEDED, AT(skl_blender_bones, inherit_rotation), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.local_location", NEEDED, AT(skl_blender_bones, local_location), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"bones.inherit_scale", NEEDED, AT(skl_blender_bones, inherit_scale), 1, {THROUGH(skl_blender_local_job, bones)}},
    {"dtype", NEEDED, AT(skl_blender_local_job, dtype), 0, {{0, 0}}},
    {"num_frames", OPTIONAL, AT(skl_blender_local_job, num_frames), 0, {{0, 0}}},
    {"pose.data", NEEDED, AT(skl_channel, data), 1, {INSIDE(skl_blender_local_job, pose)}},
    {"pose.step", OPTIONAL, AT(skl_channel, step), 1, {INSIDE(skl_blender_local_job, pose)}},
    {"out", NEEDED, AT(skl_blender_local_job, out), 0, {{0, 0}}},
};

static const member skl_blender_follow_job_members[] = {
    {"bones", NEEDED, AT(skl_blender_follow_job, bones), 0, {{0, 0}}},
    {"bones.num_bones", OPTIONAL, AT(skl_blender_bones, num_bones), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.parents", NEEDED, AT(skl_blender_bones, parents), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.rest", NEEDED, AT(skl_blender_bones, rest), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.axes", NEEDED, AT(skl_blender_bones, axes), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.offsets", NEEDED, AT(skl_blender_bones, offsets), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.lengths", NEEDED, AT(skl_blender_bones, lengths), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.connected", NEEDED, AT(skl_blender_bones, connected), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.inherit_rotation", NEEDED, AT(skl_blender_bones, inherit_rotation), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.local_location", NEEDED, AT(skl_blender_bones, local_location), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"bones.inherit_scale", NEEDED, AT(skl_blender_bones, inherit_scale), 1, {THROUGH(skl_blender_follow_job, bones)}},
    {"num_frames", OPTIONAL, AT(skl_blender_follow_job, num_frames), 0, {{0, 0}}},
    {"num_followers", OPTIONAL, AT(skl_blender_follow_job, num_followers), 0, {{0, 0}}},
    {"followers", NEEDED, AT(skl_blender_follow_job, followers), 0, {{0, 0}}},
    {"before", NEEDED, AT(skl_blender_follow_job, before), 0, {{0, 0}}},
    {"pose", NEEDED, AT(skl_blender_follow_job, pose), 0, {{0, 0}}},
};

static const member skl_solve_fabrik_job_members[] = {
    {"dtype", NEEDED, AT(skl_solve_fabrik_job, dtype), 0, {{0, 0}}},
    {"num_joints", NEEDED, AT(skl_solve_fabrik_job, num_joints), 0, {{0, 0}}},
    {"parents", OPTIONAL, AT(skl_solve_fabrik_job, parents), 0, {{0, 0}}},
    {"num_targets", NEEDED, AT(skl_solve_fabrik_job, num_targets), 0, {{0, 0}}},
    {"leaves", OPTIONAL, AT(skl_solve_fabrik_job, leaves), 0, {{0, 0}}},
    {"tolerance", NEEDED, AT(skl_solve_fabrik_job, tolerance), 0, {{0, 0}}},
    {"max_iterations", NEEDED, AT(skl_solve_fabrik_job, max_iterations), 0, {{0, 0}}},
    {"positions", ARRAY_NEEDED, AT(skl_solve_fabrik_job, positions), 0, {{0, 0}}},
    {"target", ARRAY_NEEDED, AT(skl_solve_fabrik_job, target), 0, {{0, 0}}},
    {"pole", ARRAY_OPTIONAL, AT(skl_solve_fabrik_job, pole), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_solve_fabrik_job, out), 0, {{0, 0}}},
    {"out_status", ARRAY_NEEDED, AT(skl_solve_fabrik_job, out_status), 0, {{0, 0}}},
    {"out_error", ARRAY_NEEDED, AT(skl_solve_fabrik_job, out_error), 0, {{0, 0}}},
    {"out_iterations", ARRAY_NEEDED, AT(skl_solve_fabrik_job, out_iterations), 0, {{0, 0}}},
};

static const member skl_solve_two_bone_job_members[] = {
    {"dtype", NEEDED, AT(skl_solve_two_bone_job, dtype), 0, {{0, 0}}},
    {"a", ARRAY_NEEDED, AT(skl_solve_two_bone_job, a), 0, {{0, 0}}},
    {"b", ARRAY_NEEDED, AT(skl_solve_two_bone_job, b), 0, {{0, 0}}},
    {"c", ARRAY_NEEDED, AT(skl_solve_two_bone_job, c), 0, {{0, 0}}},
    {"target", ARRAY_NEEDED, AT(skl_solve_two_bone_job, target), 0, {{0, 0}}},
    {"options.pole", ARRAY_OPTIONAL, AT(skl_two_bone_options, pole), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.pole_direction", ARRAY_OPTIONAL, AT(skl_two_bone_options, pole_direction), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.bend", ARRAY_OPTIONAL, AT(skl_two_bone_options, bend), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.soften", ARRAY_OPTIONAL, AT(skl_two_bone_options, soften), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.stretch", ARRAY_OPTIONAL, AT(skl_two_bone_options, stretch), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.stretch_start", ARRAY_OPTIONAL, AT(skl_two_bone_options, stretch_start), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.twist", ARRAY_OPTIONAL, AT(skl_two_bone_options, twist), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.weight", ARRAY_OPTIONAL, AT(skl_two_bone_options, weight), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"options.minimal_roll", OPTIONAL, AT(skl_two_bone_options, minimal_roll), 1, {INSIDE(skl_solve_two_bone_job, options)}},
    {"out_b", ARRAY_NEEDED, AT(skl_solve_two_bone_job, out_b), 0, {{0, 0}}},
    {"out_c", ARRAY_NEEDED, AT(skl_solve_two_bone_job, out_c), 0, {{0, 0}}},
    {"out_upper", ARRAY_NEEDED, AT(skl_solve_two_bone_job, out_upper), 0, {{0, 0}}},
    {"out_lower", ARRAY_NEEDED, AT(skl_solve_two_bone_job, out_lower), 0, {{0, 0}}},
    {"out_status", ARRAY_NEEDED, AT(skl_solve_two_bone_job, out_status), 0, {{0, 0}}},
    {"out_error", ARRAY_NEEDED, AT(skl_solve_two_bone_job, out_error), 0, {{0, 0}}},
    {"out_stretch", ARRAY_NEEDED, AT(skl_solve_two_bone_job, out_stretch), 0, {{0, 0}}},
};

static const member skl_limit_poses_job_members[] = {
    {"skeleton", NEEDED, AT(skl_limit_poses_job, skeleton), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_limit_poses_job, dtype), 0, {{0, 0}}},
    {"limits", NEEDED, AT(skl_limit_poses_job, limits), 0, {{0, 0}}},
    {"limits.joint", VALUE, AT(skl_joint_limit, joint), 1, {THROUGH(skl_limit_poses_job, limits)}},
    {"limits.frame", VALUE, AT(skl_joint_limit, frame), 1, {THROUGH(skl_limit_poses_job, limits)}},
    {"limits.rest", VALUE, AT(skl_joint_limit, rest), 1, {THROUGH(skl_limit_poses_job, limits)}},
    {"limits.swing", VALUE, AT(skl_joint_limit, swing), 1, {THROUGH(skl_limit_poses_job, limits)}},
    {"limits.twist", VALUE, AT(skl_joint_limit, twist), 1, {THROUGH(skl_limit_poses_job, limits)}},
    {"limits.soft", VALUE, AT(skl_joint_limit, soft), 1, {THROUGH(skl_limit_poses_job, limits)}},
    {"num_limits", OPTIONAL, AT(skl_limit_poses_job, num_limits), 0, {{0, 0}}},
    {"local", ARRAY_NEEDED, AT(skl_limit_poses_job, local), 0, {{0, 0}}},
    {"local_rows", NEEDED, AT(skl_limit_poses_job, local_rows), 0, {{0, 0}}},
    {"hard", OPTIONAL, AT(skl_limit_poses_job, hard), 0, {{0, 0}}},
    {"out", ARRAY_OPTIONAL, AT(skl_limit_poses_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_limit_poses_job, out_rows), 0, {{0, 0}}},
    {"out_angle", ARRAY_OPTIONAL, AT(skl_limit_poses_job, out_angle), 0, {{0, 0}}},
};

static const member skl_apply_two_bone_job_members[] = {
    {"skeleton", NEEDED, AT(skl_apply_two_bone_job, skeleton), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_apply_two_bone_job, dtype), 0, {{0, 0}}},
    {"chains", NEEDED, AT(skl_apply_two_bone_job, chains), 0, {{0, 0}}},
    {"bends", NEEDED, AT(skl_apply_two_bone_job, bends), 0, {{0, 0}}},
    {"num_chains", NEEDED, AT(skl_apply_two_bone_job, num_chains), 0, {{0, 0}}},
    {"local", ARRAY_NEEDED, AT(skl_apply_two_bone_job, local), 0, {{0, 0}}},
    {"local_rows", NEEDED, AT(skl_apply_two_bone_job, local_rows), 0, {{0, 0}}},
    {"target", ARRAY_NEEDED, AT(skl_apply_two_bone_job, target), 0, {{0, 0}}},
    {"goal", ARRAY_OPTIONAL, AT(skl_apply_two_bone_job, goal), 0, {{0, 0}}},
    {"hinge", ARRAY_OPTIONAL, AT(skl_apply_two_bone_job, hinge), 0, {{0, 0}}},
    {"options.pole", ARRAY_OPTIONAL, AT(skl_two_bone_options, pole), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.pole_direction", ARRAY_OPTIONAL, AT(skl_two_bone_options, pole_direction), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.bend", ARRAY_OPTIONAL, AT(skl_two_bone_options, bend), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.soften", ARRAY_OPTIONAL, AT(skl_two_bone_options, soften), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.stretch", ARRAY_OPTIONAL, AT(skl_two_bone_options, stretch), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.stretch_start", ARRAY_OPTIONAL, AT(skl_two_bone_options, stretch_start), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.twist", ARRAY_OPTIONAL, AT(skl_two_bone_options, twist), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.weight", ARRAY_OPTIONAL, AT(skl_two_bone_options, weight), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"options.minimal_roll", OPTIONAL, AT(skl_two_bone_options, minimal_roll), 1, {INSIDE(skl_apply_two_bone_job, options)}},
    {"end_rotation", OPTIONAL, AT(skl_apply_two_bone_job, end_rotation), 0, {{0, 0}}},
    {"limits", NEEDED, AT(skl_apply_two_bone_job, limits), 0, {{0, 0}}},
    {"limits.joint", VALUE, AT(skl_joint_limit, joint), 1, {THROUGH(skl_apply_two_bone_job, limits)}},
    {"limits.frame", VALUE, AT(skl_joint_limit, frame), 1, {THROUGH(skl_apply_two_bone_job, limits)}},
    {"limits.rest", VALUE, AT(skl_joint_limit, rest), 1, {THROUGH(skl_apply_two_bone_job, limits)}},
    {"limits.swing", VALUE, AT(skl_joint_limit, swing), 1, {THROUGH(skl_apply_two_bone_job, limits)}},
    {"limits.twist", VALUE, AT(skl_joint_limit, twist), 1, {THROUGH(skl_apply_two_bone_job, limits)}},
    {"limits.soft", VALUE, AT(skl_joint_limit, soft), 1, {THROUGH(skl_apply_two_bone_job, limits)}},
    {"num_limits", OPTIONAL, AT(skl_apply_two_bone_job, num_limits), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_apply_two_bone_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_apply_two_bone_job, out_rows), 0, {{0, 0}}},
    {"out_status", ARRAY_NEEDED, AT(skl_apply_two_bone_job, out_status), 0, {{0, 0}}},
    {"out_error", ARRAY_NEEDED, AT(skl_apply_two_bone_job, out_error), 0, {{0, 0}}},
};

static const member skl_pose_job_members[] = {
    {"skeleton", NEEDED, AT(skl_pose_job, skeleton), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_pose_job, dtype), 0, {{0, 0}}},
    {"matrices", ARRAY_NEEDED, AT(skl_pose_job, matrices), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_pose_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_pose_job, out_rows), 0, {{0, 0}}},
    {"part", OPTIONAL, AT(skl_pose_job, part), 0, {{0, 0}}},
    {"part.joints", NEEDED, AT(skl_pose_part, joints), 1, {THROUGH(skl_pose_job, part)}},
    {"part.num_joints", OPTIONAL, AT(skl_pose_part, num_joints), 1, {THROUGH(skl_pose_job, part)}},
    {"part.start", OPTIONAL, AT(skl_pose_part, start), 1, {THROUGH(skl_pose_job, part)}},
};

static const member skl_forward_kinematics_trs_job_members[] = {
    {"skeleton", NEEDED, AT(skl_forward_kinematics_trs_job, skeleton), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_forward_kinematics_trs_job, dtype), 0, {{0, 0}}},
    {"rotations", ARRAY_NEEDED, AT(skl_forward_kinematics_trs_job, rotations), 0, {{0, 0}}},
    {"translations", ARRAY_OPTIONAL, AT(skl_forward_kinematics_trs_job, translations), 0, {{0, 0}}},
    {"scales", ARRAY_OPTIONAL, AT(skl_forward_kinematics_trs_job, scales), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_forward_kinematics_trs_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_forward_kinematics_trs_job, out_rows), 0, {{0, 0}}},
    {"part", OPTIONAL, AT(skl_forward_kinematics_trs_job, part), 0, {{0, 0}}},
    {"part.joints", NEEDED, AT(skl_pose_part, joints), 1, {THROUGH(skl_forward_kinematics_trs_job, part)}},
    {"part.num_joints", OPTIONAL, AT(skl_pose_part, num_joints), 1, {THROUGH(skl_forward_kinematics_trs_job, part)}},
    {"part.start", OPTIONAL, AT(skl_pose_part, start), 1, {THROUGH(skl_forward_kinematics_trs_job, part)}},
};

static const member skl_rest_relative_job_members[] = {
    {"skeleton", NEEDED, AT(skl_rest_relative_job, skeleton), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_rest_relative_job, dtype), 0, {{0, 0}}},
    {"rotations", ARRAY_NEEDED, AT(skl_rest_relative_job, rotations), 0, {{0, 0}}},
    {"rest_axes", OPTIONAL, AT(skl_rest_relative_job, rest_axes), 0, {{0, 0}}},
    {"out_rotations", ARRAY_NEEDED, AT(skl_rest_relative_job, out_rotations), 0, {{0, 0}}},
    {"out_translations", ARRAY_NEEDED, AT(skl_rest_relative_job, out_translations), 0, {{0, 0}}},
};

static const member skl_skin_points_job_members[] = {
    {"weights", NEEDED, AT(skl_skin_points_job, weights), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_skin_points_job, dtype), 0, {{0, 0}}},
    {"method", OPTIONAL, AT(skl_skin_points_job, method), 0, {{0, 0}}},
    {"points", ARRAY_NEEDED, AT(skl_skin_points_job, points), 0, {{0, 0}}},
    {"matrices", ARRAY_NEEDED, AT(skl_skin_points_job, matrices), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_skin_points_job, out), 0, {{0, 0}}},
};

static const member skl_skin_mesh_job_members[] = {
    {"weights", NEEDED, AT(skl_skin_mesh_job, weights), 0, {{0, 0}}},
    {"corners", OPTIONAL, AT(skl_skin_mesh_job, corners), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_skin_mesh_job, dtype), 0, {{0, 0}}},
    {"method", OPTIONAL, AT(skl_skin_mesh_job, method), 0, {{0, 0}}},
    {"tangent_size", NEEDED, AT(skl_skin_mesh_job, tangent_size), 0, {{0, 0}}},
    {"points", ARRAY_OPTIONAL, AT(skl_skin_mesh_job, points), 0, {{0, 0}}},
    {"normals", ARRAY_OPTIONAL, AT(skl_skin_mesh_job, normals), 0, {{0, 0}}},
    {"tangents", ARRAY_OPTIONAL, AT(skl_skin_mesh_job, tangents), 0, {{0, 0}}},
    {"matrices", ARRAY_NEEDED, AT(skl_skin_mesh_job, matrices), 0, {{0, 0}}},
    {"out_points", ARRAY_NEEDED, AT(skl_skin_mesh_job, out_points), 0, {{0, 0}}},
    {"out_normals", ARRAY_NEEDED, AT(skl_skin_mesh_job, out_normals), 0, {{0, 0}}},
    {"out_tangents", ARRAY_NEEDED, AT(skl_skin_mesh_job, out_tangents), 0, {{0, 0}}},
};

static const member skl_skin_poses_job_members[] = {
    {"weights", NEEDED, AT(skl_skin_poses_job, weights), 0, {{0, 0}}},
    {"skeleton", NEEDED, AT(skl_skin_poses_job, skeleton), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_skin_poses_job, dtype), 0, {{0, 0}}},
    {"method", OPTIONAL, AT(skl_skin_poses_job, method), 0, {{0, 0}}},
    {"points", ARRAY_NEEDED, AT(skl_skin_poses_job, points), 0, {{0, 0}}},
    {"normals", ARRAY_OPTIONAL, AT(skl_skin_poses_job, normals), 0, {{0, 0}}},
    {"rotations", ARRAY_NEEDED, AT(skl_skin_poses_job, rotations), 0, {{0, 0}}},
    {"translations", ARRAY_OPTIONAL, AT(skl_skin_poses_job, translations), 0, {{0, 0}}},
    {"scales", ARRAY_OPTIONAL, AT(skl_skin_poses_job, scales), 0, {{0, 0}}},
    {"out_points", ARRAY_NEEDED, AT(skl_skin_poses_job, out_points), 0, {{0, 0}}},
    {"out_normals", ARRAY_NEEDED, AT(skl_skin_poses_job, out_normals), 0, {{0, 0}}},
};

static const member skl_compose_job_members[] = {
    {"dtype", NEEDED, AT(skl_compose_job, dtype), 0, {{0, 0}}},
    {"translations", ARRAY_NEEDED, AT(skl_compose_job, translations), 0, {{0, 0}}},
    {"rotations", ARRAY_NEEDED, AT(skl_compose_job, rotations), 0, {{0, 0}}},
    {"scales", ARRAY_OPTIONAL, AT(skl_compose_job, scales), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_compose_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_compose_job, out_rows), 0, {{0, 0}}},
    {"spoils_out", OPTIONAL, AT(skl_compose_job, spoils_out), 0, {{0, 0}}},
};

static const member skl_decompose_job_members[] = {
    {"dtype", NEEDED, AT(skl_decompose_job, dtype), 0, {{0, 0}}},
    {"matrices", ARRAY_NEEDED, AT(skl_decompose_job, matrices), 0, {{0, 0}}},
    {"translations", ARRAY_NEEDED, AT(skl_decompose_job, translations), 0, {{0, 0}}},
    {"rotations", ARRAY_NEEDED, AT(skl_decompose_job, rotations), 0, {{0, 0}}},
    {"scales", ARRAY_NEEDED, AT(skl_decompose_job, scales), 0, {{0, 0}}},
    {"shear", ARRAY_OPTIONAL, AT(skl_decompose_job, shear), 0, {{0, 0}}},
};

static const member skl_matrix_job_members[] = {
    {"dtype", NEEDED, AT(skl_matrix_job, dtype), 0, {{0, 0}}},
    {"matrices", ARRAY_NEEDED, AT(skl_matrix_job, matrices), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_matrix_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_matrix_job, out_rows), 0, {{0, 0}}},
    {"spoils_out", OPTIONAL, AT(skl_matrix_job, spoils_out), 0, {{0, 0}}},
};

static const member skl_change_basis_job_members[] = {
    {"dtype", NEEDED, AT(skl_change_basis_job, dtype), 0, {{0, 0}}},
    {"values", ARRAY_NEEDED, AT(skl_change_basis_job, values), 0, {{0, 0}}},
    {"from_basis", ARRAY_NEEDED, AT(skl_change_basis_job, from_basis), 0, {{0, 0}}},
    {"to_basis", ARRAY_NEEDED, AT(skl_change_basis_job, to_basis), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_change_basis_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_change_basis_job, out_rows), 0, {{0, 0}}},
};

static const member skl_relative_transform_job_members[] = {
    {"skeleton", NEEDED, AT(skl_relative_transform_job, skeleton), 0, {{0, 0}}},
    {"dtype", NEEDED, AT(skl_relative_transform_job, dtype), 0, {{0, 0}}},
    {"from_joint", OPTIONAL, AT(skl_relative_transform_job, from_joint), 0, {{0, 0}}},
    {"to_joint", OPTIONAL, AT(skl_relative_transform_job, to_joint), 0, {{0, 0}}},
    {"local", ARRAY_NEEDED, AT(skl_relative_transform_job, local), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_relative_transform_job, out), 0, {{0, 0}}},
    {"out_rows", NEEDED, AT(skl_relative_transform_job, out_rows), 0, {{0, 0}}},
};

static const member skl_quaternion_job_members[] = {
    {"dtype", NEEDED, AT(skl_quaternion_job, dtype), 0, {{0, 0}}},
    {"a", ARRAY_NEEDED, AT(skl_quaternion_job, a), 0, {{0, 0}}},
    {"b", ARRAY_NEEDED, AT(skl_quaternion_job, b), 0, {{0, 0}}},
    {"t", ARRAY_NEEDED, AT(skl_quaternion_job, t), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_quaternion_job, out), 0, {{0, 0}}},
    {"spoils_out", OPTIONAL, AT(skl_quaternion_job, spoils_out), 0, {{0, 0}}},
};

static const member skl_axis_angle_job_members[] = {
    {"dtype", NEEDED, AT(skl_axis_angle_job, dtype), 0, {{0, 0}}},
    {"axes", ARRAY_NEEDED, AT(skl_axis_angle_job, axes), 0, {{0, 0}}},
    {"angles", ARRAY_NEEDED, AT(skl_axis_angle_job, angles), 0, {{0, 0}}},
    {"quaternions", ARRAY_NEEDED, AT(skl_axis_angle_job, quaternions), 0, {{0, 0}}},
    {"spoils_out", OPTIONAL, AT(skl_axis_angle_job, spoils_out), 0, {{0, 0}}},
};

static const member skl_swing_twist_job_members[] = {
    {"dtype", NEEDED, AT(skl_swing_twist_job, dtype), 0, {{0, 0}}},
    {"quaternions", ARRAY_NEEDED, AT(skl_swing_twist_job, quaternions), 0, {{0, 0}}},
    {"axes", ARRAY_NEEDED, AT(skl_swing_twist_job, axes), 0, {{0, 0}}},
    {"swing", ARRAY_NEEDED, AT(skl_swing_twist_job, swing), 0, {{0, 0}}},
    {"twist", ARRAY_NEEDED, AT(skl_swing_twist_job, twist), 0, {{0, 0}}},
    {"spoils_out", OPTIONAL, AT(skl_swing_twist_job, spoils_out), 0, {{0, 0}}},
};

static const member skl_euler_job_members[] = {
    {"dtype", NEEDED, AT(skl_euler_job, dtype), 0, {{0, 0}}},
    {"order", NEEDED, AT(skl_euler_job, order), 0, {{0, 0}}},
    {"angles", ARRAY_NEEDED, AT(skl_euler_job, angles), 0, {{0, 0}}},
    {"quaternions", ARRAY_NEEDED, AT(skl_euler_job, quaternions), 0, {{0, 0}}},
    {"spoils_out", OPTIONAL, AT(skl_euler_job, spoils_out), 0, {{0, 0}}},
};

static const member skl_turn_joint_job_members[] = {
    {"poses.skeleton", NEEDED, AT(skl_turned_poses, skeleton), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.dtype", NEEDED, AT(skl_turned_poses, dtype), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.local", ARRAY_NEEDED, AT(skl_turned_poses, local), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.local_rows", NEEDED, AT(skl_turned_poses, local_rows), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.limits", NEEDED, AT(skl_turned_poses, limits), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.limits.joint", VALUE, AT(skl_joint_limit, joint), 2, {INSIDE(skl_turn_joint_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.frame", VALUE, AT(skl_joint_limit, frame), 2, {INSIDE(skl_turn_joint_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.rest", VALUE, AT(skl_joint_limit, rest), 2, {INSIDE(skl_turn_joint_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.swing", VALUE, AT(skl_joint_limit, swing), 2, {INSIDE(skl_turn_joint_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.twist", VALUE, AT(skl_joint_limit, twist), 2, {INSIDE(skl_turn_joint_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.soft", VALUE, AT(skl_joint_limit, soft), 2, {INSIDE(skl_turn_joint_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.num_limits", OPTIONAL, AT(skl_turned_poses, num_limits), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.out", ARRAY_NEEDED, AT(skl_turned_poses, out), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.out_rows", NEEDED, AT(skl_turned_poses, out_rows), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"poses.spoils_out", OPTIONAL, AT(skl_turned_poses, spoils_out), 1, {INSIDE(skl_turn_joint_job, poses)}},
    {"joint", OPTIONAL, AT(skl_turn_joint_job, joint), 0, {{0, 0}}},
    {"rotation", ARRAY_NEEDED, AT(skl_turn_joint_job, rotation), 0, {{0, 0}}},
    {"weight", ARRAY_OPTIONAL, AT(skl_turn_joint_job, weight), 0, {{0, 0}}},
};

static const member skl_points_at_job_members[] = {
    {"poses.skeleton", NEEDED, AT(skl_turned_poses, skeleton), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.dtype", NEEDED, AT(skl_turned_poses, dtype), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.local", ARRAY_NEEDED, AT(skl_turned_poses, local), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.local_rows", NEEDED, AT(skl_turned_poses, local_rows), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.limits", NEEDED, AT(skl_turned_poses, limits), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.limits.joint", VALUE, AT(skl_joint_limit, joint), 2, {INSIDE(skl_points_at_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.frame", VALUE, AT(skl_joint_limit, frame), 2, {INSIDE(skl_points_at_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.rest", VALUE, AT(skl_joint_limit, rest), 2, {INSIDE(skl_points_at_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.swing", VALUE, AT(skl_joint_limit, swing), 2, {INSIDE(skl_points_at_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.twist", VALUE, AT(skl_joint_limit, twist), 2, {INSIDE(skl_points_at_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.soft", VALUE, AT(skl_joint_limit, soft), 2, {INSIDE(skl_points_at_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.num_limits", OPTIONAL, AT(skl_turned_poses, num_limits), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.out", ARRAY_NEEDED, AT(skl_turned_poses, out), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.out_rows", NEEDED, AT(skl_turned_poses, out_rows), 1, {INSIDE(skl_points_at_job, poses)}},
    {"poses.spoils_out", OPTIONAL, AT(skl_turned_poses, spoils_out), 1, {INSIDE(skl_points_at_job, poses)}},
    {"joint", OPTIONAL, AT(skl_points_at_job, joint), 0, {{0, 0}}},
    {"target", ARRAY_OPTIONAL, AT(skl_points_at_job, target), 0, {{0, 0}}},
    {"target_joint", OPTIONAL, AT(skl_points_at_job, target_joint), 0, {{0, 0}}},
    {"tip", ARRAY_OPTIONAL, AT(skl_points_at_job, tip), 0, {{0, 0}}},
    {"tip_joint", NEEDED, AT(skl_points_at_job, tip_joint), 0, {{0, 0}}},
    {"up", ARRAY_OPTIONAL, AT(skl_points_at_job, up), 0, {{0, 0}}},
    {"own_up", ARRAY_OPTIONAL, AT(skl_points_at_job, own_up), 0, {{0, 0}}},
    {"world", OPTIONAL, AT(skl_points_at_job, world), 0, {{0, 0}}},
    {"weight", ARRAY_OPTIONAL, AT(skl_points_at_job, weight), 0, {{0, 0}}},
};

static const member skl_align_to_ground_job_members[] = {
    {"poses.skeleton", NEEDED, AT(skl_turned_poses, skeleton), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.dtype", NEEDED, AT(skl_turned_poses, dtype), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.local", ARRAY_NEEDED, AT(skl_turned_poses, local), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.local_rows", NEEDED, AT(skl_turned_poses, local_rows), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.limits", NEEDED, AT(skl_turned_poses, limits), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.limits.joint", VALUE, AT(skl_joint_limit, joint), 2, {INSIDE(skl_align_to_ground_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.frame", VALUE, AT(skl_joint_limit, frame), 2, {INSIDE(skl_align_to_ground_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.rest", VALUE, AT(skl_joint_limit, rest), 2, {INSIDE(skl_align_to_ground_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.swing", VALUE, AT(skl_joint_limit, swing), 2, {INSIDE(skl_align_to_ground_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.twist", VALUE, AT(skl_joint_limit, twist), 2, {INSIDE(skl_align_to_ground_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.soft", VALUE, AT(skl_joint_limit, soft), 2, {INSIDE(skl_align_to_ground_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.num_limits", OPTIONAL, AT(skl_turned_poses, num_limits), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.out", ARRAY_NEEDED, AT(skl_turned_poses, out), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.out_rows", NEEDED, AT(skl_turned_poses, out_rows), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"poses.spoils_out", OPTIONAL, AT(skl_turned_poses, spoils_out), 1, {INSIDE(skl_align_to_ground_job, poses)}},
    {"foot", OPTIONAL, AT(skl_align_to_ground_job, foot), 0, {{0, 0}}},
    {"normal", ARRAY_NEEDED, AT(skl_align_to_ground_job, normal), 0, {{0, 0}}},
    {"up", ARRAY_NEEDED, AT(skl_align_to_ground_job, up), 0, {{0, 0}}},
    {"max_slope", ARRAY_OPTIONAL, AT(skl_align_to_ground_job, max_slope), 0, {{0, 0}}},
    {"sole", ARRAY_OPTIONAL, AT(skl_align_to_ground_job, sole), 0, {{0, 0}}},
    {"forward", ARRAY_OPTIONAL, AT(skl_align_to_ground_job, forward), 0, {{0, 0}}},
    {"weight", ARRAY_OPTIONAL, AT(skl_align_to_ground_job, weight), 0, {{0, 0}}},
};

static const member skl_roll_toe_job_members[] = {
    {"poses.skeleton", NEEDED, AT(skl_turned_poses, skeleton), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.dtype", NEEDED, AT(skl_turned_poses, dtype), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.local", ARRAY_NEEDED, AT(skl_turned_poses, local), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.local_rows", NEEDED, AT(skl_turned_poses, local_rows), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.limits", NEEDED, AT(skl_turned_poses, limits), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.limits.joint", VALUE, AT(skl_joint_limit, joint), 2, {INSIDE(skl_roll_toe_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.frame", VALUE, AT(skl_joint_limit, frame), 2, {INSIDE(skl_roll_toe_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.rest", VALUE, AT(skl_joint_limit, rest), 2, {INSIDE(skl_roll_toe_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.swing", VALUE, AT(skl_joint_limit, swing), 2, {INSIDE(skl_roll_toe_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.twist", VALUE, AT(skl_joint_limit, twist), 2, {INSIDE(skl_roll_toe_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.soft", VALUE, AT(skl_joint_limit, soft), 2, {INSIDE(skl_roll_toe_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.num_limits", OPTIONAL, AT(skl_turned_poses, num_limits), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.out", ARRAY_NEEDED, AT(skl_turned_poses, out), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.out_rows", NEEDED, AT(skl_turned_poses, out_rows), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"poses.spoils_out", OPTIONAL, AT(skl_turned_poses, spoils_out), 1, {INSIDE(skl_roll_toe_job, poses)}},
    {"toe", OPTIONAL, AT(skl_roll_toe_job, toe), 0, {{0, 0}}},
    {"normal", ARRAY_NEEDED, AT(skl_roll_toe_job, normal), 0, {{0, 0}}},
    {"up", ARRAY_NEEDED, AT(skl_roll_toe_job, up), 0, {{0, 0}}},
    {"sole", ARRAY_OPTIONAL, AT(skl_roll_toe_job, sole), 0, {{0, 0}}},
    {"hinge", ARRAY_OPTIONAL, AT(skl_roll_toe_job, hinge), 0, {{0, 0}}},
    {"weight", ARRAY_OPTIONAL, AT(skl_roll_toe_job, weight), 0, {{0, 0}}},
};

static const member skl_limit_slope_job_members[] = {
    {"dtype", NEEDED, AT(skl_limit_slope_job, dtype), 0, {{0, 0}}},
    {"normal", ARRAY_NEEDED, AT(skl_limit_slope_job, normal), 0, {{0, 0}}},
    {"up", ARRAY_NEEDED, AT(skl_limit_slope_job, up), 0, {{0, 0}}},
    {"max_slope", ARRAY_NEEDED, AT(skl_limit_slope_job, max_slope), 0, {{0, 0}}},
    {"out", ARRAY_NEEDED, AT(skl_limit_slope_job, out), 0, {{0, 0}}},
};

static const member skl_rotations_from_positions_job_members[] = {
    {"poses.skeleton", NEEDED, AT(skl_turned_poses, skeleton), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.dtype", NEEDED, AT(skl_turned_poses, dtype), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.local", ARRAY_NEEDED, AT(skl_turned_poses, local), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.local_rows", NEEDED, AT(skl_turned_poses, local_rows), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.limits", NEEDED, AT(skl_turned_poses, limits), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.limits.joint", VALUE, AT(skl_joint_limit, joint), 2, {INSIDE(skl_rotations_from_positions_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.frame", VALUE, AT(skl_joint_limit, frame), 2, {INSIDE(skl_rotations_from_positions_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.rest", VALUE, AT(skl_joint_limit, rest), 2, {INSIDE(skl_rotations_from_positions_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.swing", VALUE, AT(skl_joint_limit, swing), 2, {INSIDE(skl_rotations_from_positions_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.twist", VALUE, AT(skl_joint_limit, twist), 2, {INSIDE(skl_rotations_from_positions_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.limits.soft", VALUE, AT(skl_joint_limit, soft), 2, {INSIDE(skl_rotations_from_positions_job, poses), THROUGH(skl_turned_poses, limits)}},
    {"poses.num_limits", OPTIONAL, AT(skl_turned_poses, num_limits), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.out", ARRAY_NEEDED, AT(skl_turned_poses, out), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.out_rows", NEEDED, AT(skl_turned_poses, out_rows), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"poses.spoils_out", OPTIONAL, AT(skl_turned_poses, spoils_out), 1, {INSIDE(skl_rotations_from_positions_job, poses)}},
    {"chain", NEEDED, AT(skl_rotations_from_positions_job, chain), 0, {{0, 0}}},
    {"num_joints", NEEDED, AT(skl_rotations_from_positions_job, num_joints), 0, {{0, 0}}},
    {"positions", ARRAY_NEEDED, AT(skl_rotations_from_positions_job, positions), 0, {{0, 0}}},
    {"world", OPTIONAL, AT(skl_rotations_from_positions_job, world), 0, {{0, 0}}},
};

static const member skl_plant_motion_members[] = {
    {"rig", NEEDED, AT(skl_plant_motion, rig), 0, {{0, 0}}},
    {"rig.skeleton", NEEDED, AT(skl_plant_rig, skeleton), 1, {THROUGH(skl_plant_motion, rig)}},
    {"rig.num_legs", NEEDED, AT(skl_plant_rig, num_legs), 1, {THROUGH(skl_plant_motion, rig)}},
    {"rig.legs", NEEDED, AT(skl_plant_rig, legs), 1, {THROUGH(skl_plant_motion, rig)}},
    {"rig.legs.chain", VALUE, AT(skl_plant_leg, chain), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.toe", VALUE, AT(skl_plant_leg, toe), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.has_end_site", VALUE, AT(skl_plant_leg, has_end_site), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.has_marker", VALUE, AT(skl_plant_leg, has_marker), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.has_rest_up", VALUE, AT(skl_plant_leg, has_rest_up), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.has_tip", VALUE, AT(skl_plant_leg, has_tip), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.end_site", VALUE, AT(skl_plant_leg, end_site), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.marker", VALUE, AT(skl_plant_leg, marker), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.rest_up", VALUE, AT(skl_plant_leg, rest_up), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.tip", VALUE, AT(skl_plant_leg, tip), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.clearance", VALUE, AT(skl_plant_leg, clearance), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.legs.bend", VALUE, AT(skl_plant_leg, bend), 2, {THROUGH(skl_plant_motion, rig), THROUGH(skl_plant_rig, legs)}},
    {"rig.mover", OPTIONAL, AT(skl_plant_rig, mover), 1, {THROUGH(skl_plant_motion, rig)}},
    {"rig.head", OPTIONAL, AT(skl_plant_rig, head), 1, {THROUGH(skl_plant_motion, rig)}},
    {"num_frames", NEEDED, AT(skl_plant_motion, num_frames), 0, {{0, 0}}},
    {"fps", NEEDED, AT(skl_plant_motion, fps), 0, {{0, 0}}},
    {"local", NEEDED, AT(skl_plant_motion, local), 0, {{0, 0}}},
};

static const member skl_plant_options_members[] = {
    {"mode", OPTIONAL, AT(skl_plant_options, mode), 0, {{0, 0}}},
    {"given", NEEDED, AT(skl_plant_options, given), 0, {{0, 0}}},
    {"given.contacts.at", NEEDED, AT(skl_spans, at), 2, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, contacts)}},
    {"given.contacts.at.first", VALUE, AT(skl_span, first), 3, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, contacts), THROUGH(skl_spans, at)}},
    {"given.contacts.at.last", VALUE, AT(skl_span, last), 3, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, contacts), THROUGH(skl_spans, at)}},
    {"given.contacts.count", OPTIONAL, AT(skl_spans, count), 2, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, contacts)}},
    {"given.apart", OPTIONAL, AT(skl_plant_given, apart), 1, {THROUGH(skl_plant_options, given)}},
    {"given.heel.at", NEEDED, AT(skl_spans, at), 2, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, heel)}},
    {"given.heel.at.first", VALUE, AT(skl_span, first), 3, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, heel), THROUGH(skl_spans, at)}},
    {"given.heel.at.last", VALUE, AT(skl_span, last), 3, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, heel), THROUGH(skl_spans, at)}},
    {"given.heel.count", OPTIONAL, AT(skl_spans, count), 2, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, heel)}},
    {"given.ball.at", NEEDED, AT(skl_spans, at), 2, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, ball)}},
    {"given.ball.at.first", VALUE, AT(skl_span, first), 3, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, ball), THROUGH(skl_spans, at)}},
    {"given.ball.at.last", VALUE, AT(skl_span, last), 3, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, ball), THROUGH(skl_spans, at)}},
    {"given.ball.count", OPTIONAL, AT(skl_spans, count), 2, {THROUGH(skl_plant_options, given), INSIDE(skl_plant_given, ball)}},
    {"given.pins", NEEDED, AT(skl_plant_given, pins), 1, {THROUGH(skl_plant_options, given)}},
    {"given.pins.span", VALUE, AT(skl_plant_pin, span), 2, {THROUGH(skl_plant_options, given), THROUGH(skl_plant_given, pins)}},
    {"given.pins.place", VALUE, AT(skl_plant_pin, place), 2, {THROUGH(skl_plant_options, given), THROUGH(skl_plant_given, pins)}},
    {"given.pins.height", VALUE, AT(skl_plant_pin, height), 2, {THROUGH(skl_plant_options, given), THROUGH(skl_plant_given, pins)}},
    {"given.num_pins", OPTIONAL, AT(skl_plant_given, num_pins), 1, {THROUGH(skl_plant_options, given)}},
    {"working", OPTIONAL, AT(skl_plant_options, working), 0, {{0, 0}}},
    {"up_is_given", OPTIONAL, AT(skl_plant_options, up_is_given), 0, {{0, 0}}},
    {"up", NEEDED, AT(skl_plant_options, up), 0, {{0, 0}}},
    {"belt", OPTIONAL, AT(skl_plant_options, belt), 0, {{0, 0}}},
    {"belt_velocity", OPTIONAL, AT(skl_plant_options, belt_velocity), 0, {{0, 0}}},
    {"sole", OPTIONAL, AT(skl_plant_options, sole), 0, {{0, 0}}},
    {"align", OPTIONAL, AT(skl_plant_options, align), 0, {{0, 0}}},
    {"max_slope", OPTIONAL, AT(skl_plant_options, max_slope), 0, {{0, 0}}},
    {"blend", OPTIONAL, AT(skl_plant_options, blend), 0, {{0, 0}}},
    {"reach", OPTIONAL, AT(skl_plant_options, reach), 0, {{0, 0}}},
    {"stretch", NEEDED, AT(skl_plant_options, stretch), 0, {{0, 0}}},
    {"pelvis_acceleration", NEEDED, AT(skl_plant_options, pelvis_acceleration), 0, {{0, 0}}},
    {"toe_bend", OPTIONAL, AT(skl_plant_options, toe_bend), 0, {{0, 0}}},
    {"loop", OPTIONAL, AT(skl_plant_options, loop), 0, {{0, 0}}},
};

static const member skl_ground_members[] = {
    {"up", RESULT, AT(skl_ground, up), 0, {{0, 0}}},
    {"is_level", OPTIONAL, AT(skl_ground, is_level), 0, {{0, 0}}},
    {"level", OPTIONAL, AT(skl_ground, level), 0, {{0, 0}}},
    {"moves", OPTIONAL, AT(skl_ground, moves), 0, {{0, 0}}},
    {"context", OPTIONAL, AT(skl_ground, context), 0, {{0, 0}}},
    {"below", NEEDED, AT(skl_ground, below), 0, {{0, 0}}},
    {"carry", NEEDED, AT(skl_ground, carry), 0, {{0, 0}}},
};

RUN(bbone, skl_bbone_job)
RUN(influences, skl_influences_job)
RUN(deform_linear, skl_deform_linear_job)
RUN(deform_dual, skl_deform_dual_job)
RUN(evaluate_fcurves, skl_evaluate_fcurves_job)
RUN(blender_ik, skl_blender_ik_job)
RUN(fit_keys, skl_fit_keys_job)
RUN(blender_pose, skl_blender_pose_job)
RUN(blender_local, skl_blender_local_job)
RUN(blender_follow, skl_blender_follow_job)
RUN(solve_fabrik, skl_solve_fabrik_job)
RUN(solve_two_bone, skl_solve_two_bone_job)
RUN(limit_poses, skl_limit_poses_job)
RUN(apply_two_bone, skl_apply_two_bone_job)
RUN(forward_kinematics, skl_pose_job)
RUN(local_from_global, skl_pose_job)
RUN(skinning_matrices, skl_pose_job)
RUN(forward_kinematics_trs, skl_forward_kinematics_trs_job)
RUN(rest_relative, skl_rest_relative_job)
RUN(skin_points, skl_skin_points_job)
RUN(skin_mesh, skl_skin_mesh_job)
RUN(skin_poses, skl_skin_poses_job)
RUN(compose, skl_compose_job)
RUN(decompose, skl_decompose_job)
RUN(invert, skl_matrix_job)
RUN(invert_rigid, skl_matrix_job)
RUN(invert_trs, skl_matrix_job)
RUN(change_basis, skl_change_basis_job)
RUN(change_basis_points, skl_change_basis_job)
RUN(relative_transform, skl_relative_transform_job)
RUN(quaternion_multiply, skl_quaternion_job)
RUN(quaternion_rotate, skl_quaternion_job)
RUN(quaternion_between, skl_quaternion_job)
RUN(quaternion_slerp, skl_quaternion_job)
RUN(quaternion_from_matrix, skl_quaternion_job)
RUN(quaternion_to_matrix, skl_quaternion_job)
RUN(quaternion_from_rotation_vector, skl_quaternion_job)
RUN(quaternion_to_rotation_vector, skl_quaternion_job)
RUN(quaternion_from_axis_angle, skl_axis_angle_job)
RUN(quaternion_to_axis_angle, skl_axis_angle_job)
RUN(quaternion_swing_twist, skl_swing_twist_job)
RUN(quaternion_from_euler, skl_euler_job)
RUN(quaternion_to_euler, skl_euler_job)
RUN(turn_joint, skl_turn_joint_job)
RUN(points_at, skl_points_at_job)
RUN(align_to_ground, skl_align_to_ground_job)
RUN(roll_toe, skl_roll_toe_job)
RUN(limit_slope, skl_limit_slope_job)
RUN(rotations_from_positions, skl_rotations_from_positions_job)

static const verb VERBS[] = {
    VERB(bbone, skl_bbone_job),
    VERB(influences, skl_influences_job),
    VERB(deform_linear, skl_deform_linear_job),
    VERB(deform_dual, skl_deform_dual_job),
    VERB(evaluate_fcurves, skl_evaluate_fcurves_job),
    VERB(blender_ik, skl_blender_ik_job),
    VERB(fit_keys, skl_fit_keys_job),
    VERB(blender_pose, skl_blender_pose_job),
    VERB(blender_local, skl_blender_local_job),
    VERB(blender_follow, skl_blender_follow_job),
    VERB(solve_fabrik, skl_solve_fabrik_job),
    VERB(solve_two_bone, skl_solve_two_bone_job),
    VERB(limit_poses, skl_limit_poses_job),
    VERB(apply_two_bone, skl_apply_two_bone_job),
    VERB(forward_kinematics, skl_pose_job),
    VERB(local_from_global, skl_pose_job),
    VERB(skinning_matrices, skl_pose_job),
    VERB(forward_kinematics_trs, skl_forward_kinematics_trs_job),
    VERB(rest_relative, skl_rest_relative_job),
    VERB(skin_points, skl_skin_points_job),
    VERB(skin_mesh, skl_skin_mesh_job),
    VERB(skin_poses, skl_skin_poses_job),
    VERB(compose, skl_compose_job),
    VERB(decompose, skl_decompose_job),
    VERB(invert, skl_matrix_job),
    VERB(invert_rigid, skl_matrix_job),
    VERB(invert_trs, skl_matrix_job),
    VERB(change_basis, skl_change_basis_job),
    VERB(change_basis_points, skl_change_basis_job),
    VERB(relative_transform, skl_relative_transform_job),
    VERB(quaternion_multiply, skl_quaternion_job),
    VERB(quaternion_rotate, skl_quaternion_job),
    VERB(quaternion_between, skl_quaternion_job),
    VERB(quaternion_slerp, skl_quaternion_job),
    VERB(quaternion_from_matrix, skl_quaternion_job),
    VERB(quaternion_to_matrix, skl_quaternion_job),
    VERB(quaternion_from_rotation_vector, skl_quaternion_job),
    VERB(quaternion_to_rotation_vector, skl_quaternion_job),
    VERB(quaternion_from_axis_angle, skl_axis_angle_job),
    VERB(quaternion_to_axis_angle, skl_axis_angle_job),
    VERB(quaternion_swing_twist, skl_swing_twist_job),
    VERB(quaternion_from_euler, skl_euler_job),
    VERB(quaternion_to_euler, skl_euler_job),
    VERB(turn_joint, skl_turn_joint_job),
    VERB(points_at, skl_points_at_job),
    VERB(align_to_ground, skl_align_to_ground_job),
    VERB(roll_toe, skl_roll_toe_job),
    VERB(limit_slope, skl_limit_slope_job),
    VERB(rotations_from_positions, skl_rotations_from_positions_job),
    VERB(learn, skl_plant_motion),
    VERB(options, skl_plant_options),
    VERB(ground, skl_ground),
};
