import { WebGlUnavailable, type MovingDetail } from '#plugins/tour';
import { clipMatrix, pixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { fragmentShader, vertexShader, type CloudShade } from './cloud-shaders.ts';
import type { DecodedTile, TileAttribute } from './decode-tile.ts';
import type { ClippingBox } from './tile-reader.ts';

export const colorings = ['RGB', 'INTENSITY', 'HEIGHT'] as const;
export type Coloring = (typeof colorings)[number];

export interface CloudLook {
  readonly coloring: Coloring;
  /** Intensities of 0 to 1 that are drawn black and white. */
  readonly intensity: readonly [number, number];
  /** Heights at both ends of the colour scale, in metres of the site frame. */
  readonly height: readonly [number, number];
  readonly clip: ClippingBox | undefined;
  /** Factor of the point size. */
  readonly size: number;
}

interface CloudProgram {
  readonly program: WebGLProgram;
  /** Location of a uniform; null if the program does not use it. */
  readonly at: (name: string) => WebGLUniformLocation | null;
}

interface Uploaded {
  readonly buffers: readonly WebGLBuffer[];
  /** Vertex arrays by stride: every n-th point. */
  readonly arrays: Map<number, WebGLVertexArrayObject>;
}

const places = { position: 0, color: 1, intensity: 2 } as const;
const farthest = 5_000;
/** Limits of the point size in pixels: visible from afar, closed surfaces near by. */
const smallest = 1.5;
const largest = 16;

/** Draws the nodes of a cloud on its own canvas. After a lost context, all drawn data is uploaded again. */
export class CloudGraphics {
  readonly canvas = document.createElement('canvas');
  readonly #gl: WebGL2RenderingContext;
  readonly #programs = new Map<string, CloudProgram>();
  readonly #uploaded = new Map<CloudNode, Uploaded>();
  readonly #matrix = new Float32Array(16);
  #lost = false;

  /** Throws `WebGlUnavailable`. */
  constructor(onLost: () => void, onRestored: () => void) {
    const gl = this.canvas.getContext('webgl2', {
      alpha: false,
      antialias: false,
      depth: true,
      powerPreference: 'high-performance',
    });
    if (!gl) throw new WebGlUnavailable();
    this.#gl = gl;
    this.canvas.addEventListener('webglcontextlost', (event) => {
      event.preventDefault();
      this.#lost = true;
      this.#programs.clear();
      this.#uploaded.clear();
      onLost();
    });
    this.canvas.addEventListener('webglcontextrestored', () => {
      this.#lost = false;
      onRestored();
    });
    Object.assign(this.canvas.style, {
      position: 'absolute',
      inset: '0',
      width: '100%',
      height: '100%',
      display: 'block',
    });
  }

  get lost(): boolean {
    return this.#lost || this.#gl.isContextLost();
  }

  /** Name of the graphics card; empty if the browser does not expose it. */
  get renderer(): string {
    const information = this.#gl.getExtension('WEBGL_debug_renderer_info');
    return String(this.#gl.getParameter(information?.UNMASKED_RENDERER_WEBGL ?? this.#gl.RENDERER) ?? '');
  }

  /** Number of nodes in graphics memory. */
  get uploadedCount(): number {
    return this.#uploaded.size;
  }

  /** Size in CSS pixels, and the device pixel ratio. */
  resize(width: number, height: number, ratio: number): void {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  /**
   * @param spacings metres between the points drawn around each node, for the point size
   * @param every draws every n-th point, enlarged
   */
  draw(
    nodes: readonly CloudNode[],
    camera: CloudCamera,
    look: CloudLook,
    background: readonly [number, number, number],
    spacings: (node: CloudNode) => number,
    every = 1,
  ): void {
    if (this.lost) return;
    const gl = this.#gl;
    const program = this.#programFor({ coloring: look.coloring, clipped: look.clip !== undefined });
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...background, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program.program);
    this.#setLook(program, camera, look);
    const ratio = this.canvas.height / camera.height;
    const perMetre = pixelsPerRadian(camera) * ratio * look.size * Math.sqrt(every);
    for (const node of nodes) {
      if (!node.tile) continue;
      const { tile } = node;
      gl.bindVertexArray(this.#ensureVertexArray(this.#upload(node, tile), tile, every));
      gl.uniform3f(
        program.at('origin'),
        tile.origin[0] - camera.position[0],
        tile.origin[1] - camera.position[1],
        tile.origin[2] - camera.position[2],
      );
      gl.uniform1f(program.at('scale'), tile.scale);
      gl.uniform3f(
        program.at('pointSize'),
        spacings(node) * perMetre,
        smallest * ratio * look.size,
        largest * ratio * look.size,
      );
      gl.drawArrays(gl.POINTS, 0, Math.ceil(tile.count / every));
    }
    gl.bindVertexArray(null);
  }

  /** Starts measuring the GPU time of the last frame. */
  watch(detail: MovingDetail): void {
    if (!this.lost) detail.onFrameDrawn(this.#gl);
  }

  /** Frees the graphics memory of a node. */
  drop(node: CloudNode): void {
    const uploaded = this.#uploaded.get(node);
    if (!uploaded) return;
    this.#uploaded.delete(node);
    for (const array of uploaded.arrays.values()) this.#gl.deleteVertexArray(array);
    for (const buffer of uploaded.buffers) this.#gl.deleteBuffer(buffer);
  }

  /** Reads the last frame. Only valid in the task that drew it. */
  picture(): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.canvas.toBlob(
        (blob) =>
          blob ? resolve(blob) : reject(new Error('The picture could not be read back from the graphics card.')),
        'image/png',
      );
    });
  }

  close(): void {
    for (const node of [...this.#uploaded.keys()]) this.drop(node);
    for (const { program } of this.#programs.values()) this.#gl.deleteProgram(program);
    this.#programs.clear();
    this.canvas.remove();
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  #setLook({ at }: CloudProgram, camera: CloudCamera, { intensity, height, clip }: CloudLook): void {
    const gl = this.#gl;
    gl.uniformMatrix4fv(at('toClip'), false, clipMatrix(camera, farthest, this.#matrix));
    gl.uniform3f(at('eye'), ...camera.position);
    gl.uniform2f(at('intensity'), ...intensity);
    gl.uniform2f(at('height'), ...height);
    if (!clip) return;
    const pan = (clip.pan * Math.PI) / 180;
    gl.uniform3f(
      at('boxCentre'),
      clip.centre[0] - camera.position[0],
      clip.centre[1] - camera.position[1],
      clip.centre[2] - camera.position[2],
    );
    gl.uniform3f(at('boxHalf'), ...clip.half);
    gl.uniform2f(at('boxTurn'), Math.cos(pan), Math.sin(pan));
  }

  #upload(node: CloudNode, tile: DecodedTile): Uploaded {
    const existing = this.#uploaded.get(node);
    if (existing) return existing;
    const gl = this.#gl;
    gl.bindVertexArray(null);
    const buffers = tile.blocks.map(({ bytes }) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
      return buffer;
    });
    const uploaded = { buffers, arrays: new Map<number, WebGLVertexArrayObject>() };
    this.#uploaded.set(node, uploaded);
    return uploaded;
  }

  /** Binds the attributes with a stride, so that only every n-th point is drawn. */
  #ensureVertexArray({ arrays, buffers }: Uploaded, tile: DecodedTile, every: number): WebGLVertexArrayObject {
    const existing = arrays.get(every);
    if (existing) return existing;
    const gl = this.#gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const point = (
      place: number,
      attribute: TileAttribute | undefined,
      size: number,
      type: number,
      normalized: boolean,
    ): void => {
      if (!attribute) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[attribute.block] ?? null);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(
        place,
        size,
        type,
        normalized,
        (tile.blocks[attribute.block]?.stride ?? 0) * every,
        attribute.offset,
      );
    };
    point(places.position, tile.position, 3, tile.position.type === 'FLOAT32' ? gl.FLOAT : gl.UNSIGNED_SHORT, false);
    point(places.color, tile.color, 4, gl.UNSIGNED_BYTE, true);
    point(places.intensity, tile.intensity, 1, gl.UNSIGNED_SHORT, true);
    if (!tile.color) gl.vertexAttrib4f(places.color, 0.8, 0.8, 0.8, 1);
    arrays.set(every, array);
    return array;
  }

  #programFor(shade: CloudShade): CloudProgram {
    const key = `${shade.coloring} ${shade.clipped}`;
    const existing = this.#programs.get(key);
    if (existing) return existing;
    const gl = this.#gl;
    const program = buildProgram(gl, vertexShader(shade), fragmentShader);
    const places = new Map<string, WebGLUniformLocation | null>();
    const at = (name: string): WebGLUniformLocation | null => {
      const place = places.get(name) ?? gl.getUniformLocation(program, name);
      places.set(name, place);
      return place;
    };
    const built = { program, at };
    this.#programs.set(key, built);
    return built;
  }
}

function buildProgram(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [kind, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(kind);
    if (!shader) continue;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    gl.deleteShader(shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    const logs = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join('\n');
    throw new Error(`A shader of the point cloud could not be built: ${gl.getProgramInfoLog(program) ?? ''} ${logs}`);
  }
  return program;
}
