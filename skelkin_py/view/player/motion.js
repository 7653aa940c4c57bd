// SPDX-License-Identifier: MIT
// Poses of one clip, also between two frames: rotations unpacked, positions worked out from parents to children.

const OTHERS = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

class Motion {
  constructor({ motion, numJoints, numPoints, fps }) {
    Object.assign(this, motion);
    Object.assign(this, { count: numJoints, fps, frame: -1 });
    this.joints = new Float32Array(numPoints * 3);  // positions of joints, then of end sites
    this.turns = this.points || this.near ? null : new Float32Array(numJoints * 9);  // rows of what rotates and scales
    this.moves = new Map((this.moving || []).map((one) => [one.joint, one]));
    this.paths = new Map((this.roots || []).map((one) => [one.joint, one.path]));
    this.low = new Float32Array(numJoints * 4);
    this.high = new Float32Array(numJoints * 4);
  }

  // The frame of this clip at a moment; a clip that is over holds its last one.
  frameAt(seconds) { return Math.min(seconds * this.fps, this.frames - 1); }

  pose(frame) {
    if (frame === this.frame) return this;
    this.frame = frame;
    const low = Math.floor(frame), high = Math.min(low + 1, this.frames - 1), t = frame - low;
    if (this.points) this.mix(this.points, this.joints, this.joints.length, low, high, t);
    else if (this.near) this.unpackPoints(low, high, t);
    else if (this.matrices) this.unpackMatrices(low, high, t);
    else this.follow(low, high, t);
    if (this.turns) this.placeEnds();
    return this;
  }

  mix(array, out, width, low, high, t) {
    const a = low * width, b = high * width;
    for (let k = 0; k < width; k++) out[k] = array[a + k] + t * (array[b + k] - array[a + k]);
  }

  unpackPoints(frame, next, t) {
    const { path, low, step, values } = this.near, out = this.joints, a = frame * out.length, b = next * out.length;
    for (let k = 0; k < out.length; k++) {
      const c = k % 3, from = path[frame * 3 + c] + step[c] * values[a + k], to = path[next * 3 + c] + step[c] * values[b + k];
      out[k] = low[c] + from + t * (to - from);
    }
  }

  unpackMatrices(low, high, t) {
    this.rows = this.rows || new Float32Array(this.count * 12);
    this.mix(this.matrices, this.rows, this.count * 12, low, high, t);
    for (let j = 0; j < this.count; j++) for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) this.turns[j * 9 + r * 3 + c] = this.rows[j * 12 + r * 4 + c];
      this.joints[j * 3 + r] = this.rows[j * 12 + r * 4 + 3];
    }
  }

  quaternions(frame, out) {
    const { rotations, more } = this, scale = 2 * Math.SQRT1_2 / (2 ** 18 - 1);
    for (let j = 0; j < this.count; j++) {
      const at = frame * this.count + j, left = more[at] & 3, others = OTHERS[left];
      let rest = 1;
      for (let k = 0; k < 3; k++) {
        const x = (rotations[at * 3 + k] * 4 + ((more[at] >> (2 + 2 * k)) & 3)) * scale - Math.SQRT1_2;
        out[j * 4 + others[k]] = x;
        rest -= x * x;
      }
      out[j * 4 + left] = Math.sqrt(Math.max(rest, 0));
    }
  }

  follow(low, high, t) {
    const a = this.low, b = this.high;
    this.quaternions(low, a);
    if (t > 0) this.quaternions(high, b);
    for (let j = 0; j < this.count; j++) {
      let w = a[j * 4], x = a[j * 4 + 1], y = a[j * 4 + 2], z = a[j * 4 + 3];
      if (t > 0) {
        const dot = w * b[j * 4] + x * b[j * 4 + 1] + y * b[j * 4 + 2] + z * b[j * 4 + 3], s = dot < 0 ? -t : t;
        w = (1 - t) * w + s * b[j * 4];
        x = (1 - t) * x + s * b[j * 4 + 1];
        y = (1 - t) * y + s * b[j * 4 + 2];
        z = (1 - t) * z + s * b[j * 4 + 3];
        const n = 1 / Math.hypot(w, x, y, z);
        w *= n; x *= n; y *= n; z *= n;
      }
      this.turn(j, w, x, y, z);
      this.place(j, low, high, t);
    }
  }

  turn(j, w, x, y, z) {
    const m = this.turns, o = j * 9;
    const [sx, sy, sz] = this.scales ? this.scales.subarray(j * 3, j * 3 + 3) : [1, 1, 1];
    m[o] = sx * (1 - 2 * (y * y + z * z)); m[o + 1] = sy * 2 * (x * y - w * z); m[o + 2] = sz * 2 * (x * z + w * y);
    m[o + 3] = sx * 2 * (x * y + w * z); m[o + 4] = sy * (1 - 2 * (x * x + z * z)); m[o + 5] = sz * 2 * (y * z - w * x);
    m[o + 6] = sx * 2 * (x * z - w * y); m[o + 7] = sy * 2 * (y * z + w * x); m[o + 8] = sz * (1 - 2 * (x * x + y * y));
  }

  place(j, low, high, t) {
    const parent = this.parents[j], out = this.joints, path = this.paths.get(j);
    if (path) {
      for (let k = 0; k < 3; k++) out[j * 3 + k] = path[low * 3 + k] + t * (path[high * 3 + k] - path[low * 3 + k]);
      return;
    }
    const moving = this.moves.get(j);
    const at = (k) => {
      if (!moving) return this.offsets[j * 3 + k];
      const a = moving.values[low * 3 + k], b = moving.values[high * 3 + k];
      return moving.low[k] + moving.step[k] * (a + t * (b - a));
    };
    this.put(j, parent, at(0), at(1), at(2));
  }

  put(point, parent, x, y, z) {
    const m = this.turns, o = parent * 9, out = this.joints;
    for (let r = 0; r < 3; r++)
      out[point * 3 + r] = out[parent * 3 + r] + m[o + r * 3] * x + m[o + r * 3 + 1] * y + m[o + r * 3 + 2] * z;
  }

  placeEnds() { this.ends.forEach(([joint, [x, y, z]], k) => this.put(this.count + k, joint, x, y, z)); }

  // Skinning matrices of a mesh, four texels a joint: three rows, then the joint's value.
  skinRows(mesh, joints, values, out) {
    const m = this.turns, p = this.joints, inverse = mesh.inverseBind;
    for (let k = 0; k < joints.length; k++) {
      const j = joints[k], b = k * 12;
      for (let r = 0; r < 3; r++) {
        const x = m[j * 9 + r * 3], y = m[j * 9 + r * 3 + 1], z = m[j * 9 + r * 3 + 2];
        for (let c = 0; c < 4; c++) out[k * 16 + r * 4 + c] = x * inverse[b + c] + y * inverse[b + 4 + c] + z * inverse[b + 8 + c];
        out[k * 16 + r * 4 + 3] += p[j * 3 + r];
      }
      out[k * 16 + 12] = values ? values[j] / 255 : 0;
    }
  }

  // The path of one joint over all frames.
  trail(joint) {
    const out = new Float32Array(this.frames * 3);
    for (let f = 0; f < this.frames; f++) out.set(this.pose(f).joints.subarray(joint * 3, joint * 3 + 3), f * 3);
    return out;
  }
}

for (const figure of figures) {
  const { values } = figure;
  figure.poses = new Motion(figure);
  figure.skin = figure.mesh === null ? null : data.meshes[figure.mesh];
  figure.paths = figure.trails.map((joint) => figure.poses.trail(joint));
  figure.poseAt = (frame) => figure.poses.pose(figure.poses.frameAt(frame / data.fps));
  figure.trailAt = (frame) => {  // the first frame of its trails, and how many
    const { frames, fps } = figure.poses, at = figure.poses.frameAt(frame / data.fps);
    const first = Math.max(Math.round(at - TRAIL[0] * fps), 0), last = Math.min(Math.round(at + TRAIL[1] * fps), frames - 1);
    return [first, last - first + 1];
  };
  const width = values ? values.steps.length / values.frames : 0;
  figure.stepsAt = (frame) => {  // of joints or vertices, 0 for none
    if (!values) return null;
    const f = values.frames > 1 ? Math.floor(figure.poses.frameAt(frame / data.fps) + 1e-6) : 0;
    return values.steps.subarray(f * width, (f + 1) * width);
  };
}
