// SPDX-License-Identifier: MIT
// The page's side of a conversation with Python: what is edited goes there, one message at a time, and what comes back is
// drawn. Of messages of one gesture that wait, the last one goes. Python's editor keeps the history; undo asks for it.

const live = {
  view: Math.random().toString(36).slice(2), id: 0, gesture: 0, waiting: [], flying: null, later: null, sentAt: 0, known: false,
  rounds: { count: 0, last: 0, worst: 0, python: 0 },  // milliseconds from a message to its reply drawn, and of Python's own

  start() {
    window.addEventListener("message", ({ source, data: said }) => {
      if (source !== window.parent || !said || !said.skelkin) return;
      if (Number.isInteger(said.skelkin.go)) this.go(said.skelkin.go);
      else this.receive(said.skelkin, said.buffers || []);
    });
    for (const [name, counts] of [["pointerdown", () => true], ["keydown", (e) => !e.repeat]])
      window.addEventListener(name, (e) => { if (counts(e)) this.gesture += 1; }, true);
    this.status = document.createElement("output");
    this.status.id = "kernel";
    window.skelkin.live = this;
    this.ask("open");
    this.watchFrame();
  },

  get idle() { return !this.flying && !this.waiting.length && !this.later; },
  joint(key, which) { return handles.joint(handles.all.find((one) => one.key === key).chain[which]); },

  // ---- to Python

  ask(verb, fields = {}) {
    const message = { do: verb, gesture: this.gesture, ...fields }, last = this.waiting.at(-1);
    const same = last && ["do", "gesture", "leg", "frame", "index"].every((name) => last[name] === message[name]);
    if (same && !["undo", "redo"].includes(verb)) this.waiting.pop();
    this.waiting.push(message);
    this.pump();
  },
  pump() {
    if (this.flying || !this.waiting.length) return;
    this.flying = { ...this.waiting.shift(), view: this.view, id: ++this.id };
    this.sentAt = performance.now();
    window.parent.postMessage({ skelkin: this.flying }, "*");
    clearTimeout(this.patience);
    this.patience = setTimeout(() => { if (this.known) this.say("Waiting for Python …"); }, 1500);
  },

  // ---- from Python

  receive(reply, buffers) {
    const own = reply.view === this.view && this.flying && reply.id === this.flying.id, asked = own ? this.flying : null;
    if (own) this.flying = null;
    if (own && reply.do === "open") this.open(reply, buffers[0]);
    if (!this.known) { this.pump(); return; }
    this.patch(reply.motion, buffers[0]);
    const idle = !this.flying && !this.waiting.length;
    if (idle) this.take(reply);
    if (reply.panel !== undefined) this.figures(reply, buffers.slice(1));
    if (own) this.answered(asked, reply);
    if (idle && !["open", "figures"].includes(reply.do)) {
      clearTimeout(this.later);
      this.later = setTimeout(() => { this.later = null; this.ask("figures"); }, 150);
    }
    this.pump();
  },
  answered(asked, reply) {
    clearTimeout(this.patience);
    const round = performance.now() - this.sentAt, { rounds } = this;
    Object.assign(rounds, { count: rounds.count + 1, last: round, python: reply.took });
    if (reply.do !== "open") rounds.worst = Math.max(rounds.worst, round);
    if (reply.error) this.say(reply.error, true);
    else if (reply.do !== "figures") this.say(reply.do === "open" ? "" : `Planted in ${reply.took.toFixed(1)} ms`);
  },
  say(text, wrong = false) {
    this.status.textContent = text;
    this.status.classList.toggle("wrong", wrong);
  },

  // Python answers: the page may be edited.
  open(reply, block) {
    const { poses } = figures[0], { parents, ends } = figures[0].motion;
    const motion = { frames: poses.frames, parents, ends, matrices: new Float32Array(block) };
    figures[0].poses = new Motion({ motion, numJoints: figures[0].numJoints, numPoints: figures[0].numPoints, fps: figures[0].fps });
    this.changed();
    if (this.known) return;
    this.known = true;
    handles.make(reply.legs, (one, point) => this.ask(one.what, { leg: one.key, frame: shownFrame(), point }),
      (one) => this.ask("clear", { leg: one.key, frame: shownFrame(), what: one.what }));
    handles.done = () => { if (!this.flying && !this.waiting.length) handles.settle(); };
    this.takeOver();
    editor.turn(true);
  },
  // Contacts are checked and shown here at once; Python has the last word, and the history.
  takeOver() {
    const set = contacts.set.bind(contacts), text = contacts.text.bind(contacts);
    Object.assign(contacts, {
      set: (value) => { set(value); this.ask("contacts", { contacts: contacts.get() }); },
      change: (key, index, span) => {
        const spans = contacts.of(key).map((one) => [...one]), same = span && String(spans[index]) === String(span);
        if (same && !this.previewed) return;
        this.previewed = false;
        spans.splice(index, 1, ...(span ? [span] : []));
        if (!same) contacts.take(new Map([...contacts.now, [key, spans]]));
        this.ask("contact", { leg: key, index, span });
      },
      preview: (key, index, span) => { this.previewed = true; this.ask("contact", { leg: key, index, span }); },
      undo: () => this.ask("undo"),
      redo: () => this.ask("redo"),
      text: () => JSON.stringify({ ...JSON.parse(text()), contacts: this.given }) + "\n",
    });
    $("edit").textContent = "Edit";
    $("edit").title = "Edit contacts, feet and knees (E)";
    editor.usual = `Drag circles (feet), diamonds (knees), ${editor.usual.slice(5)}`;
    $("hint").before(this.status);
  },

  patch({ first, frames, joints }, block) {
    if (!frames) return;
    const { matrices, count } = figures[0].poses, values = new Float32Array(block), wide = joints.length * 12;
    for (let f = 0; f < frames; f++) joints.forEach((joint, k) => {
      const from = f * wide + k * 12;
      matrices.set(values.subarray(from, from + 12), ((first + f) * count + joint) * 12);
    });
    this.changed();
  },
  // All that was made of the motion is made again.
  changed() {
    const [figure] = figures, { poses } = figure, body = scene && scene.bodies && scene.bodies.get(figure);
    poses.frame = -1;
    figure.paths.forEach((path, k) => {
      const joint = figure.trails[k];
      for (let f = 0; f < poses.frames; f++) for (let c = 0; c < 3; c++)
        path[f * 3 + c] = poses.matrices[(f * poses.count + joint) * 12 + 4 * c + 3];
      if (body) body.trails[k].replace(path);
    });
    if (body) body.frame = -1;
    dirty = true;
  },
  take(reply) {
    handles.level = reply.level;
    this.given = reply.given;
    if (!handles.held) handles.settle();
    contacts.done.length = Number(reply.undo);
    contacts.undone.length = Number(reply.redo);
    const held = document.querySelector(".contact:active"), now = JSON.stringify(contacts.get());
    if (!held && JSON.stringify(reply.contacts) !== now) {
      const { chosen } = editor, focused = chosen && document.activeElement.dataset.contact;
      contacts.take(new Map(Object.entries(reply.contacts)));
      if (focused) editor.focus(chosen.key, Math.min(chosen.index, contacts.of(chosen.key).length - 1), chosen.part);
    }
    this.marks(reply);
    editor.paint();
  },
  // Frames in which a foot or a knee was put somewhere by hand, in the timeline.
  marks({ targets, poles }) {
    const key = JSON.stringify([targets, poles]);
    if (key === this.marked) return;
    this.marked = key;
    for (const [foot, { bar }] of lanes) {
      bar.querySelectorAll(".mark").forEach((mark) => mark.remove());
      for (const [kind, frames] of [["foot", targets[foot.key] || []], ["pole", poles[foot.key] || []]]) for (const frame of frames) {
        const mark = document.createElement("i");
        mark.className = `mark ${kind}`;
        mark.style.left = `${100 * frame / lastFrame}%`;
        mark.title = `${kind === "foot" ? "ankle" : "knee"} moved by hand in frame ${frame}`;
        bar.append(mark);
      }
    }
  },
  figures(reply, curves) {
    data.feet.forEach((foot, k) => { foot.heights[0] = new Float32Array(curves[k]); });
    const level = heightScale();
    for (const [foot, { bar }] of lanes) bar.querySelector("svg").replaceWith(curvesOf(foot, level));
    const open = [...$("panel").querySelectorAll("details")].map((one) => one.open);
    $("panel").innerHTML = reply.panel;
    $("panel").querySelectorAll("details").forEach((one, k) => { one.open = Boolean(open[k]); });
    if (reply.by_hand) {
      const note = document.createElement("p");
      note.className = "sub";
      note.textContent = "These figures are of planting alone: feet and knees that were moved by hand are not counted.";
      $("panel").querySelector("h1").after(note);
    }
    watchRows();
  },

  // ---- the frame that is shown

  go(frame) {
    if (state.playing || frame === shownFrame()) return;
    goTo(frame);
    this.frame = shownFrame();
  },
  watchFrame() {
    requestAnimationFrame(() => this.watchFrame());
    if (state.playing || this.frame === shownFrame()) return;
    this.frame = shownFrame();
    window.parent.postMessage({ skelkin: { do: "frame", frame: this.frame } }, "*");
  },
};
live.start();
