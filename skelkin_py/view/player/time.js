// SPDX-License-Identifier: MIT
// Which frame is shown: playing, stepping, and drawing when something has changed.

const timing = { frames: 0, last: 0, mean: 0, worst: 0 };  // milliseconds of script that drawing took, by frame drawn

function setFrame(frame) {
  state.frame = Math.min(Math.max(frame, 0), data.frames - 1);
  const whole = shownFrame(), seconds = state.frame / data.fps;
  $("scrub").value = whole;
  $("scrub").setAttribute("aria-valuetext", `frame ${named(whole)}`);
  $("clock").textContent = `frame ${named(whole)} / ${named(data.frames - 1)}   ${seconds.toFixed(2)} s`;
  placePlayhead();
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
function step(by) { goTo(shownFrame() + by); }
function goTo(frame) { setPlaying(false); setFrame(frame); }
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
  const whole = shownFrame(), started = performance.now();
  const contact = data.feet.map((foot) => contacts.of(foot.key).some(([a, b]) => whole >= a && whole <= b));
  scene.draw({ frame: state.frame, camera: cameraNow(), show, colors, contact, solid, ghost });
  timing.last = performance.now() - started;
  timing.frames += 1;
  timing.mean += (timing.last - timing.mean) / timing.frames;
  timing.worst = Math.max(timing.worst, timing.last);
}
