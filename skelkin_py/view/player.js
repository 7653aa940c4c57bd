// SPDX-License-Identifier: MIT
// The other half of the player: data, camera, time and controls.

const $ = (id) => document.getElementById(id);
const data = unpack(JSON.parse($("skelkin-data").textContent));

// Turn {"f4": "base64…"} leaves into typed arrays.
function unpack(value) {
  const kinds = { f4: Float32Array, u4: Uint32Array, u2: Uint16Array };
  if (value === null || typeof value !== "object") return value;
  for (const key in kinds) if (key in value) {
    const text = atob(value[key]), bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
    return new kinds[key](bytes.buffer);
  }
  for (const key in value) value[key] = unpack(value[key]);
  return value;
}

const [after, before] = data.clips;
const show = { skin: Boolean(data.mesh), skeleton: !data.mesh, after: true, before: Boolean(before), ground: true, trails: data.feet.length > 0 };
const state = { frame: 0, playing: false, speed: 1, last: null, follow: true };
let scene = null, dirty = true, colors = null;

// ------------------------------------------------------------------------------------------------ camera
const camera = { yaw: 0, pitch: 0, distance: 1, pan: [0, 0, 0], fov: 32 * Math.PI / 180 };
function resetCamera() {
  const aspect = Math.max($("view").clientWidth, 1) / Math.max($("view").clientHeight, 1);
  Object.assign(camera, { yaw: data.heading + 1.2, pitch: 0.15, pan: [0, 0, 0] });
  camera.distance = data.size * 2.5 / Math.min(1, aspect * 0.95);
  dirty = true;
}
function centre() {  // the smoothed way of the hips, or their middle where the camera stands still
  const path = data.path, out = [0, 0, 0], frame = state.follow ? state.frame : (data.frames - 1) / 2;
  const low = Math.floor(frame), high = Math.min(low + 1, data.frames - 1);
  for (let k = 0; k < 3; k++) out[k] = path[low * 3 + k] + (frame - low) * (path[high * 3 + k] - path[low * 3 + k]);
  return out;
}
function cameraNow() {
  const target = vector.add(centre(), camera.pan);
  const c = Math.cos(camera.pitch), away = [Math.sin(camera.yaw) * c, Math.sin(camera.pitch), Math.cos(camera.yaw) * c];
  return { eye: vector.add(target, away, camera.distance), target, fov: camera.fov, distance: camera.distance };
}
function pan(dx, dy) {
  const scale = 2 * camera.distance * Math.tan(camera.fov / 2) / $("view").clientHeight;
  const right = [Math.cos(camera.yaw), 0, -Math.sin(camera.yaw)];
  camera.pan = vector.add(camera.pan, right, -dx * scale);
  camera.pan[1] += dy * scale;
}
function zoom(factor) {
  camera.distance = Math.min(Math.max(camera.distance * factor, 0.2 * data.size), 30 * data.size);
}
function watchPointers() {
  const view = $("view"), held = new Map();
  view.addEventListener("pointerdown", (e) => { view.setPointerCapture(e.pointerId); held.set(e.pointerId, [e.clientX, e.clientY]); });
  for (const name of ["pointerup", "pointercancel"]) view.addEventListener(name, (e) => held.delete(e.pointerId));
  view.addEventListener("pointermove", (e) => {
    const was = held.get(e.pointerId);
    if (!was) return;
    const dx = e.clientX - was[0], dy = e.clientY - was[1];
    if (held.size === 1) {
      if (e.shiftKey || e.buttons & 6) pan(dx, dy);
      else {
        camera.yaw -= dx * 0.007;
        camera.pitch = Math.min(Math.max(camera.pitch + dy * 0.006, -1.5), 1.5);
      }
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

// ------------------------------------------------------------------------------------------------ time
function setFrame(frame) {
  state.frame = Math.min(Math.max(frame, 0), data.frames - 1);
  const whole = shownFrame(), seconds = state.frame / data.fps;
  $("scrub").value = whole;
  $("scrub").setAttribute("aria-valuetext", `frame ${whole}`);
  $("clock").textContent = `frame ${whole} / ${data.frames - 1}   ${seconds.toFixed(2)} s`;
  $("playhead").style.left = `calc(var(--name) + (100% - var(--name)) * ${data.frames > 1 ? state.frame / (data.frames - 1) : 0})`;
  dirty = true;
}
function setPlaying(playing) {
  state.playing = playing && data.frames > 1;
  state.last = null;
  if (state.playing && state.frame >= data.frames - 1) setFrame(0);
  $("play").textContent = state.playing ? "Pause" : "Play";
  $("play").setAttribute("aria-label", state.playing ? "Pause" : "Play");
}
const shownFrame = () => Math.floor(state.frame + 1e-6);  // what the clock says, also where it was paused between two
function step(by) { setPlaying(false); setFrame(shownFrame() + by); }
function tick(now) {
  if (state.playing && !document.hidden) {
    if (state.last !== null) {
      let next = state.frame + (now - state.last) / 1000 * data.fps * state.speed;
      if (next >= data.frames - 1) {
        if ($("loop").checked) next %= data.frames - 1;
        else { next = data.frames - 1; setPlaying(false); }
      }
      setFrame(next);
    }
    state.last = now;
  } else state.last = null;
  resize();
  if (dirty && scene) { dirty = false; draw(); }
  requestAnimationFrame(tick);
}
function resize() {
  const view = $("view"), ratio = Math.min(window.devicePixelRatio || 1, 2);
  const width = Math.max(1, Math.round(view.clientWidth * ratio)), height = Math.max(1, Math.round(view.clientHeight * ratio));
  if (view.width !== width || view.height !== height) { view.width = width; view.height = height; dirty = true; }
}
function draw() {
  const whole = shownFrame();
  const contact = data.feet.map((foot) => foot.spans.some(([a, b]) => whole >= a && whole <= b));
  scene.draw({ frame: state.frame, camera: cameraNow(), show, colors, contact });
}

// ------------------------------------------------------------------------------------------------ controls
function readColors() {
  const style = getComputedStyle(document.documentElement);
  const rgb = (name) => { const hex = style.getPropertyValue(name).trim(); return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255); };
  colors = { ghost: Number(style.getPropertyValue("--ghost")), feet: [rgb("--left"), rgb("--right")] };
  for (const name of ["background", "ground", "grid", "after", "before", "bone"]) colors[name] = rgb(`--${name}`);
  dirty = true;
}
function makeToggles() {
  const list = [["after", before ? "After" : "Motion", "--after", true], ["before", "Before", "--before", before], ["skin", "Skin", "", data.mesh],
    ["skeleton", "Skeleton", "", true], ["trails", "Foot trails", "", data.feet.length], ["ground", "Ground", "", data.ground]];
  for (const [key, label, dot, there] of list) {
    if (!there) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.id = `toggle-${key}`;
    if (dot) button.style.setProperty("--dot", `var(${dot})`);
    button.append(document.createElement("i"), label);
    const paint = () => button.setAttribute("aria-pressed", String(show[key]));
    button.addEventListener("click", () => { show[key] = !show[key]; paint(); dirty = true; });
    paint();
    $("toggles").append(button);
  }
}
function makeLanes() {
  const last = Math.max(data.frames - 1, 1);
  const all = data.feet.flatMap((foot) => foot.heights);
  const top = Math.max(1e-9, ...all.map((h) => h.reduce((a, b) => Math.max(a, b), 0)));
  const bottom = Math.min(0, ...all.map((h) => h.reduce((a, b) => Math.min(a, b), 0)));
  const level = (height) => 8 + 84 * (top - height) / (top - bottom);
  data.feet.forEach((foot, k) => {
    const lane = document.createElement("div"), name = document.createElement("span"), bar = document.createElement("div");
    lane.className = "lane";
    lane.style.setProperty("--foot", k % 2 ? "var(--right)" : "var(--left)");
    name.textContent = foot.name;
    name.title = `${foot.name}: bars are contacts, lines the height of the foot above the ground`;
    for (const [a, b] of foot.spans) {
      const span = document.createElement("i");
      span.style.left = `${100 * a / last}%`;
      span.style.width = `${100 * Math.max(b - a, 0.4) / last}%`;
      span.title = `contact, frames ${a} to ${b}`;
      bar.append(span);
    }
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", `0 0 ${last} 100`);
    svg.setAttribute("preserveAspectRatio", "none");
    foot.heights.forEach((heights, which) => {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      const every = Math.max(1, Math.floor(heights.length / 1500)), at = [];
      for (let f = 0; f < heights.length; f += every) at.push(`${f} ${level(heights[f]).toFixed(1)}`);
      path.setAttribute("d", "M" + at.join("L"));
      path.setAttribute("stroke", which ? "var(--before)" : "var(--foot)");
      if (which) path.setAttribute("stroke-opacity", "0.75");
      svg.prepend(path);
    });
    const zero = document.createElementNS("http://www.w3.org/2000/svg", "path");
    zero.setAttribute("d", `M0 ${level(0)}H${last}`);
    zero.setAttribute("class", "zero");
    svg.prepend(zero);
    bar.append(svg);
    const seek = (e) => { const box = bar.getBoundingClientRect(); setPlaying(false); setFrame(Math.round((e.clientX - box.left) / box.width * last)); };
    bar.addEventListener("pointerdown", (e) => { bar.setPointerCapture(e.pointerId); seek(e); });
    bar.addEventListener("pointermove", (e) => { if (e.buttons) seek(e); });
    lane.append(name, bar);
    $("lanes").append(lane);
  });
}
function watchControls() {
  $("scrub").max = data.frames - 1;
  $("scrub").addEventListener("input", (e) => { setPlaying(false); setFrame(Number(e.target.value)); });
  $("play").addEventListener("click", () => setPlaying(!state.playing));
  $("back").addEventListener("click", () => step(-1));
  $("forward").addEventListener("click", () => step(1));
  $("home").addEventListener("click", resetCamera);
  $("speed").addEventListener("change", (e) => { state.speed = Number(e.target.value); });
  $("follow").addEventListener("change", (e) => { state.follow = e.target.checked; dirty = true; });
  const keys = {
    " ": () => setPlaying(!state.playing), ArrowLeft: (e) => step(e.shiftKey ? -10 : -1), ArrowRight: (e) => step(e.shiftKey ? 10 : 1),
    Home: () => step(-data.frames), End: () => step(data.frames), r: resetCamera, "+": () => zoom(0.9), "-": () => zoom(1.1),
    b: () => $("toggle-before")?.click(), a: () => $("toggle-after")?.click(), s: () => $("toggle-skin")?.click(),
    k: () => $("toggle-skeleton")?.click(), t: () => $("toggle-trails")?.click(), g: () => $("toggle-ground")?.click(),
  };
  window.addEventListener("keydown", (e) => {
    const act = keys[e.key];
    if (!act || e.ctrlKey || e.metaKey || e.altKey || e.target.tagName === "SELECT") return;
    if (e.key === " " && e.target.tagName === "BUTTON") return;
    e.preventDefault();
    act(e);
    dirty = true;
  });
  for (const row of document.querySelectorAll("[data-frame]"))
    row.addEventListener("click", () => { setPlaying(false); setFrame(Number(row.dataset.frame)); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColors);
}

function start() {
  readColors();
  makeToggles();
  makeLanes();
  watchControls();
  setFrame(0);
  try {
    scene = new Scene($("view"), data);
    watchPointers();
    $("view").addEventListener("webglcontextlost", (e) => { e.preventDefault(); scene = null; });
    $("view").addEventListener("webglcontextrestored", () => { scene = new Scene($("view"), data); dirty = true; });
  } catch (error) {
    $("view").hidden = true;
    $("fallback").hidden = false;
    if (error.message !== "no WebGL 2") console.error(error);
  }
  resize();
  resetCamera();
  // "#frame=40" opens there and stays; "&show=skeleton,after" chooses what is shown
  const wish = new URLSearchParams(location.hash.slice(1));
  if (wish.has("show")) for (const key in show) {
    const button = $(`toggle-${key}`), on = wish.get("show").split(",").includes(key);
    if (button && show[key] !== on) button.click();
  }
  if (wish.has("frame")) setFrame(Number(wish.get("frame")) || 0);
  setPlaying(!wish.has("frame") && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  requestAnimationFrame(tick);
}
window.skelkin = { setFrame: (frame) => { setPlaying(false); setFrame(frame); }, state, show, camera };
start();
