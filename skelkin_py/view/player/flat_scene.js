// SPDX-License-Identifier: MIT
// The drawing without a graphics card: bones, ground and trails as lines on a plain canvas, from the same camera.

class FlatScene {
  constructor(canvas, data, figures) {
    const pen = canvas.getContext("2d");
    if (!pen) throw new Error("no canvas");
    Object.assign(this, { canvas, data, pen, figures });
  }

  draw({ frame, camera, show, colors, solid, ghost }) {
    const { pen, canvas } = this;
    this.view = matrix.lookAt(camera.eye, camera.target, [0, 1, 0]);
    this.focal = 1 / Math.tan(camera.fov / 2);
    this.near = camera.distance * 0.02;
    this.dot = Math.max(canvas.width / Math.max(canvas.clientWidth, 1), 1);
    pen.globalAlpha = 1;
    pen.fillStyle = css(colors.background);
    pen.fillRect(0, 0, canvas.width, canvas.height);
    pen.lineCap = pen.lineJoin = "round";
    if (show.ground && this.data.ground) this.drawGround(colors, camera);
    const shown = [...(ghost ? [ghost] : []), ...solid].filter((figure) => show[figure.key]);
    const points = new Map(shown.map((figure) => [figure, figure.poseAt(frame).joints]));
    if (!this.data.ground || !this.data.ground.slab) for (const [figure, joints] of points) this.drawShadow(figure, joints, colors);
    if (show.trails) for (const figure of shown) figure.paths.forEach((path, foot) => {
      pen.globalAlpha = 0.8;
      this.line(path, css(trailColor(figure, foot, colors)), 1.5, ...figure.trailAt(frame));
    });
    for (const [figure, joints] of points) {
      pen.globalAlpha = figure === ghost && shown.length > 1 ? 0.5 : 1;
      this.drawBones(figure, joints, frame, colors);
    }
    pen.globalAlpha = 1;
  }

  // Where a point is seen: x, y, and how many pixels a unit of length has there; nothing behind the eye.
  seen(x, y, z) {
    const m = this.view, { width, height } = this.canvas;
    const depth = -(m[2] * x + m[6] * y + m[10] * z + m[14]);
    if (depth < this.near) return null;
    const scale = this.focal * height / 2 / depth;
    return [width / 2 + scale * (m[0] * x + m[4] * y + m[8] * z + m[12]),
      height / 2 - scale * (m[1] * x + m[5] * y + m[9] * z + m[13]), scale, depth];
  }

  line(points, style, wide, from = 0, count = points.length / 3, stride = 1) {
    const { pen } = this;
    let open = false;
    pen.beginPath();
    for (let k = 0; k < count; k++) {
      const o = (from + k * stride) * 3, at = this.seen(points[o], points[o + 1], points[o + 2]);
      if (at) pen[open ? "lineTo" : "moveTo"](at[0], at[1]);
      open = Boolean(at);
    }
    pen.strokeStyle = style;
    pen.lineWidth = wide * this.dot;
    pen.stroke();
  }

  drawGround(colors, camera) {
    const { ground, gridStep } = this.data, style = css(colors.grid), { pen } = this;
    pen.globalAlpha = 0.45;
    if (ground.slab) {  // the lines of its mesh, at most thirty each way
      const [rows, columns] = ground.lines;
      for (let r = 0; r < rows; r += Math.ceil(rows / 30)) this.line(ground.points, style, 1, r * columns, columns);
      for (let c = 0; c < columns; c += Math.ceil(columns / 30)) this.line(ground.points, style, 1, c, rows, columns);
      return;
    }
    const [x, z, wide, deep] = ground.extent, step = gridStep * Math.ceil(Math.max(wide, deep) / gridStep / 40);
    const cut = (length) => 24 + Math.ceil(length / step);  // in pieces, since a part may lie behind the eye
    const put = (a, b, fixed, along) => {
      const count = cut(b - a), out = new Float32Array(count * 3);
      for (let k = 0; k < count; k++) out.set(along(a + (b - a) * k / (count - 1), fixed), k * 3);
      this.line(out, style, 1);
    };
    for (let at = Math.ceil((x - wide) / step) * step; at <= x + wide; at += step) put(z - deep, z + deep, at, (v, f) => [f, ground.low, v]);
    for (let at = Math.ceil((z - deep) / step) * step; at <= z + deep; at += step) put(x - wide, x + wide, at, (v, f) => [v, ground.low, f]);
  }

  drawShadow({ bones }, joints, colors) {
    const { size, ground, floor } = this.data, level = ground ? ground.low : floor;
    this.pen.globalAlpha = 0.14;
    for (const [a, b] of bones) {
      const on = new Float32Array(6);
      [a, b].forEach((p, k) => {
        const high = joints[p * 3 + 1] - level;
        on.set([joints[p * 3] - 0.42 * high, level, joints[p * 3 + 2] - 0.3 * high], k * 3);
      });
      const at = this.seen(on[0], on[1], on[2]);
      if (at) this.line(on, css(colors.bone), Math.max(0.02 * size * at[2] / this.dot, 1));
    }
  }

  drawBones(figure, joints, frame, colors) {
    const { pen } = this, { size, legend } = this.data, base = colors[figure.key];
    const steps = figure.values && figure.values.ofJoints ? figure.stepsAt(frame) : null;
    const at = (p) => this.seen(joints[p * 3], joints[p * 3 + 1], joints[p * 3 + 2]);
    const list = figure.bones.map(([a, b]) => [at(a), at(b), a]).filter(([a, b]) => a && b);
    list.sort((p, q) => q[0][3] + q[1][3] - p[0][3] - p[1][3]);
    const dark = base.map((c) => c * 0.55);
    for (const [a, b, joint] of list) {
      const own = steps && steps[joint] ? [0, 1, 2].map((c) => legend.map[(Math.round((steps[joint] - 1) / 254 * 255)) * 3 + c] / 255) : base;
      const wide = Math.min(Math.max(0.026 * size * a[2], 2.5 * this.dot), 40 * this.dot);
      for (const [style, more] of [[dark, 2 * this.dot], [own, 0]]) {  // an outline, so that it is seen on any ground
        pen.beginPath();
        pen.moveTo(a[0], a[1]);
        pen.lineTo(b[0], b[1]);
        pen.strokeStyle = css(style);
        pen.lineWidth = wide + more;
        pen.stroke();
      }
    }
  }
}

function css(color) { return `rgb(${color.map((c) => Math.round(c * 255)).join(" ")})`; }
