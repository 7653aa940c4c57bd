// SPDX-License-Identifier: MIT
// What the page was given, and what is shown of it.

const $ = (id) => document.getElementById(id);
const data = unpack(JSON.parse($("skelkin-data").textContent));

// Turn {"f4": "base64…"} leaves into typed arrays.
function unpack(value) {
  const kinds = { f4: Float32Array, u4: Uint32Array, u2: Uint16Array, u1: Uint8Array, i1: Int8Array };
  if (value === null || typeof value !== "object") return value;
  for (const key in kinds) if (typeof value[key] === "string") {
    const text = atob(value[key]), bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
    return new kinds[key](bytes.buffer);
  }
  for (const key in value) value[key] = unpack(value[key]);
  return value;
}

const named = (frame) => frame + (data.first || 0);  // a frame as it is called: the first may have another number than 0

const figures = data.figures;
const ghost = figures.find((figure) => figure.key === "before");
const solid = figures.filter((figure) => figure !== ghost);
const show = { skin: data.meshes.length > 0, skeleton: data.meshes.length === 0, ground: true, trails: figures.some((f) => f.trails.length > 0) };
for (const figure of figures) show[figure.key] = true;
const state = { frame: 0, playing: false, speed: 1, last: null, follow: true };
const TRAIL = [2, 1];  // seconds before and after the moment that is shown: more of a dance is a tangle
let scene = null, dirty = true, colors = null;

// Colours are those of the style sheet, which knows light and dark.
function readColors() {
  const style = getComputedStyle(document.documentElement);
  const rgb = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255);
  const named = (name) => rgb(style.getPropertyValue(`--${name}`).trim());
  colors = { ghost: Number(style.getPropertyValue("--ghost")), feet: [named("left"), named("right")] };
  for (const name of ["background", "ground", "grid", "bone"]) colors[name] = named(name);
  for (const figure of figures) colors[figure.key] = figure.color ? rgb(figure.color) : named(figure.key);
  dirty = true;
}
