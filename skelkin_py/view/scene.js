// SPDX-License-Identifier: MIT
// The drawing half of the player: WebGL 2, no libraries. Y is up; lengths are the clip's own, scaled by `size`.

const SURFACE_VERTEX = `#version 300 es
precision highp float;
layout(location=0) in vec3 position;
layout(location=1) in vec3 normal;
layout(location=2) in uvec4 joints;
layout(location=3) in vec4 weights;
layout(location=4) in vec2 foot;
layout(location=5) in vec3 boneStart;
layout(location=6) in vec3 boneEnd;
layout(location=7) in float boneWidth;
uniform int mode;                      // 0 as it is, 1 skinned, 2 one bone per instance, 3 one ball per instance
uniform mat4 viewProjection, lightProjection;
uniform highp sampler2D bones;         // rows of the skinning matrices of this frame
uniform vec4 feet[4];
out vec3 vPosition, vNormal, vLight;
out vec4 vTint;
vec3 skin(vec4 p) {
  vec3 sum = vec3(0.0);
  for (int k = 0; k < 4; k++) {
    int j = int(joints[k]) * 3;
    sum += weights[k] * vec3(dot(texelFetch(bones, ivec2(j, 0), 0), p),
      dot(texelFetch(bones, ivec2(j + 1, 0), 0), p), dot(texelFetch(bones, ivec2(j + 2, 0), 0), p));
  }
  return sum;
}
void main() {
  vec3 p = position, n = normal;
  vTint = vec4(0.0);
  if (mode == 1) {
    p = skin(vec4(position, 1.0));
    n = skin(vec4(normal, 0.0));
    vTint = feet[int(foot.x)] * vec4(1.0, 1.0, 1.0, foot.y);
  } else if (mode == 2) {
    vec3 axis = boneEnd - boneStart;
    vec3 y = length(axis) > 1e-9 ? normalize(axis) : vec3(0.0, 1.0, 0.0);
    vec3 x = normalize(cross(abs(y.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), y));
    vec3 z = cross(x, y);
    p = boneStart + x * position.x * boneWidth + axis * position.y + z * position.z * boneWidth;
    n = x * normal.x + y * normal.y * boneWidth / max(length(axis), 1e-9) + z * normal.z;
  } else if (mode == 3) p = boneStart + position * boneWidth;
  vPosition = p;
  vNormal = n;
  vec4 l = lightProjection * vec4(p, 1.0);
  vLight = l.xyz * 0.5 + 0.5;
  gl_Position = viewProjection * vec4(p, 1.0);
}`;

const SURFACE_FRAGMENT = `#version 300 es
precision highp float;
precision highp sampler2DShadow;
in vec3 vPosition, vNormal, vLight;
in vec4 vTint;
uniform sampler2DShadow shadowMap;
uniform vec3 eye, toLight;
uniform vec4 color;
uniform int look;                      // 0 solid, 1 ghost, 2 ground, 3 depth only
uniform vec3 gridColor, background;
uniform vec4 extent;                   // of the ground: centre x z, half widths x z
uniform float gridStep, shadowTexel;
uniform bool slab;                     // the ground ends in walls instead of fading out
out vec4 result;
float lit() {
  if (any(lessThan(vLight, vec3(0.001))) || any(greaterThan(vLight, vec3(0.999)))) return 1.0;
  float sum = 0.0;
  for (int i = -1; i <= 1; i++) for (int j = -1; j <= 1; j++)
    sum += texture(shadowMap, vec3(vLight.xy + vec2(i, j) * shadowTexel * 1.4, vLight.z - 0.0015));
  return sum / 9.0;
}
float grid(float step, float width) {
  vec2 at = vPosition.xz / step, line = abs(fract(at - 0.5) - 0.5) / max(fwidth(at) * width, 1e-6);
  return 1.0 - min(min(line.x, line.y), 1.0);
}
void main() {
  if (look == 3) { result = vec4(0.0); return; }
  vec3 toEye = normalize(eye - vPosition);
  if (look == 2) {
    vec3 n = normalize(cross(dFdx(vPosition), dFdy(vPosition)));
    if (dot(n, toEye) < 0.0) n = -n;  // by the eye: the sign of n.y is noise on walls
    float shade = 0.62 + 0.38 * max(dot(n, toLight), 0.0) / max(toLight.y, 0.2);
    float steep = smoothstep(0.86, 0.55, n.y);
    vec3 c = color.rgb * min(shade, 1.06) * mix(0.60, 1.0, max(lit(), steep)) * mix(1.0, 0.80, steep);
    c = mix(c, gridColor, 0.55 * (1.0 - steep) * grid(gridStep * 5.0, 1.5));
    c = mix(c, gridColor, 0.30 * (1.0 - steep) * grid(gridStep, 1.1));
    if (slab) { result = vec4(c, 1.0); return; }
    vec2 edge = 1.0 - abs(vPosition.xz - extent.xy) / extent.zw;
    float fade = smoothstep(0.0, 0.35, edge.x) * smoothstep(0.0, 0.35, edge.y);
    result = vec4(mix(background, c, fade), 1.0);
    return;
  }
  vec3 n = normalize(vNormal);
  float facing = max(dot(n, toEye), 0.0);
  vec3 base = mix(color.rgb, vTint.rgb, vTint.a);
  if (look == 1) {
    float rim = pow(1.0 - facing, 1.6);
    result = vec4(base, color.a * (0.30 + 0.70 * rim));
    return;
  }
  float key = max(dot(n, toLight), 0.0) * mix(0.45, 1.0, lit());
  float sky = 0.5 + 0.5 * n.y;
  vec3 c = base * (0.34 + 0.26 * sky + 0.50 * key) + 0.10 * pow(1.0 - facing, 3.0);
  c += 0.10 * pow(max(dot(n, normalize(toLight + toEye)), 0.0), 36.0);
  result = vec4(c, color.a);
}`;

const LINE_VERTEX = `#version 300 es
precision highp float;
layout(location=0) in vec2 corner;
layout(location=5) in vec3 start;
layout(location=6) in vec3 end;
uniform mat4 viewProjection;
uniform vec2 viewport;
uniform float width;
void main() {
  vec4 a = viewProjection * vec4(start, 1.0), b = viewProjection * vec4(end, 1.0);
  vec2 d = (b.xy / b.w - a.xy / a.w) * viewport;
  d = length(d) > 1e-6 ? normalize(d) : vec2(1.0, 0.0);
  vec4 p = corner.x < 0.5 ? a : b;
  p.xy += (vec2(-d.y, d.x) * corner.y + d * (corner.x - 0.5)) * width / viewport * p.w;
  p.z -= 0.0004 * p.w;
  gl_Position = p;
}`;
const LINE_FRAGMENT = `#version 300 es
precision highp float;
uniform vec4 color;
out vec4 result;
void main() { result = color; }`;

const matrix = {
  multiply(a, b) {
    const out = new Float32Array(16);
    for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + r] * b[c * 4 + k];
      out[c * 4 + r] = sum;
    }
    return out;
  },
  perspective(fov, aspect, near, far) {
    const f = 1 / Math.tan(fov / 2), d = 1 / (near - far);
    return new Float32Array([f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) * d, -1, 0, 0, 2 * near * far * d, 0]);
  },
  box(half, depth) {
    return new Float32Array([1 / half, 0, 0, 0, 0, 1 / half, 0, 0, 0, 0, -2 / depth, 0, 0, 0, -1, 1]);
  },
  lookAt(eye, target, up) {
    const z = vector.unit(vector.sub(eye, target)), x = vector.unit(vector.cross(up, z)), y = vector.cross(z, x);
    return new Float32Array([x[0], y[0], z[0], 0, x[1], y[1], z[1], 0, x[2], y[2], z[2], 0,
      -vector.dot(x, eye), -vector.dot(y, eye), -vector.dot(z, eye), 1]);
  },
};
const vector = {
  sub: (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]],
  add: (a, b, s = 1) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]],
  dot: (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
  cross: (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]],
  unit(a) { const n = Math.hypot(...a) || 1; return [a[0] / n, a[1] / n, a[2] / n]; },
};

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

class Scene {
  constructor(canvas, data) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, stencil: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("no WebGL 2");
    Object.assign(this, { canvas, data, gl });
    this.surface = this.program(SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.line = this.program(LINE_VERTEX, LINE_FRAGMENT);
    this.instances = gl.createBuffer();
    this.boneMesh = this.solid(boneShape());
    this.ballMesh = this.solid(ballShape());
    this.boneTexture = this.texture();
    if (data.mesh) this.skin = this.skinned(data.mesh);
    if (data.ground) this.ground = this.groundMesh(data.ground);
    this.trails = data.clips.map((clip) => clip.trails.map((points) => this.trail(points)));
    this.shadow = this.shadowTarget(2048);
    this.noShadow = this.shadowTarget(1);  // bound while the shadow itself is drawn
    gl.vertexAttribI4ui(2, 0, 0, 0, 0);    // what meshes without joints give
    this.scratch = new Float32Array(data.names.length * 12);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const at = {};
    for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
      const name = gl.getActiveUniform(program, k).name;
      at[name.replace("[0]", "")] = gl.getUniformLocation(program, name);
    }
    return { program, at };
  }

  attribute(index, array, size, { divisor = 0, stride = 0, offset = 0, buffer = null } = {}) {
    const gl = this.gl;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer || gl.createBuffer());
    if (array) gl.bufferData(gl.ARRAY_BUFFER, array, gl.STATIC_DRAW);
    gl.enableVertexAttribArray(index);
    if (array instanceof Uint16Array) gl.vertexAttribIPointer(index, size, gl.UNSIGNED_SHORT, stride, offset);
    else gl.vertexAttribPointer(index, size, gl.FLOAT, false, stride, offset);
    gl.vertexAttribDivisor(index, divisor);
  }

  solid(array) {
    const gl = this.gl, vao = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(vao);
    this.attribute(0, array, 3, { stride: 24, buffer });
    this.attribute(1, null, 3, { stride: 24, offset: 12, buffer });
    this.attribute(5, null, 3, { stride: 28, divisor: 1, buffer: this.instances });
    this.attribute(6, null, 3, { stride: 28, offset: 12, divisor: 1, buffer: this.instances });
    this.attribute(7, null, 1, { stride: 28, offset: 24, divisor: 1, buffer: this.instances });
    return { vao, count: array.length / 6 };
  }

  indexed(faces) {
    const gl = this.gl;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    return faces.length;
  }

  skinned(mesh) {
    const vao = this.gl.createVertexArray();
    this.gl.bindVertexArray(vao);
    this.attribute(0, mesh.points, 3);
    this.attribute(1, mesh.normals, 3);
    this.attribute(2, mesh.joints, 4);
    this.attribute(3, mesh.weights, 4);
    this.attribute(4, mesh.foot, 2);
    return { vao, count: this.indexed(mesh.faces) };
  }

  groundMesh(ground) {
    const vao = this.gl.createVertexArray();
    this.gl.bindVertexArray(vao);
    this.attribute(0, ground.points, 3);
    return { vao, count: this.indexed(ground.faces) };
  }

  trail(points) {
    const gl = this.gl, vao = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(vao);
    this.attribute(0, new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), 2);
    this.attribute(5, points, 3, { stride: 12, divisor: 1, buffer });
    this.attribute(6, null, 3, { stride: 12, offset: 12, divisor: 1, buffer });
    return { vao, count: points.length / 3 - 1 };
  }

  texture() {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, 1, 1, 0, gl.RGBA, gl.FLOAT, null);
    return texture;
  }

  shadowTarget(size) {
    const gl = this.gl, texture = gl.createTexture(), frame = gl.createFramebuffer();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, size, size);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, texture, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    return { texture, frame, size };
  }

  // Linear mix of two frames of an (F, n) array, into a typed array of n.
  mix(array, width, frame, out) {
    const frames = this.data.frames, low = Math.min(Math.floor(frame), frames - 1), high = Math.min(low + 1, frames - 1);
    const t = frame - low, a = low * width, b = high * width;
    for (let k = 0; k < width; k++) out[k] = array[a + k] + t * (array[b + k] - array[a + k]);
    return out;
  }

  pose(clip, frame) {
    const width = this.data.numPoints * 3;
    return this.mix(clip.points, width, frame, new Float32Array(width));
  }

  uploadBones(clip, frame) {
    const gl = this.gl;
    this.mix(clip.matrices, this.scratch.length, frame, this.scratch);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.boneTexture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, this.scratch.length / 4, 1, 0, gl.RGBA, gl.FLOAT, this.scratch);
  }

  drawSkin() {
    this.gl.uniform1i(this.surface.at.mode, 1);
    this.gl.bindVertexArray(this.skin.vao);
    this.gl.drawElements(this.gl.TRIANGLES, this.skin.count, this.gl.UNSIGNED_INT, 0);
  }

  drawBones(points) {
    const gl = this.gl, { bones, size } = this.data, rows = [];
    const at = (k) => [points[k * 3], points[k * 3 + 1], points[k * 3 + 2]];
    for (const [a, b] of bones) {
      const start = at(a), end = at(b), long = Math.hypot(...vector.sub(end, start));
      rows.push(...start, ...end, Math.min(Math.max(0.09 * long, 0.004 * size), 0.022 * size));
    }
    const draw = (mesh, mode, count) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
      gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(rows), gl.DYNAMIC_DRAW);
      gl.uniform1i(this.surface.at.mode, mode);
      gl.bindVertexArray(mesh.vao);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, mesh.count, count);
    };
    draw(this.boneMesh, 2, bones.length);
    rows.length = 0;
    for (let k = 0; k < this.data.names.length; k++) rows.push(...at(k), ...at(k), 0.0085 * size);
    draw(this.ballMesh, 3, this.data.names.length);
  }

  // camera: {eye, target, fov}; show: the toggles; colors: [r, g, b] each
  draw({ frame, camera, show, colors, contact }) {
    const gl = this.gl, { data, canvas } = this, size = data.size, s = this.surface;
    const [after, before] = data.clips, skin = show.skin && this.skin;
    const poses = [this.pose(after, frame), before && this.pose(before, frame)];
    const view = matrix.lookAt(camera.eye, camera.target, [0, 1, 0]);
    const projection = matrix.perspective(camera.fov, canvas.width / canvas.height, camera.distance * 0.02,
      camera.distance * 4 + 20 * size);
    const toLight = vector.unit([0.42, 1.0, 0.30]);
    const focus = [poses[0][0], data.floor + 0.45 * size, poses[0][2]];
    const light = matrix.multiply(matrix.box(0.95 * size, 4 * size),
      matrix.lookAt(vector.add(focus, toLight, 2 * size), focus, [0, 0, 1]));
    gl.useProgram(s.program);
    gl.uniform1i(s.at.bones, 0);
    gl.uniform1i(s.at.shadowMap, 1);
    gl.uniform3fv(s.at.eye, camera.eye);
    gl.uniform3fv(s.at.toLight, toLight);
    gl.uniform3fv(s.at.background, colors.background);
    gl.uniform3fv(s.at.gridColor, colors.grid);
    gl.uniform1f(s.at.gridStep, data.gridStep);
    gl.uniform1f(s.at.shadowTexel, 1 / this.shadow.size);
    gl.uniformMatrix4fv(s.at.lightProjection, false, light);
    const tints = new Float32Array(16);
    contact.forEach((on, k) => { if (on && k < 3) tints.set([...colors.feet[k % 2], 0.85], (k + 1) * 4); });
    gl.uniform4fv(s.at.feet, tints);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.boneTexture);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    // 1. the shadow of what is solid
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.noShadow.texture);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame);
    gl.viewport(0, 0, this.shadow.size, this.shadow.size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniform1i(s.at.look, 3);
    gl.uniformMatrix4fv(s.at.viewProjection, false, light);
    const caster = show.after ? 0 : before && show.before ? 1 : -1;
    if (caster >= 0) {
      if (skin) { this.uploadBones(data.clips[caster], frame); this.drawSkin(); }
      else if (show.skeleton) this.drawBones(poses[caster]);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
    // 2. the ground, then what is solid
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...colors.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    const world = matrix.multiply(projection, view);
    gl.uniformMatrix4fv(s.at.viewProjection, false, world);
    if (show.ground && this.ground) {
      gl.uniform1i(s.at.mode, 0);
      gl.uniform1i(s.at.look, 2);
      gl.uniform4f(s.at.color, ...colors.ground, 1);
      gl.uniform4fv(s.at.extent, data.ground.extent);
      gl.uniform1i(s.at.slab, data.ground.slab ? 1 : 0);
      gl.bindVertexArray(this.ground.vao);
      gl.drawElements(gl.TRIANGLES, this.ground.count, gl.UNSIGNED_INT, 0);
    }
    if (show.after && (skin || show.skeleton)) {  // the stencil keeps where it is
      gl.uniform1i(s.at.look, 0);
      gl.uniform4f(s.at.color, ...colors.after, 1);
      gl.enable(gl.STENCIL_TEST);
      gl.stencilFunc(gl.ALWAYS, 1, 1);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
      if (skin) { this.uploadBones(after, frame); this.drawSkin(); }
      else this.drawBones(poses[0]);
      gl.disable(gl.STENCIL_TEST);
    }
    if (show.trails) this.drawTrails(world, show, colors);
    gl.useProgram(s.program);
    // 3. the ghost, nowhere over the other figure: its depth first, so that only its front shows
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
    if (before && show.before) {
      gl.uniform4fv(s.at.feet, new Float32Array(16));
      const solid = !show.after, draw = () => (skin ? this.drawSkin() : show.skeleton && this.drawBones(poses[1]));
      if (skin) this.uploadBones(before, frame);
      gl.depthFunc(gl.LEQUAL);
      if (!solid) {
        gl.colorMask(false, false, false, false);
        gl.uniform1i(s.at.look, 3);
        draw();
        gl.colorMask(true, true, true, true);
        gl.enable(gl.STENCIL_TEST);
        gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
        gl.stencilFunc(gl.EQUAL, 0, 1);
      }
      gl.uniform4f(s.at.color, ...colors.before, solid ? 1 : skin ? colors.ghost : 0.6 * colors.ghost);
      gl.uniform1i(s.at.look, solid || !skin ? 0 : 1);  // bones are too thin for the rim look
      draw();
      gl.disable(gl.STENCIL_TEST);
      gl.depthFunc(gl.LESS);
    }
    // 4. bones, seen through the skin
    if (show.skeleton && skin) {
      gl.clear(gl.DEPTH_BUFFER_BIT);
      gl.uniform1i(s.at.look, 0);
      gl.uniform4f(s.at.color, ...colors.bone, 1);
      if (show.after) this.drawBones(poses[0]);
      else if (before && show.before) this.drawBones(poses[1]);
    }
  }

  drawTrails(world, show, colors) {
    const gl = this.gl, l = this.line;
    gl.useProgram(l.program);
    gl.uniformMatrix4fv(l.at.viewProjection, false, world);
    gl.uniform2f(l.at.viewport, this.canvas.width, this.canvas.height);
    gl.uniform1f(l.at.width, 1.7 * Math.max(this.canvas.width / this.canvas.clientWidth, 1));
    this.trails.forEach((feet, which) => feet.forEach((trail, foot) => {
      if (which === 0 ? !show.after : !show.before) return;
      gl.uniform4f(l.at.color, ...(which === 0 ? colors.feet[foot % 2] : colors.before), 1);
      gl.bindVertexArray(trail.vao);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, trail.count);
    }));
  }
}
