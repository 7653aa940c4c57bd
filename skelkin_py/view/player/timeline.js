// SPDX-License-Identifier: MIT
// The lanes under the picture: one per foot, its contacts as bars, its height above the ground as lines.

const lanes = new Map();  // from feet to the elements that hold their bars
const lastFrame = Math.max(data.frames - 1, 1);
const lens = { zoom: 1, from: 0, held: false };  // the part of the time that lanes show: 1 / zoom of it, from a share on

// Which height in a lane, of 100, a foot's height above the ground is drawn at.
function heightScale() {
  const all = data.feet.flatMap((foot) => foot.heights);
  const top = Math.max(1e-9, ...all.map((h) => h.reduce((a, b) => Math.max(a, b), 0)));
  const bottom = Math.min(0, ...all.map((h) => h.reduce((a, b) => Math.min(a, b), 0)));
  return (height) => 8 + 84 * (top - height) / (top - bottom);
}
function makeLanes() {
  const level = heightScale();
  data.feet.forEach((foot, k) => {
    const [lane, name, track, bar, bars] = ["div", "span", "div", "div", "div"].map((tag) => document.createElement(tag));
    lane.className = "lane";
    lane.style.setProperty("--foot", k % 2 ? "var(--right)" : "var(--left)");
    name.textContent = foot.name;
    name.title = `${foot.name}: bars are contacts, lines the height of the foot above the ground`;
    track.className = "track";
    bar.className = "time";
    bars.className = "bars";
    bar.append(bars, curvesOf(foot, level));
    track.append(bar);
    bar.addEventListener("pointerdown", (e) => {
      if (e.target.closest(".contact.edited")) return;
      bar.setPointerCapture(e.pointerId);
      lens.held = true;
      goTo(frameUnder(bar, e));
    });
    bar.addEventListener("pointermove", (e) => { if (lens.held && bar.hasPointerCapture(e.pointerId)) goTo(frameUnder(bar, e)); });
    bar.addEventListener("lostpointercapture", () => { lens.held = false; });
    bar.addEventListener("wheel", (e) => { if (e.ctrlKey) { e.preventDefault(); zoomTime(Math.exp(-e.deltaY * 0.005)); } }, { passive: false });
    lane.append(name, track);
    lanes.set(foot, { bar, bars, name });
    $("lanes").append(lane);
  });
}
function frameUnder(bar, e) {
  const box = bar.getBoundingClientRect();
  return Math.min(Math.max(Math.round((e.clientX - box.left) / box.width * lastFrame), 0), data.frames - 1);
}

// Closer to the frame that is shown, or further away; twenty frames fill the lanes at the closest.
function zoomTime(factor) {
  const share = state.frame / lastFrame, before = lens.zoom;
  lens.zoom = Math.min(Math.max(lens.zoom * factor, 1), Math.max(1, lastFrame / 20));
  lens.from = share - (share - lens.from) * before / lens.zoom;
  placePlayhead();
}
function placePlayhead() {
  const share = state.frame / lastFrame, part = 1 / lens.zoom;
  if (!lens.held && (share < lens.from || share > lens.from + part)) lens.from = share - 0.1 * part;
  lens.from = Math.min(Math.max(lens.from, 0), 1 - part);
  const at = (share - lens.from) * lens.zoom;
  $("playhead").style.left = `calc(var(--name) + (100% - var(--name)) * ${at})`;
  $("playhead").style.visibility = at < -1e-6 || at > 1 + 1e-6 ? "hidden" : "";
  $("lanes").style.setProperty("--zoom", lens.zoom);
  $("lanes").style.setProperty("--from", lens.from);
}
function curvesOf(foot, level) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${lastFrame} 100`);
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  foot.heights.forEach((heights, which) => {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const every = Math.max(1, Math.floor(heights.length / 3000)), at = [];
    for (let f = 0; f < heights.length; f += every) at.push(`${f} ${level(heights[f]).toFixed(1)}`);
    path.setAttribute("d", "M" + at.join("L"));
    path.setAttribute("stroke", which ? "var(--before)" : "var(--foot)");
    if (which) path.setAttribute("stroke-opacity", "0.75");
    svg.prepend(path);
  });
  const zero = document.createElementNS("http://www.w3.org/2000/svg", "path");
  zero.setAttribute("d", `M0 ${level(0)}H${lastFrame}`);
  zero.setAttribute("class", "zero");
  svg.prepend(zero);
  return svg;
}
function placeBar(bar, [first, last]) {
  bar.style.left = `${100 * first / lastFrame}%`;
  bar.style.width = `${100 * Math.max(last - first, 0.4) / lastFrame}%`;
  bar.title = `contact, frames ${named(first)} to ${named(last)}`;
}
function paintBars() {
  for (const [foot, { bars }] of lanes)
    bars.replaceChildren(...contacts.of(foot.key).map((span, index) => {
      const bar = document.createElement("div");
      bar.className = "contact";
      placeBar(bar, span);
      if (editor.on) editor.equip(bar, foot, index);
      return bar;
    }));
}
