// SPDX-License-Identifier: MIT
// The drawing with WebGL 2, no libraries. Y is up; lengths are the clip's own, scaled by `size`.

class Scene {
  constructor(canvas, data, figures) {
    const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, stencil: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error("no WebGL 2");
    Object.assign(this, { canvas, data, gl });
    this.surface = this.program(SURFACE_VERTEX, SURFACE_FRAGMENT);
    this.line = this.program(LINE_VERTEX, LINE_FRAGMENT);
    this.instances = gl.createBuffer();
    this.boneMesh = this.solid(boneShape());
    this.ballMesh = this.solid(ballShape());
    this.noBones = this.texture();  // the shader wants one, also where nothing is skinned
    this.colorMap = this.mapTexture(data.legend ? data.legend.map : new Uint8Array(3));
    if (data.ground) this.ground = this.groundMesh(data.ground);
    this.bodies = new Map(figures.map((figure) => [figure, this.body(figure)]));
    this.shadow = this.shadowTarget(2048);
    this.noShadow = this.shadowTarget(1);  // bound while the shadow itself is drawn
    for (const place of [2, 8]) gl.vertexAttribI4ui(place, 0, 0, 0, 0);  // what meshes without joints give
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

  attribute(index, array, size, { divisor = 0, stride = 0, offset = 0, buffer = null, usage = this.gl.STATIC_DRAW } = {}) {
    const gl = this.gl, made = buffer || gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, made);
    if (array) gl.bufferData(gl.ARRAY_BUFFER, array, usage);
    gl.enableVertexAttribArray(index);
    const whole = { 2: gl.UNSIGNED_SHORT, 1: gl.UNSIGNED_BYTE }[array && array.BYTES_PER_ELEMENT];
    if (index === 2 || index === 8) gl.vertexAttribIPointer(index, size, whole, stride, offset);
    else gl.vertexAttribPointer(index, size, whole || gl.FLOAT, Boolean(whole), stride, offset);
    gl.vertexAttribDivisor(index, divisor);
    return made;
  }

  solid(array) {
    const gl = this.gl, vao = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(vao);
    this.attribute(0, array, 3, { stride: 24, buffer });
    this.attribute(1, null, 3, { stride: 24, offset: 12, buffer });
    this.attribute(5, null, 3, { stride: 32, divisor: 1, buffer: this.instances });
    this.attribute(6, null, 3, { stride: 32, offset: 12, divisor: 1, buffer: this.instances });
    this.attribute(7, null, 2, { stride: 32, offset: 24, divisor: 1, buffer: this.instances });
    return { vao, count: array.length / 6 };
  }

  indexed(faces) {
    const gl = this.gl;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, faces, gl.STATIC_DRAW);
    return { count: faces.length, type: faces.BYTES_PER_ELEMENT === 2 ? gl.UNSIGNED_SHORT : gl.UNSIGNED_INT };
  }

  // What is kept on the graphics card of one figure.
  body(figure) {
    const body = { trails: figure.paths.map((points) => this.trail(points)), frame: -1, steps: null };
    if (!figure.skin) return body;
    body.texture = this.texture();
    body.rows = new Float32Array(figure.meshJoints.length * 16);
    return Object.assign(body, this.skinned(figure.skin, figure.values && !figure.values.ofJoints));
  }

  skinned(mesh, colored) {
    const gl = this.gl, vao = gl.createVertexArray(), count = mesh.foot.length, wide = mesh.influences;
    const points = new Float32Array(count * 3), normals = new Float32Array(count * 3);
    for (let k = 0; k < points.length; k++) {
      points[k] = mesh.low[k % 3] + mesh.step[k % 3] * mesh.points[k];
      normals[k] = mesh.normals[k] / 127;
    }
    const foot = new Float32Array(count * 2);
    for (let k = 0; k < count; k++) foot.set([mesh.foot[k], mesh.footShare[k] / 255], k * 2);
    gl.bindVertexArray(vao);
    this.attribute(0, points, 3);
    this.attribute(1, normals, 3);
    this.attribute(4, foot, 2);
    const joints = this.attribute(2, mesh.joints, 4, { stride: wide * mesh.joints.BYTES_PER_ELEMENT });
    const weights = this.attribute(3, mesh.weights, 4, { stride: wide * 2 });
    if (wide > 4) {
      this.attribute(8, mesh.joints, 4, { stride: wide * mesh.joints.BYTES_PER_ELEMENT, offset: 4 * mesh.joints.BYTES_PER_ELEMENT, buffer: joints });
      this.attribute(9, mesh.weights, 4, { stride: wide * 2, offset: 8, buffer: weights });
    }
    const values = colored ? this.attribute(10, new Uint8Array(count), 1, { usage: gl.DYNAMIC_DRAW }) : null;
    return { vao, values, eight: wide > 4, ...this.indexed(mesh.faces) };
  }

  groundMesh(ground) {
    const vao = this.gl.createVertexArray();
    this.gl.bindVertexArray(vao);
    this.attribute(0, ground.points, 3);
    return { vao, ...this.indexed(ground.faces) };
  }

  trail(points) {
    const gl = this.gl, vao = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(vao);
    this.attribute(0, new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]), 2);
    this.attribute(5, points, 3, { stride: 12, divisor: 1, buffer });
    this.attribute(6, null, 3, { stride: 12, offset: 12, divisor: 1, buffer });
    const replace = (now) => { gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferData(gl.ARRAY_BUFFER, now, gl.DYNAMIC_DRAW); };
    const from = (first) => {  // which of its pieces is drawn first
      gl.bindVertexArray(vao);
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      for (const end of [0, 1]) gl.vertexAttribPointer(5 + end, 3, gl.FLOAT, false, 12, 12 * (first + end));
    };
    return { vao, from, replace };
  }

  mapTexture(bytes) {
    const gl = this.gl, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, gl.LINEAR);
    for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, bytes.length / 3, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, bytes);
    return texture;
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

  // Matrices and values of a frame go to the card once, however often the figure is drawn.
  upload(figure, frame) {
    const gl = this.gl, body = this.bodies.get(figure), pose = figure.poseAt(frame), steps = figure.stepsAt(frame);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, body.texture);
    if (body.frame === frame) return;
    body.frame = frame;
    pose.skinRows(figure.skin, figure.meshJoints, figure.values && figure.values.ofJoints ? steps : null, body.rows);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, body.rows.length / 4, 1, 0, gl.RGBA, gl.FLOAT, body.rows);
    if (!body.values || (body.steps && body.steps.byteOffset === steps.byteOffset)) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, body.values);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, steps);
    body.steps = steps;
  }

  drawSkin(figure, frame) {
    const gl = this.gl, { at } = this.surface, body = this.bodies.get(figure);
    this.upload(figure, frame);
    gl.uniform1i(at.mode, 1);
    gl.uniform1i(at.eight, body.eight ? 1 : 0);
    gl.uniform1i(at.coloring, !figure.values ? 0 : figure.values.ofJoints ? 2 : 1);
    gl.bindVertexArray(body.vao);
    gl.drawElements(gl.TRIANGLES, body.count, body.type, 0);
  }

  drawBones(figure, frame) {
    const gl = this.gl, { size } = this.data, { bones, drawn } = figure, points = figure.poseAt(frame).joints;
    const steps = figure.values && figure.values.ofJoints ? figure.stepsAt(frame) : null;
    const rows = new Float32Array(8 * Math.max(bones.length, drawn.length));
    gl.uniform1i(this.surface.at.coloring, steps ? 1 : 0);
    const draw = (mesh, mode, count) => {
      gl.bindBuffer(gl.ARRAY_BUFFER, this.instances);
      gl.bufferData(gl.ARRAY_BUFFER, rows, gl.DYNAMIC_DRAW);
      gl.uniform1i(this.surface.at.mode, mode);
      gl.bindVertexArray(mesh.vao);
      gl.drawArraysInstanced(gl.TRIANGLES, 0, mesh.count, count);
    };
    bones.forEach(([a, b], k) => {
      for (let c = 0; c < 3; c++) { rows[k * 8 + c] = points[a * 3 + c]; rows[k * 8 + 3 + c] = points[b * 3 + c]; }
      const long = Math.hypot(rows[k * 8 + 3] - rows[k * 8], rows[k * 8 + 4] - rows[k * 8 + 1], rows[k * 8 + 5] - rows[k * 8 + 2]);
      rows[k * 8 + 6] = Math.min(Math.max(0.09 * long, 0.004 * size), 0.022 * size);
      rows[k * 8 + 7] = steps ? steps[a] / 255 : 0;
    });
    draw(this.boneMesh, 2, bones.length);
    drawn.forEach((joint, k) => {
      for (let c = 0; c < 3; c++) rows[k * 8 + c] = rows[k * 8 + 3 + c] = points[joint * 3 + c];
      rows[k * 8 + 6] = 0.0085 * size;
      rows[k * 8 + 7] = steps ? steps[joint] / 255 : 0;
    });
    draw(this.ballMesh, 3, drawn.length);
  }

  // As skin where there is one and it is shown, else as bones; those without a skin count as skin among others with one.
  drawFigure(figure, frame, show) {
    if (show.skin && figure.skin) this.drawSkin(figure, frame);
    else if (show.skeleton || (show.skin && !figure.skin)) this.drawBones(figure, frame);
  }

  // camera: {eye, target, fov}; show: the toggles; colors: [r, g, b] each
  draw({ frame, camera, show, colors, contact, solid, ghost }) {
    const shown = solid.filter((figure) => show[figure.key]);
    const ghostly = ghost && show[ghost.key] ? ghost : null, alone = ghostly && !shown.length;
    const view = this.setUp(camera, colors, contact, figures.find((f) => show[f.key]) || figures[0], frame);
    this.drawShadow(alone ? [ghostly] : shown, frame, show, view);
    this.drawGround(show, colors, view);
    this.drawSolid(shown, frame, show, colors);
    if (show.trails) this.drawTrails(view.world, frame, show, colors);
    this.gl.useProgram(this.surface.program);
    this.gl.uniform4fv(this.surface.at.feet, new Float32Array(16));
    this.gl.enable(this.gl.BLEND);
    this.gl.blendFunc(this.gl.SRC_ALPHA, this.gl.ONE_MINUS_SRC_ALPHA);
    if (ghostly) this.drawGhost(ghostly, frame, show, colors, alone);
    this.drawInside(alone ? [ghostly] : shown, frame, show, colors);
  }

  setUp(camera, colors, contact, focused, frame) {
    const gl = this.gl, { data, canvas } = this, { size } = data, s = this.surface;
    const view = matrix.lookAt(camera.eye, camera.target, [0, 1, 0]);
    const projection = matrix.perspective(camera.fov, canvas.width / canvas.height, camera.distance * 0.02,
      camera.distance * 4 + 20 * size);
    const toLight = vector.unit([0.42, 1.0, 0.30]);
    const pose = focused.poseAt(frame).joints, reach = 0.95 * size + data.spread;
    const focus = data.spread ? [camera.centre[0], data.floor + 0.45 * size, camera.centre[2]] : [pose[0], data.floor + 0.45 * size, pose[2]];
    const light = matrix.multiply(matrix.box(reach, 2 * reach + 2.1 * size),
      matrix.lookAt(vector.add(focus, toLight, reach + size), focus, [0, 0, 1]));
    gl.useProgram(s.program);
    [s.at.bones, s.at.shadowMap, s.at.colorMap].forEach((place, unit) => gl.uniform1i(place, unit));
    gl.uniform3fv(s.at.eye, camera.eye);
    gl.uniform3fv(s.at.toLight, toLight);
    gl.uniform3fv(s.at.background, colors.background);
    gl.uniform3fv(s.at.gridColor, colors.grid);
    gl.uniform1f(s.at.gridStep, data.gridStep);
    gl.uniform1f(s.at.shadowTexel, 1 / this.shadow.size);
    gl.uniformMatrix4fv(s.at.lightProjection, false, light);
    const tints = new Float32Array(16);
    contact.forEach((on, k) => { if (on && k < 3 && !data.legend) tints.set([...colors.feet[k % 2], 0.85], (k + 1) * 4); });
    gl.uniform4fv(s.at.feet, tints);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.noBones);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, this.colorMap);
    gl.enable(gl.DEPTH_TEST);
    gl.disable(gl.BLEND);
    return { light, world: matrix.multiply(projection, view) };
  }

  drawShadow(casters, frame, show, { light }) {
    const gl = this.gl, s = this.surface;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.noShadow.texture);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow.frame);
    gl.viewport(0, 0, this.shadow.size, this.shadow.size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniform1i(s.at.look, 3);
    gl.uniformMatrix4fv(s.at.viewProjection, false, light);
    for (const figure of casters) this.drawFigure(figure, frame, show);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow.texture);
  }

  drawGround(show, colors, { world }) {
    const gl = this.gl, { data, canvas } = this, s = this.surface;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(...colors.background, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.uniformMatrix4fv(s.at.viewProjection, false, world);
    if (!show.ground || !this.ground) return;
    gl.uniform1i(s.at.mode, 0);
    gl.uniform1i(s.at.look, 2);
    gl.uniform4f(s.at.color, ...colors.ground, 1);
    gl.uniform4fv(s.at.extent, data.ground.extent);
    gl.uniform1i(s.at.slab, data.ground.slab ? 1 : 0);
    gl.bindVertexArray(this.ground.vao);
    gl.drawElements(gl.TRIANGLES, this.ground.count, this.ground.type, 0);
  }

  drawSolid(shown, frame, show, colors) {
    const gl = this.gl, s = this.surface;
    gl.uniform1i(s.at.look, 0);
    gl.enable(gl.STENCIL_TEST);  // it keeps where they are
    gl.stencilFunc(gl.ALWAYS, 1, 1);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.REPLACE);
    for (const figure of shown) {
      gl.uniform4f(s.at.color, ...colors[figure.key], 1);
      this.drawFigure(figure, frame, show);
    }
    gl.disable(gl.STENCIL_TEST);
  }

  // The ghost, nowhere over the other figure: its depth first, so that only its front shows.
  drawGhost(figure, frame, show, colors, alone) {
    const gl = this.gl, s = this.surface, skin = show.skin && figure.skin;
    gl.depthFunc(gl.LEQUAL);
    if (!alone) {
      gl.colorMask(false, false, false, false);
      gl.uniform1i(s.at.look, 3);
      this.drawFigure(figure, frame, show);
      gl.colorMask(true, true, true, true);
      gl.enable(gl.STENCIL_TEST);
      gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
      gl.stencilFunc(gl.EQUAL, 0, 1);
    }
    gl.uniform4f(s.at.color, ...colors[figure.key], alone ? 1 : skin ? colors.ghost : 0.6 * colors.ghost);
    gl.uniform1i(s.at.look, alone || !skin ? 0 : 1);  // bones are too thin for the rim look
    this.drawFigure(figure, frame, show);
    gl.disable(gl.STENCIL_TEST);
    gl.depthFunc(gl.LESS);
  }

  // Bones, seen through the skin.
  drawInside(shown, frame, show, colors) {
    const gl = this.gl, s = this.surface, inside = shown.filter((figure) => show.skeleton && show.skin && figure.skin);
    if (!inside.length) return;
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.uniform1i(s.at.look, 0);
    gl.uniform4f(s.at.color, ...colors.bone, 1);
    for (const figure of inside) this.drawBones(figure, frame);
  }

  drawTrails(world, frame, show, colors) {
    const gl = this.gl, l = this.line;
    gl.useProgram(l.program);
    gl.uniformMatrix4fv(l.at.viewProjection, false, world);
    gl.uniform2f(l.at.viewport, this.canvas.width, this.canvas.height);
    gl.uniform1f(l.at.width, 1.7 * Math.max(this.canvas.width / this.canvas.clientWidth, 1));
    for (const [figure, { trails }] of this.bodies) if (show[figure.key]) trails.forEach((trail, foot) => {
      const [first, count] = figure.trailAt(frame);
      gl.uniform4f(l.at.color, ...trailColor(figure, foot, colors), 1);
      trail.from(first);
      gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count - 1);
    });
  }
}

// Left and right of the one figure that is looked at; others have their own colour.
function trailColor(figure, foot, colors) { return figure.key === "after" ? colors.feet[foot % 2] : colors[figure.key]; }
