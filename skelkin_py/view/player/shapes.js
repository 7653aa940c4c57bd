// SPDX-License-Identifier: MIT
// Bones and balls as triangles: positions and normals, six numbers a corner.

// A bone: an octahedron from 0 to 1 along y, widest at 0.18, with flat normals.
function boneShape() {
  const ring = [[1, 0.18, 0], [0, 0.18, 1], [-1, 0.18, 0], [0, 0.18, -1]], out = [];
  const face = (a, b, c) => {
    const n = vector.unit(vector.cross(vector.sub(b, a), vector.sub(c, a)));
    for (const p of [a, b, c]) out.push(...p, ...n);
  };
  for (let k = 0; k < 4; k++) {
    face(ring[k], [0, 0, 0], ring[(k + 1) % 4].slice());
    face(ring[k], ring[(k + 1) % 4], [0, 1, 0]);
  }
  for (let k = 0; k < out.length; k += 18) {  // outward, whichever way the ring was walked
    const middle = [0, 1, 2].map((c) => (out[k + c] + out[k + 6 + c] + out[k + 12 + c]) / 3);
    const n = out.slice(k + 3, k + 6), way = vector.dot(n, vector.sub(middle, [0, 0.3, 0]));
    if (way < 0) for (const v of [0, 6, 12]) for (const c of [3, 4, 5]) out[k + v + c] *= -1;
  }
  return new Float32Array(out);
}

function ballShape(rings = 8, sides = 12) {
  const at = (i, j) => {
    const a = Math.PI * i / rings, b = 2 * Math.PI * j / sides;
    return [Math.sin(a) * Math.cos(b), Math.cos(a), Math.sin(a) * Math.sin(b)];
  };
  const out = [];
  for (let i = 0; i < rings; i++) for (let j = 0; j < sides; j++)
    for (const [k, l] of [[i, j], [i + 1, j], [i + 1, j + 1], [i, j], [i + 1, j + 1], [i, j + 1]])
      out.push(...at(k, l), ...at(k, l));
  return new Float32Array(out);
}
