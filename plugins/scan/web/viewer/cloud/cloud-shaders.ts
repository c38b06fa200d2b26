import type { Coloring } from './cloud-graphics.ts';

/** Maximum diameter of a point in device pixels. */
export const maxPointPx = 128;

/** The features of a shader program. */
export interface ShaderFeatures {
  readonly coloring: Coloring;
  readonly clipped: boolean;
  /** Whether points are round and bulge towards the eye, so that the nearest point in the image wins. */
  readonly round: boolean;
}

/** GLSL expressions for the colour of a point at `offset` from the eye. */
const colorExpressions: Readonly<Record<Coloring, string>> = {
  RGB: 'color.rgb',
  INTENSITY: 'vec3(clamp((strength - intensity.x) / max(intensity.y - intensity.x, 1e-6), 0.0, 1.0))',
  HEIGHT: 'ramp(clamp((offset.z + eye.z - height.x) / max(height.y - height.x, 1e-6), 0.0, 1.0))',
};

const withinBox = `
  vec3 inBox = offset - boxCentre;
  vec3 rotated = vec3(
    inBox.x * boxRotation.x - inBox.y * boxRotation.y, inBox.x * boxRotation.y + inBox.y * boxRotation.x, inBox.z);
  if (any(greaterThan(abs(rotated), boxHalf))) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);`;

export const vertexShader = ({ coloring, clipped }: ShaderFeatures): string => `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec3 position;
layout(location = 1) in vec4 color;
layout(location = 2) in float strength;
uniform mat4 toClip;
uniform vec3 origin;
uniform float scale;
uniform vec3 eye;
uniform vec2 intensity;
uniform vec2 height;
uniform vec3 pointSize;
uniform highp sampler2D spacings;
uniform float spacing;
uniform int spacingRow;
uniform vec3 cubeMinimum;
uniform float cubeEdge;
uniform vec3 boxCentre;
uniform vec3 boxHalf;
uniform vec2 boxRotation;
out vec3 shade;
flat out float depth;
flat out float radius;
flat out float size;
vec3 ramp(float value) {
  // Dark blue, teal and yellow are distinguishable by lightness alone.
  vec3 low = mix(vec3(0.19, 0.13, 0.42), vec3(0.13, 0.55, 0.55), clamp(value * 2.0, 0.0, 1.0));
  return mix(low, vec3(0.99, 0.91, 0.26), clamp(value * 2.0 - 1.0, 0.0, 1.0));
}
// Descends to the finest drawn node around the point. See SpacingTable.
float findSpacing(vec3 offset) {
  float finest = spacing;
  vec3 inCube = (offset - cubeMinimum) / cubeEdge;
  for (int row = spacingRow; row > 0;) {
    inCube *= 2.0;
    vec3 upper = step(1.0, inCube);
    inCube -= upper;
    vec2 child = texelFetch(spacings, ivec2(int(upper.x + 2.0 * upper.y + 4.0 * upper.z), row), 0).rg;
    if (child.g > 0.0) finest = min(finest, child.g);
    row = int(child.r);
  }
  return finest;
}
void main() {
  vec3 offset = origin + position * scale;
  gl_Position = toClip * vec4(offset, 1.0);
  depth = gl_Position.w;
  gl_PointSize = clamp(pointSize.x * findSpacing(offset) / max(depth, 0.01), pointSize.y, pointSize.z);
  size = gl_PointSize;
  radius = 0.5 * gl_PointSize * depth / pointSize.x;${clipped ? withinBox : ''}
  shade = ${colorExpressions[coloring]};
}`;

export const fragmentShader = ({ round }: ShaderFeatures): string => `#version 300 es
precision highp float;
in vec3 shade;
flat in float depth;
flat in float radius;
flat in float size;
uniform vec2 depthTerms;
out vec4 result;
// Height of a point's paraboloid in radii. It is so steep that points on a floor do not look like scales.
const float bulge = 1.5;
void main() {${
  round
    ? `
  // A paraboloid instead of a disc, so that each pixel of a surface shows the point nearest to it.
  vec2 fromCentre = 2.0 * gl_PointCoord - 1.0;
  float square = dot(fromCentre, fromCentre);
  if (square > 1.0) discard;
  gl_FragDepth = 0.5 + 0.5 * (depthTerms.x + depthTerms.y / (depth + bulge * square * radius));`
    : ''
}
  // The alpha channel has the size, because the image pass fills gaps by the size of the points around them.
  result = vec4(shade, size / ${maxPointPx.toFixed(1)});
}`;

/** Covers the image by one triangle. */
export const imageVertexShader = `#version 300 es
void main() {
  gl_Position = vec4(vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0), 0.0, 1.0);
}`;

/**
 * Fills gaps between the points of a surface, and darkens pixels next to nearer ones (eye-dome lighting, Boucheny
 * 2009), so that edges are visible.
 */
export const imageFragmentShader = `#version 300 es
precision highp float;
uniform sampler2D colors;
uniform highp sampler2D depths;
uniform vec2 depthTerms;
uniform vec3 background;
uniform float pixelRatio;
out vec4 result;
const ivec2 directions[8] = ivec2[8](
  ivec2(1, 0), ivec2(-1, 0), ivec2(0, 1), ivec2(0, -1), ivec2(1, 1), ivec2(-1, -1), ivec2(1, -1), ivec2(-1, 1));
// A pixel is in a gap if at least minSides of its 8 sides have nearer points, at most gapSizes point sizes away.
const int minSides = 7;
const float gapSizes = 2.0;
// The distances in pixels at which points around a gap are searched.
const int distances[9] = int[9](1, 2, 3, 4, 6, 8, 12, 16, 24);
// Points of one surface differ in depth by at most this fraction and these metres.
const float surfaceFraction = 0.05;
const float surfaceMetres = 0.02;
// Edges are darkened by the ratio of the depths on both sides. The step is the ratio that the noise of a surface has.
const float edgeStrength = 90.0;
const float edgeStep = 0.025;
const float edgePixels = 1.4;
ivec2 limit;
float readDepth(ivec2 pixel) {
  return depthTerms.y / (2.0 * texelFetch(depths, clamp(pixel, ivec2(0), limit), 0).r - 1.0 - depthTerms.x);
}
void main() {
  limit = textureSize(depths, 0) - 1;
  ivec2 pixel = ivec2(gl_FragCoord.xy);
  float depth = readDepth(pixel);
  bool isBackground = texelFetch(depths, pixel, 0).r == 1.0;
  vec3 color = isBackground ? background : texelFetch(colors, pixel, 0).rgb;
  float nearer = depth * (1.0 - surfaceFraction) - surfaceMetres;
  int sides = 0;
  vec4 sum = vec4(0.0);
  float sumOfDepths = 0.0;
  // Ends as soon as too many sides have no points.
  for (int side = 0; side < 8 && side - sides <= 8 - minSides; side++) {
    for (int index = 0; index < 9; index++) {
      ivec2 neighbour = clamp(pixel + directions[side] * distances[index], ivec2(0), limit);
      float neighbourDepth = readDepth(neighbour);
      if (neighbourDepth >= nearer) continue;
      vec4 point = texelFetch(colors, neighbour, 0);
      float distance = float(distances[index]);
      if (distance > gapSizes * point.a * ${maxPointPx.toFixed(1)}) break;
      sides++;
      sum += vec4(point.rgb, 1.0) / distance;
      sumOfDepths += neighbourDepth / distance;
      break;
    }
  }
  if (sides >= minSides) {
    color = sum.rgb / sum.a;
    depth = sumOfDepths / sum.a;
  } else if (isBackground) {
    result = vec4(background, 1.0);
    return;
  }
  float shadow = 0.0;
  for (int side = 0; side < 8; side++) {
    ivec2 neighbour = pixel + ivec2(round(edgePixels * pixelRatio * normalize(vec2(directions[side]))));
    shadow += max(0.0, log2(depth) - log2(readDepth(neighbour)) - edgeStep);
  }
  result = vec4(color * exp(-edgeStrength * shadow / 8.0), 1.0);
}`;
