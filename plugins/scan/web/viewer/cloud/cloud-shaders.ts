import type { Coloring } from './cloud-graphics.ts';

/** The features of a shader program. */
export interface CloudShade {
  readonly coloring: Coloring;
  readonly clipped: boolean;
}

/** GLSL expressions for the colour of a point at `offset` from the eye. */
const shades: Readonly<Record<Coloring, string>> = {
  RGB: 'color.rgb',
  INTENSITY: 'vec3(clamp((strength - intensity.x) / max(intensity.y - intensity.x, 1e-6), 0.0, 1.0))',
  HEIGHT: 'ramp(clamp((offset.z + eye.z - height.x) / max(height.y - height.x, 1e-6), 0.0, 1.0))',
};

const withinBox = `
  vec3 inBox = offset - boxCentre;
  vec3 rotated = vec3(
    inBox.x * boxRotation.x - inBox.y * boxRotation.y, inBox.x * boxRotation.y + inBox.y * boxRotation.x, inBox.z);
  if (any(greaterThan(abs(rotated), boxHalf))) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);`;

export const vertexShader = ({ coloring, clipped }: CloudShade): string => `#version 300 es
precision highp float;
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
uniform vec3 boxCentre;
uniform vec3 boxHalf;
uniform vec2 boxRotation;
out vec3 shade;
vec3 ramp(float value) {
  // Dark blue, teal and yellow are distinguishable by lightness alone.
  vec3 low = mix(vec3(0.19, 0.13, 0.42), vec3(0.13, 0.55, 0.55), clamp(value * 2.0, 0.0, 1.0));
  return mix(low, vec3(0.99, 0.91, 0.26), clamp(value * 2.0 - 1.0, 0.0, 1.0));
}
void main() {
  vec3 offset = origin + position * scale;
  gl_Position = toClip * vec4(offset, 1.0);
  gl_PointSize = clamp(pointSize.x / max(gl_Position.w, 0.01), pointSize.y, pointSize.z);${clipped ? withinBox : ''}
  shade = ${shades[coloring]};
}`;

export const fragmentShader = `#version 300 es
precision mediump float;
in vec3 shade;
out vec4 result;
void main() {
  vec2 fromCentre = gl_PointCoord - 0.5;
  if (dot(fromCentre, fromCentre) > 0.25) discard;
  result = vec4(shade, 1.0);
}`;
