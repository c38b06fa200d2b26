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
  /** Of 0 to 1, what is drawn black and what white. */
  readonly intensity: readonly [number, number];
  /** Metres of the site frame at both ends of the colours. */
  readonly height: readonly [number, number];
  readonly clip: ClippingBox | undefined;
  /** A factor on the size of points. */
  readonly size: number;
}

interface CloudProgram {
  readonly program: WebGLProgram;
  /** Place of a uniform; null for one that this program has no need of. */
  readonly at: (name: string) => WebGLUniformLocation | null;
}

interface Uploaded {
  readonly buffers: readonly WebGLBuffer[];
  /** By the share of the points that it reads: one of how many. */
  readonly arrays: Map<number, WebGLVertexArrayObject>;
}

const places = { position: 0, color: 1, intensity: 2 } as const;
const farthest = 5_000;
/** Pixels of a point: from afar still seen, near by closed to a surface. */
const smallest = 1.5;
const largest = 16;

/**
 * Draws nodes of a cloud into a canvas of its own. Nothing is kept of a lost context: what is drawn next is handed to
 * the graphics card anew.
 */
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

  /**
   * @param spacings metres between the points that are drawn around a node's, for their size
   * @param every one point of so many is drawn, and larger
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

  /** Lets it be seen how long the card takes for what was drawn last. */
  watch(detail: MovingDetail): void {
    if (!this.lost) detail.drawn(this.#gl);
  }

  /** Takes a node off the graphics card. */
  drop(node: CloudNode): void {
    const uploaded = this.#uploaded.get(node);
    if (!uploaded) return;
    this.#uploaded.delete(node);
    for (const array of uploaded.arrays.values()) this.#gl.deleteVertexArray(array);
    for (const buffer of uploaded.buffers) this.#gl.deleteBuffer(buffer);
  }

  /** What was drawn last; only in the task that drew it. */
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
    const known = this.#uploaded.get(node);
    if (known) return known;
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

  /** Reads one point of so many by a wider step from one to the next. */
  #ensureVertexArray({ arrays, buffers }: Uploaded, tile: DecodedTile, every: number): WebGLVertexArrayObject {
    const known = arrays.get(every);
    if (known) return known;
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
    const known = this.#programs.get(key);
    if (known) return known;
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
    const words = (gl.getAttachedShaders(program) ?? []).map((shader) => gl.getShaderInfoLog(shader)).join('\n');
    throw new Error(`A shader of the point cloud could not be built: ${gl.getProgramInfoLog(program) ?? ''} ${words}`);
  }
  return program;
}
