/**
 * A patch of the sphere. `bounds` contains the pan of the left edge, the tilt of the top, the pan of the right edge and
 * the tilt of the bottom, in radians of the site frame. `corner` is a point of the patch in [0, 1].
 */
const patchInputs = `
in vec2 corner;
in vec4 bounds;
uniform mat4 clip;
vec2 angles() { return mix(bounds.xy, bounds.zw, corner); }
vec3 directionTo(vec2 a) { return vec3(sin(a.x) * cos(a.y), cos(a.x) * cos(a.y), sin(a.y)); }`;

/** Draws the picture on a sphere around the eye. */
const flatPoint = `
vec3 point() { return directionTo(angles()); }`;

/**
 * Moves each vertex to its distance in the range mesh, for an eye at some distance from the camera. Vertices without
 * a return are far away. `leftEdge` is the pan of the picture's left edge, radians.
 */
const walkPoint = `
uniform highp usampler2D ranges;
uniform float leftEdge;
uniform vec3 eye;
vec3 point() {
  vec2 a = angles();
  ivec2 size = textureSize(ranges, 0) - 1;
  ivec2 cell = ivec2(round((a.x - leftEdge) / 6.283185307 * float(size.x)), round((0.5 - a.y / 3.141592654) * float(size.y)));
  uint millimetres = texelFetch(ranges, clamp(cell, ivec2(0), size), 0).r;
  return directionTo(a) * (millimetres == 0u ? 100.0 : float(millimetres) / 1000.0) - eye;
}`;

const previewMain = `
out vec2 uv;
void main() { uv = corner; gl_Position = clip * vec4(point(), 1.0); }`;

/** `layerFill` contains the layer of the tile and the fractions of its width and height that the tile fills. */
const tileMain = `
in vec3 layerFill;
out vec3 uv;
void main() { uv = vec3(corner * layerFill.yz, layerFill.x); gl_Position = clip * vec4(point(), 1.0); }`;

const vertexHead = `#version 300 es
precision highp float;
precision highp int;`;

export const vertexShaders = {
  previewFlat: vertexHead + patchInputs + flatPoint + previewMain,
  previewWalk: vertexHead + patchInputs + walkPoint + previewMain,
  tileFlat: vertexHead + patchInputs + flatPoint + tileMain,
  tileWalk: vertexHead + patchInputs + walkPoint + tileMain,
  blend: `${vertexHead}
in vec2 corner;
out vec2 uv;
void main() { uv = corner; gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0); }`,
} as const;

const fragmentHead = `#version 300 es
precision mediump float;`;

/** `CORRECTED` is defined only if there is a correction, so that original pictures have no cost. @see PictureCorrection */
const correctionFunction = `
#ifdef CORRECTED
uniform float gamma;
uniform float contrast;
vec3 corrected(vec3 tone) { return clamp((pow(tone, vec3(gamma)) - 0.5) * contrast + 0.5, 0.0, 1.0); }
#else
#define corrected(tone) tone
#endif`;

const previewColour = `${fragmentHead}${correctionFunction}
in highp vec2 uv;
uniform sampler2D picture;
out vec4 colour;
void main() { colour = vec4(corrected(texture(picture, uv).rgb), 1.0); }`;

const tileColour = `${fragmentHead}${correctionFunction}
precision mediump sampler2DArray;
in highp vec3 uv;
uniform sampler2DArray picture;
out vec4 colour;
void main() { colour = vec4(corrected(texture(picture, uv).rgb), 1.0); }`;

export type ProgramName = keyof typeof vertexShaders;

export const fragmentShaders: Readonly<Record<ProgramName, string>> = {
  previewFlat: previewColour,
  previewWalk: previewColour,
  tileFlat: tileColour,
  tileWalk: tileColour,
  blend: `${fragmentHead}
in highp vec2 uv;
uniform sampler2D picture;
uniform float opacity;
out vec4 colour;
void main() { colour = vec4(texture(picture, uv).rgb, opacity); }`,
};

/** Adds the correction to a fragment shader. */
export function withCorrection(fragment: string): string {
  return fragment.replace('\n', '\n#define CORRECTED\n');
}
