// SPDX-License-Identifier: MIT
// Buttons, boxes and keys.

// The colours of trails: of one figure each foot has its own.
function pathMark(color) {
  const mark = document.createElement("i");
  mark.className = "trail";
  mark.style.setProperty("--dot", color);
  return mark;
}
function makeToggles() {
  const paths = ghost || figures.length === 1 ? data.feet.slice(0, 2).map((foot, k) => [foot.name.endsWith(" foot") || data.feet.length % 2 ? foot.name.replace(/ foot$/, "").toLowerCase() : ["left", "right"][k], `var(--${k ? "right" : "left"})`]) : [];
  if (ghost && paths.length) paths.push([ghost.label.toLowerCase(), "var(--before)"]);
  const list = [...figures.map((f) => [f.key, f.label, f.color || `var(--${f.key})`, true]),
    ["skin", "Skin", "", data.meshes.length], ["skeleton", "Skeleton", "", true],
    ["trails", "Foot trails", "", figures.some((f) => f.paths.length)], ["ground", "Ground", "", data.ground]];
  for (const [key, label, dot, there] of list) {
    if (!there) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.id = `toggle-${key}`;
    if (dot) button.style.setProperty("--dot", dot);
    const words = Object.assign(document.createElement("span"), { textContent: label });
    if (key !== "trails" || !paths.length) button.append(document.createElement("i"), words);
    else button.append(words, ...paths.flatMap(([name, color]) => [pathMark(color), name]));
    button.title = key === "trails" ? `Where feet were for ${TRAIL[0]} s and will be for ${TRAIL[1]} s` : label;
    const paint = () => button.setAttribute("aria-pressed", String(show[key]));
    button.addEventListener("click", () => { show[key] = !show[key]; paint(); dirty = true; });
    paint();
    $("toggles").append(button);
  }
}
function makeLegend() {
  const { legend } = data, box = $("legend");
  if (!legend) return;
  box.hidden = false;
  const bar = document.createElement("i"), ends = document.createElement("div");
  bar.style.background = `linear-gradient(to right, ${legend.colors.join(", ")})`;
  for (const text of [legend.low, legend.high]) ends.append(Object.assign(document.createElement("span"), { textContent: text }));
  if (legend.label) box.append(Object.assign(document.createElement("b"), { textContent: legend.label }));
  box.append(bar, ends);
  box.setAttribute("aria-label", `Colours: ${legend.label || "values"} from ${legend.low}, dark blue, to ${legend.high}, yellow`);
}
function watchControls() {
  $("scrub").max = data.frames - 1;
  $("scrub").addEventListener("input", (e) => goTo(Number(e.target.value)));
  $("play").addEventListener("click", () => setPlaying(!state.playing));
  $("back").addEventListener("click", () => step(-1));
  $("forward").addEventListener("click", () => step(1));
  $("home").addEventListener("click", resetCamera);
  $("speed").addEventListener("change", (e) => { state.speed = Number(e.target.value); });
  $("follow").addEventListener("change", (e) => { state.follow = e.target.checked; dirty = true; });
  for (const button of document.querySelectorAll("[data-camera]")) button.addEventListener("click", () => lookFrom(button.dataset.camera));
  watchRows();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColors);
}
function watchRows() {  // of the panel: a click goes to their frame
  for (const row of document.querySelectorAll("[data-frame]")) {
    row.tabIndex = 0;
    const go = () => goTo(Number(row.dataset.frame));
    row.addEventListener("click", go);
    row.addEventListener("keydown", (e) => { if (e.key === "Enter") go(); });
  }
}
function watchKeys() {
  const press = (id) => () => $(id)?.click();
  const keys = {
    " ": () => setPlaying(!state.playing), ArrowLeft: (e) => step(e.shiftKey ? -10 : -1), ArrowRight: (e) => step(e.shiftKey ? 10 : 1),
    Home: () => step(-data.frames), End: () => step(data.frames), r: resetCamera, "+": () => zoom(0.9), "-": () => zoom(1.1),
    b: press("toggle-before"), a: press("toggle-after"), s: press("toggle-skin"), k: press("toggle-skeleton"),
    t: press("toggle-trails"), g: press("toggle-ground"), e: press("edit"),
  };
  Object.keys(PRESETS).forEach((name, k) => { keys[k + 1] = () => lookFrom(name); });
  window.addEventListener("keydown", (e) => {
    const act = keys[e.key.length > 1 ? e.key : e.key.toLowerCase()], { tagName } = e.target;
    if (e.ctrlKey || e.metaKey || e.altKey || tagName === "SELECT" || e.target.type === "text") return;
    if (e.key === " " && (["BUTTON", "SUMMARY"].includes(tagName) || e.target.type === "checkbox")) return;
    if (!act && !cameraKey(e)) return;
    e.preventDefault();
    act?.(e);
    dirty = true;
  });
}
