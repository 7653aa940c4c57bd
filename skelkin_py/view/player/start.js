// SPDX-License-Identifier: MIT
// Everything begins here.

function makeScene() {
  const view = $("view");
  try {
    return new Scene(view, data, figures);
  } catch (error) {
    if (error.message !== "no WebGL 2") console.error(error);
  }
  $("fallback").hidden = false;
  show.skeleton = true;
  const flat = view.cloneNode();  // where WebGL 2 began and failed, its canvas has no other drawing
  view.replaceWith(flat);
  try {
    $("toggle-skin")?.remove();
    $("toggle-skeleton")?.setAttribute("aria-pressed", "true");
    return new FlatScene(flat, data, figures);
  } catch {
    $("fallback").textContent = "This browser does not draw here. The numbers beside it are complete without it.";
    flat.hidden = true;
    return null;
  }
}

function start() {
  readColors();
  makeToggles();
  makeLegend();
  makeLanes();
  watchControls();
  watchKeys();
  editor.start();
  setFrame(0);
  scene = makeScene();
  watchPointers();
  $("view").addEventListener("webglcontextlost", (e) => { e.preventDefault(); scene = null; });
  $("view").addEventListener("webglcontextrestored", () => { scene = new Scene($("view"), data, figures); dirty = true; });
  $("link").addEventListener("click", copyAddress);
  window.addEventListener("hashchange", takeAddress);
  resize();
  resetCamera();
  const stays = takeAddress();
  setPlaying(!stays && !matchMedia("(prefers-reduced-motion: reduce)").matches);
  requestAnimationFrame(tick);
}
window.skelkin = {
  setFrame: goTo, state, show, camera, timing,
  contacts: { get: () => contacts.get(), set: (value) => contacts.set(value), text: () => contacts.text() },
};
start();
