// SPDX-License-Identifier: MIT
// The camera: around what it follows, by mouse, fingers, keys and presets.

const camera = { yaw: 0, pitch: 0, distance: 1, pan: [0, 0, 0], fov: 32 * Math.PI / 180 };
const PRESETS = {
  front: () => [data.heading, 0.08], side: () => [data.heading + Math.PI / 2, 0.08], top: () => [data.heading + Math.PI, 1.5],
  corner: () => [data.heading + (data.spread ? 0.45 : 1.2), 0.15],
};

function resetCamera() { lookFrom("corner"); }
function lookFrom(name) {
  const [yaw, pitch] = PRESETS[name]();
  const aspect = Math.max($("view").clientWidth, 1) / Math.max($("view").clientHeight, 1);
  Object.assign(camera, { yaw, pitch, pan: [0, 0, 0] });
  const across = (data.spread + 0.9 * data.size) * Math.abs(Math.cos(yaw - data.heading));
  camera.distance = Math.max(data.size * 2.5 / Math.min(1, aspect * 0.95), 1.2 * data.wide / (2 * Math.tan(camera.fov / 2) * aspect) + data.wide / 4, data.spread ? across / (2 * Math.tan(camera.fov / 2) * aspect) + data.spread / 2 : 0);
  dirty = true;
}

// The smoothed path of the hips, or their middle where the camera stands still.
function centre() {
  const path = data.path, out = [0, 0, 0], frame = state.follow ? state.frame : (data.frames - 1) / 2;
  const low = Math.floor(frame), high = Math.min(low + 1, data.frames - 1);
  for (let k = 0; k < 3; k++) out[k] = path[low * 3 + k] + (frame - low) * (path[high * 3 + k] - path[low * 3 + k]);
  return out;
}
function cameraNow() {
  const middle = centre(), target = vector.add(middle, camera.pan);
  const c = Math.cos(camera.pitch), away = [Math.sin(camera.yaw) * c, Math.sin(camera.pitch), Math.cos(camera.yaw) * c];
  return { eye: vector.add(target, away, camera.distance), target, centre: middle, fov: camera.fov, distance: camera.distance };
}
function orbit(dx, dy) {
  camera.yaw -= dx * 0.007;
  camera.pitch = Math.min(Math.max(camera.pitch + dy * 0.006, -1.5), 1.5);
}
// By keys: J and L turn, arrows up and down tilt while the picture has the focus; with Shift they move.
function cameraKey(e) {
  const way = { j: [-1, 0], l: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key.length > 1 ? e.key : e.key.toLowerCase()];
  if (!way || (e.key.length > 1 && e.target !== $("view"))) return false;
  if (e.shiftKey) pan(-24 * way[0], 24 * way[1]);
  else orbit(-14 * way[0], 14 * way[1]);
  return true;
}
function pan(dx, dy) {
  const scale = 2 * camera.distance * Math.tan(camera.fov / 2) / $("view").clientHeight;
  const right = [Math.cos(camera.yaw), 0, -Math.sin(camera.yaw)];
  camera.pan = vector.add(camera.pan, right, -dx * scale);
  camera.pan[1] += dy * scale;
}
function zoom(factor) {
  camera.distance = Math.min(Math.max(camera.distance * factor, 0.2 * data.size), 30 * data.size + 3 * data.spread);
}

// One pointer turns, with Shift or another button it pans; two fingers zoom and pan; a tap plays and pauses.
function watchPointers() {
  const view = $("view"), held = new Map();
  let tap = null;
  view.addEventListener("pointerdown", (e) => {
    view.setPointerCapture(e.pointerId);
    held.set(e.pointerId, [e.clientX, e.clientY]);
    tap = e.pointerType === "touch" && held.size === 1 ? { x: e.clientX, y: e.clientY, since: performance.now() } : null;
  });
  view.addEventListener("pointerup", (e) => {
    held.delete(e.pointerId);
    if (tap && performance.now() - tap.since < 400) setPlaying(!state.playing);
    tap = null;
  });
  view.addEventListener("pointercancel", (e) => { held.delete(e.pointerId); tap = null; });
  view.addEventListener("pointermove", (e) => {
    const was = held.get(e.pointerId);
    if (!was) return;
    if (tap && Math.hypot(e.clientX - tap.x, e.clientY - tap.y) > 8) tap = null;
    const dx = e.clientX - was[0], dy = e.clientY - was[1];
    if (held.size === 1) {
      if (e.shiftKey || e.buttons & 6) pan(dx, dy);
      else orbit(dx, dy);
    } else {
      const other = [...held].find(([id]) => id !== e.pointerId)[1];
      const spread = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      zoom(spread(was) / spread([e.clientX, e.clientY]));
      pan(dx / 2, dy / 2);
    }
    held.set(e.pointerId, [e.clientX, e.clientY]);
    dirty = true;
  });
  view.addEventListener("wheel", (e) => { e.preventDefault(); zoom(Math.exp(e.deltaY * 0.0012)); dirty = true; }, { passive: false });
  view.addEventListener("contextmenu", (e) => e.preventDefault());
}
