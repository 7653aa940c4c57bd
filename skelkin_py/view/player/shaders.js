// SPDX-License-Identifier: MIT
// The shaders: one for all surfaces, one for lines.

const SURFACE_VERTEX = `#version 300 es
precision highp float;
layout(location=0) in vec3 position;
layout(location=1) in vec3 normal;
layout(location=2) in uvec4 joints;
layout(location=3) in vec4 weights;
layout(location=4) in vec2 foot;          // which, and how much of the vertex follows it
layout(location=5) in vec3 boneStart;
layout(location=6) in vec3 boneEnd;
layout(location=7) in vec2 boneLook;      // width and value
layout(location=8) in uvec4 moreJoints;
layout(location=9) in vec4 moreWeights;
layout(location=10) in float ownValue;
uniform int mode;                      // 0 as it is, 1 skinned, 2 one bone per instance, 3 one ball per instance
uniform mat4 viewProjection, lightProjection;
uniform highp sampler2D bones;         // rows of the skinning matrices of this frame
uniform bool eight;                    // there are more than four influences
uniform int coloring;                  // 0 by nothing, 1 by the value of a vertex or a bone, 2 by those of joints
uniform vec4 feet[4];
out vec3 vPosition, vNormal, vLight;
out vec4 vTint;
out float vValue;
vec3 follow(uint joint, vec4 p) {
  int j = int(joint) * 4;
  return vec3(dot(texelFetch(bones, ivec2(j, 0), 0), p),
    dot(texelFetch(bones, ivec2(j + 1, 0), 0), p), dot(texelFetch(bones, ivec2(j + 2, 0), 0), p));
}
vec3 skin(vec4 p) {
  vec3 sum = vec3(0.0);
  for (int k = 0; k < 4; k++) sum += weights[k] * follow(joints[k], p);
  if (eight) for (int k = 0; k < 4; k++) sum += moreWeights[k] * follow(moreJoints[k], p);
  return sum;
}
float jointValue() {
  float sum = 0.0;
  for (int k = 0; k < 4; k++) sum += weights[k] * texelFetch(bones, ivec2(int(joints[k]) * 4 + 3, 0), 0).x;
  if (eight) for (int k = 0; k < 4; k++) sum += moreWeights[k] * texelFetch(bones, ivec2(int(moreJoints[k]) * 4 + 3, 0), 0).x;
  return sum;
}
void main() {
  vec3 p = position, n = normal;
  vTint = vec4(0.0);
  vValue = coloring == 0 || mode == 0 ? 0.0 : mode != 1 ? boneLook.y : coloring == 2 ? jointValue() : ownValue;
  if (mode == 1) {
    p = skin(vec4(position, 1.0));
    n = skin(vec4(normal, 0.0));
    vTint = feet[int(foot.x)] * vec4(1.0, 1.0, 1.0, foot.y);
  } else if (mode == 2) {
    vec3 axis = boneEnd - boneStart;
    vec3 y = length(axis) > 1e-9 ? normalize(axis) : vec3(0.0, 1.0, 0.0);
    vec3 x = normalize(cross(abs(y.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), y));
    vec3 z = cross(x, y);
    p = boneStart + x * position.x * boneLook.x + axis * position.y + z * position.z * boneLook.x;
    n = x * normal.x + y * normal.y * boneLook.x / max(length(axis), 1e-9) + z * normal.z;
  } else if (mode == 3) p = boneStart + position * boneLook.x;
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
in float vValue;
uniform highp sampler2D colorMap;
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
  bool valued = vValue > 0.002;
  if (valued) base = texture(colorMap, vec2((vValue * 255.0 - 1.0) / 254.0 * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
  if (look == 1) {
    float rim = pow(1.0 - facing, 1.6);
    result = vec4(base, color.a * (0.30 + 0.70 * rim));
    return;
  }
  float key = max(dot(n, toLight), 0.0) * mix(0.45, 1.0, lit());
  float sky = 0.5 + 0.5 * n.y;
  vec3 c = base * (0.34 + 0.26 * sky + 0.50 * key) + 0.10 * pow(1.0 - facing, 3.0);
  if (valued) c = base * (0.66 + 0.14 * sky + 0.24 * key);  // near the legend's colours, which are read off it
  else c += 0.10 * pow(max(dot(n, normalize(toLight + toEye)), 0.0), 36.0);
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
