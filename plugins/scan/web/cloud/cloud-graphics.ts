import type { Point3 } from '#core';
import { WebGlUnavailable } from '#plugins/tour';
import { clipMatrix, pixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import type { DecodedTile, TileAttribute } from './decode-tile.ts';
import type { ClippingBox } from './tile-reader.ts';

export const colorings = ['RGB', 'INTENSITY', 'HEIGHT'] as const;
export type Coloring = (typeof colorings)[number];

export interface CloudLook {
  readonly coloring: Coloring;
  /** Of 0 to 1, what is drawn black and what white. */
  readonly intensity: readonly [number, number];
  /** Metres of the site frame at both ends of the colours. */
  readonly height: readonly [number, number];
  readonly clip: ClippingBox | undefined;
  /** A factor on the size of points. */
  readonly size: number;
}

const vertexShader = `#version 300 es
precision highp float;
layout(location = 0) in vec3 place;
layout(location = 1) in vec4 color;
layout(location = 2) in float strength;
uniform mat4 toClip;
uniform vec3 origin;
uniform float scale;
uniform vec3 eye;
uniform float coloring;
uniform vec2 intensity;
uniform vec2 height;
uniform vec3 pointSize;
uniform vec3 boxCentre;
uniform vec3 boxHalf;
uniform vec2 boxTurn;
out vec3 shade;
vec3 ramp(float at) {
  // Dark blue, teal, yellow: told apart by lightness alone as well.
  vec3 low = mix(vec3(0.19, 0.13, 0.42), vec3(0.13, 0.55, 0.55), clamp(at * 2.0, 0.0, 1.0));
  return mix(low, vec3(0.99, 0.91, 0.26), clamp(at * 2.0 - 1.0, 0.0, 1.0));
}
void main() {
  vec3 away = origin + place * scale;
  gl_Position = toClip * vec4(away, 1.0);
  gl_PointSize = clamp(pointSize.x / max(gl_Position.w, 0.01), pointSize.y, pointSize.z);
  vec3 inBox = away - boxCentre;
  vec3 turned = vec3(inBox.x * boxTurn.x - inBox.y * boxTurn.y, inBox.x * boxTurn.y + inBox.y * boxTurn.x, inBox.z);
  if (any(greaterThan(abs(turned), boxHalf))) gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  shade = coloring < 0.5 ? color.rgb : coloring < 1.5 ? vec3(clamp((strength - intensity.x) / max(intensity.y - intensity.x, 1e-6), 0.0, 1.0)) : ramp(clamp((away.z + eye.z - height.x) / max(height.y - height.x, 1e-6), 0.0, 1.0));
}`;

const fragmentShader = `#version 300 es
precision mediump float;
in vec3 shade;
out vec4 result;
void main() {
  vec2 away = gl_PointCoord - 0.5;
  if (dot(away, away) > 0.25) discard;
  result = vec4(shade, 1.0);
}`;

interface Uploaded {
  readonly array: WebGLVertexArrayObject;
  readonly buffers: readonly WebGLBuffer[];
}

const places = { position: 0, color: 1, intensity: 2 } as const;
const everywhere = 1e12;
const farthest = 5_000;
/** Pixels of a point: from afar still seen, near by closed to a surface. */
const smallest = 1.5;
const largest = 16;

/** Draws nodes of a cloud into a canvas of its own. Nothing is kept of a lost context: what is drawn next is handed to the graphics card anew. */
export class CloudGraphics {
  readonly canvas = document.createElement('canvas');
  readonly #gl: WebGL2RenderingContext;
  #program: WebGLProgram | undefined;
  readonly #uniforms = new Map<string, WebGLUniformLocation | null>();
  readonly #uploaded = new Map<CloudNode, Uploaded>();
  readonly #matrix = new Float32Array(16);
  #lost = false;

  /** Throws `WebGlUnavailable`. */
  constructor(onLost: () => void, onRestored: () => void) {
    const gl = this.canvas.getContext('webgl2', { alpha: false, antialias: false, depth: true, powerPreference: 'high-performance' });
    if (!gl) throw new WebGlUnavailable();
    this.#gl = gl;
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#lost = true;
      this.#program = undefined;
      this.#uploaded.clear();
      this.#uniforms.clear();
      onLost();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#lost = false;
      onRestored();
    });
    Object.assign(this.canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', display: 'block' });
  }

  get lost(): boolean {
    return this.#lost || this.#gl.isContextLost();
  }

  /** The graphics card's name; empty where the browser does not tell. */
  get renderer(): string {
    const information = this.#gl.getExtension('WEBGL_debug_renderer_info');
    return String(this.#gl.getParameter(information?.UNMASKED_RENDERER_WEBGL ?? this.#gl.RENDERER) ?? '');
  }

  /** Nodes that lie on the graphics card. */
  get held(): number {
    return this.#uploaded.size;
  }

  /** Pixels of the page and how many of the screen's each has. */
  resize(width: number, height: number, ratio: number): void {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  /** @param spacings metres between the points that are drawn around a node's, for their size */
  draw(nodes: readonly CloudNode[], camera: CloudCamera, look: CloudLook, background: readonly [number, number, number], spacings: (node: CloudNode) => number): void {
    if (this.lost) return;
    const gl = this.#gl;
    this.#program ??= this.#build();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...background, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(this.#program);
    this.#setLook(camera, look);
    const ratio = this.canvas.height / camera.height;
    const perMetre = pixelsPerRadian(camera) * ratio * look.size;
    for (const node of nodes) {
      if (!node.tile) continue;
      const { tile } = node;
      gl.bindVertexArray(this.#upload(node, tile).array);
      gl.uniform3f(this.#at('origin'), tile.origin[0] - camera.position[0], tile.origin[1] - camera.position[1], tile.origin[2] - camera.position[2]);
      gl.uniform1f(this.#at('scale'), tile.scale);
      gl.uniform3f(this.#at('pointSize'), spacings(node) * perMetre, smallest * ratio * look.size, largest * ratio * look.size);
      gl.drawArrays(gl.POINTS, 0, tile.count);
    }
    gl.bindVertexArray(null);
  }

  /** Takes a node off the graphics card. */
  drop(node: CloudNode): void {
    const uploaded = this.#uploaded.get(node);
    if (!uploaded) return;
    this.#uploaded.delete(node);
    this.#gl.deleteVertexArray(uploaded.array);
    for (const buffer of uploaded.buffers) this.#gl.deleteBuffer(buffer);
  }

  /** What was drawn last; only in the task that drew it. */
  picture(): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be read back from the graphics card.'))), 'image/png');
    });
  }

  close(): void {
    for (const node of [...this.#uploaded.keys()]) this.drop(node);
    if (this.#program) this.#gl.deleteProgram(this.#program);
    this.#program = undefined;
    this.canvas.remove();
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  #setLook(camera: CloudCamera, { coloring, intensity, height, clip }: CloudLook): void {
    const gl = this.#gl;
    gl.uniformMatrix4fv(this.#at('toClip'), false, clipMatrix(camera, farthest, this.#matrix));
    gl.uniform3f(this.#at('eye'), ...camera.position);
    gl.uniform1f(this.#at('coloring'), colorings.indexOf(coloring));
    gl.uniform2f(this.#at('intensity'), ...intensity);
    gl.uniform2f(this.#at('height'), ...height);
    const pan = ((clip?.pan ?? 0) * Math.PI) / 180;
    const centre: Point3 = clip ? [clip.centre[0] - camera.position[0], clip.centre[1] - camera.position[1], clip.centre[2] - camera.position[2]] : [0, 0, 0];
    gl.uniform3f(this.#at('boxCentre'), ...centre);
    gl.uniform3f(this.#at('boxHalf'), ...(clip?.half ?? ([everywhere, everywhere, everywhere] as const)));
    gl.uniform2f(this.#at('boxTurn'), Math.cos(pan), Math.sin(pan));
  }

  #upload(node: CloudNode, tile: DecodedTile): Uploaded {
    const known = this.#uploaded.get(node);
    if (known) return known;
    const gl = this.#gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const buffers = tile.blocks.map(({ bytes }) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
      return buffer;
    });
    const point = (place: number, attribute: TileAttribute | undefined, size: number, type: number, normalized: boolean): void => {
      if (!attribute) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[attribute.block] ?? null);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, type, normalized, tile.blocks[attribute.block]?.stride ?? 0, attribute.offset);
    };
    point(places.position, tile.position, 3, tile.position.type === 'FLOAT32' ? gl.FLOAT : gl.UNSIGNED_SHORT, false);
    point(places.color, tile.color, 4, gl.UNSIGNED_BYTE, true);
    point(places.intensity, tile.intensity, 1, gl.UNSIGNED_SHORT, true);
    if (!tile.color) gl.vertexAttrib4f(places.color, 0.8, 0.8, 0.8, 1);
    const uploaded = { array, buffers };
    this.#uploaded.set(node, uploaded);
    return uploaded;
  }

  #build(): WebGLProgram {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertexShader], [gl.FRAGMENT_SHADER, fragmentShader]] as const) {
      const shader = gl.createShader(kind);
      if (!shader) continue;
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
      gl.deleteShader(shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
      const words = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join('\n');
      throw new Error(`A shader of the point cloud could not be built: ${gl.getProgramInfoLog(program) ?? ''} ${words}`);
    }
    return program;
  }

  #at(name: string): WebGLUniformLocation | null {
    if (!this.#uniforms.has(name)) this.#uniforms.set(name, this.#program ? this.#gl.getUniformLocation(this.#program, name) : null);
    return this.#uniforms.get(name) ?? null;
  }
}
