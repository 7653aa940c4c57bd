// SPDX-License-Identifier: MIT
// Handles over the picture: a circle at each ankle, a diamond before each knee. They are dragged by mouse or finger, and
// moved by arrow keys; Delete takes back what they did in the frame that is shown.

const handles = {
  all: [], held: null, level: false,

  // `legs` is a list of {key, chain: [upper, lower, end]}; `moved` is called with a handle and a point, `cleared` with a handle.
  make(legs, moved, cleared) {
    Object.assign(this, { moved, cleared });
    const box = document.createElement("div");
    box.id = "handles";
    this.lines = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    this.lines.setAttribute("aria-hidden", "true");
    box.append(this.lines);
    legs.forEach(({ key, chain }, k) => {
      const name = data.feet.find((foot) => foot.key === key)?.name || key;
      for (const what of ["pole", "foot"]) box.append(this.handle({ key, chain, what, name, color: k % 2 ? "right" : "left" }));
    });
    $("stage").append(box);
    this.paint();
  },

  handle({ key, chain, what, name, color }) {
    const button = document.createElement("button"), line = document.createElementNS("http://www.w3.org/2000/svg", "line");
    const one = { key, chain, what, button, line, wanted: null, ahead: null, at: null };
    button.type = "button";
    button.className = `handle ${what}`;
    button.dataset.handle = `${key} ${what}`;
    for (const element of [button, line]) element.style.setProperty("--foot", `var(--${color})`);
    button.setAttribute("aria-label", `${name}, ${what === "foot" ? "ankle" : "knee"}`);
    button.title = what === "foot" ? `${name}: drag the ankle` : `${name}: drag to turn the knee`;
    button.addEventListener("pointerdown", (e) => this.drag(e, one));
    button.addEventListener("keydown", (e) => this.key(e, one));
    this.lines.append(line);
    this.all.push(one);
    return button;
  },

  // Where things are seen: the camera's axes, and the picture's size.
  look() {
    const view = $("view"), { eye, target, fov } = cameraNow(), back = vector.unit(vector.sub(eye, target));
    const right = vector.unit(vector.cross([0, 1, 0], back)), up = vector.cross(back, right);
    const width = view.clientWidth, height = view.clientHeight;
    return { eye, back, right, up, width, height, scale: height / 2 / Math.tan(fov / 2) };
  },
  seen(point, { eye, back, right, up, width, height, scale }) {
    const way = vector.sub(point, eye), deep = -vector.dot(way, back);
    if (deep < 1e-3 * data.size) return null;
    return [width / 2 + scale * vector.dot(way, right) / deep, height / 2 - scale * vector.dot(way, up) / deep];
  },
  // The point of a plane that is seen at a place; null where they do not meet in front of the eye.
  under([x, y], { eye, back, right, up, width, height, scale }, through, normal) {
    const ray = vector.add(vector.add(vector.add([0, 0, 0], right, (x - width / 2) / scale), up, (height / 2 - y) / scale), back, -1);
    const slope = vector.dot(ray, normal), far = vector.dot(vector.sub(through, eye), normal) / slope;
    return Math.abs(slope) > 1e-6 && far > 0 ? vector.add(eye, ray, far) : null;
  },

  joint(index) {
    const { joints } = figures[0].poseAt(state.frame);
    return [joints[index * 3], joints[index * 3 + 1], joints[index * 3 + 2]];
  },
  // The knee, and the point before it that it looks at.
  knee(one) {
    const [hip, knee, end] = one.chain.map((joint) => this.joint(joint)), axis = vector.unit(vector.sub(end, hip));
    const way = vector.sub(knee, hip), across = vector.add(way, axis, -vector.dot(way, axis));
    if (Math.hypot(...across) > 1e-3 * data.size) one.ahead = vector.unit(across);
    else one.ahead = one.ahead || [Math.sin(data.heading), 0, Math.cos(data.heading)];  // a straight leg looks where it did
    return { knee, pole: vector.add(knee, one.ahead, 0.14 * data.size) };
  },
  place(one) { return one.what === "foot" ? this.joint(one.chain[2]) : this.knee(one).pole; },

  // In every frame: handles go with the joints.
  paint() {
    requestAnimationFrame(() => this.paint());
    const on = editor.on && show[figures[0].key], box = this.lines.parentElement;
    if (box.hidden === on) box.hidden = !on;
    if (!on) return;
    const looks = this.look();
    for (const one of this.all) {
      const from = one.what === "foot" ? this.joint(one.chain[2]) : this.knee(one).knee;
      const a = this.seen(from, looks), b = this.seen(one.wanted || this.place(one), looks), there = Boolean(a && b);
      one.at = b;
      const now = there ? `${a.map((x) => x.toFixed(1))} ${b.map((x) => x.toFixed(1))}` : "";
      if (one.painted === now) continue;
      one.painted = now;
      one.button.hidden = !there;
      one.line.style.display = there ? "" : "none";
      if (!there) continue;
      one.button.style.translate = `${b[0].toFixed(1)}px ${b[1].toFixed(1)}px`;
      [["x1", a[0]], ["y1", a[1]], ["x2", b[0]], ["y2", b[1]]].forEach(([name, value]) => one.line.setAttribute(name, value.toFixed(1)));
    }
  },

  stands(one) {
    const frame = shownFrame();
    return contacts.of(one.key).some(([a, b]) => frame >= a && frame <= b);
  },
  // Whether a foot is moved over the ground and not through the air.
  slides(one) { return one.what === "foot" && this.level && this.stands(one); },

  hold(one) {
    setPlaying(false);
    setFrame(shownFrame());
    return one.wanted || this.place(one);
  },
  take(one, point) {
    one.wanted = point;
    this.moved(one, point);
  },
  // What is not dragged any more is where its joint is.
  settle() { for (const one of this.all) if (one !== this.held) one.wanted = null; },

  drag(e, one) {
    if (e.button !== 0 || this.held) return;
    e.preventDefault();
    const { button } = one, start = this.hold(one), slides = this.slides(one), box = $("view").getBoundingClientRect();
    const at = this.seen(start, this.look());
    if (!at) return;
    button.focus();
    button.setPointerCapture(e.pointerId);
    button.classList.add("held");
    this.held = one;
    const grab = [e.clientX - box.left - at[0], e.clientY - box.top - at[1]];
    const move = (now) => {
      const place = [now.clientX - box.left - grab[0], now.clientY - box.top - grab[1]], looks = this.look();
      const flat = slides && Math.abs(looks.back[1]) > 0.12;  // from the side the ground is a line: it is moved along it
      const point = this.under(place, looks, start, flat ? [0, 1, 0] : looks.back);
      if (!point) return;
      if (slides) point[1] = start[1];
      const way = vector.sub(point, start), far = Math.hypot(...way) / (2 * data.size);
      this.take(one, far > 1 ? vector.add(start, way, 1 / far) : point);
    };
    const end = () => {
      button.removeEventListener("pointermove", move);
      button.classList.remove("held");
      this.held = null;
      this.done();
    };
    button.addEventListener("pointermove", move);
    button.addEventListener("lostpointercapture", end, { once: true });
  },
  done() {},

  key(e, one) {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Delete" || e.key === "Backspace") {
      setPlaying(false);
      this.cleared(one);
    } else {
      const { right, back } = this.look(), flat = this.slides(one);
      const away = flat ? vector.unit([-back[0], 0, -back[2]]) : [0, 1, 0];
      const way = { ArrowLeft: [right, -1], ArrowRight: [right, 1], ArrowUp: [away, 1], ArrowDown: [away, -1] }[e.key];
      if (!way) return;
      this.take(one, vector.add(this.hold(one), way[0], way[1] * (e.shiftKey ? 0.03 : 0.006) * data.size));
    }
    e.preventDefault();
    e.stopPropagation();
  },
};
