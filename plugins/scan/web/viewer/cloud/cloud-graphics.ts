import type { Point3 } from '#core';
import { WebGlUnavailable, type MovingDetail } from '#plugins/tour';
import { computeClipMatrix, computeDepthTerms, computePixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';
import { fragmentShader, maxPointPx, vertexShader, type ShaderFeatures } from './cloud-shaders.ts';
import type { DecodedTile, TileAttribute } from '../../../common/decode-tile.ts';
import { buildProgram, type GlProgram } from './gl-program.ts';
import { ImagePass } from './image-pass.ts';
import { octants, type SpacingTable } from './spacing-table.ts';
import type { ClippingBox } from './tile-reader.ts';

export const colorings = ['RGB', 'INTENSITY', 'HEIGHT'] as const;
export type Coloring = (typeof colorings)[number];

export interface CloudAppearance {
  readonly coloring: Coloring;
  /** Intensities of 0 to 1 that are drawn black and white. */
  readonly intensity: readonly [number, number];
  /** Heights at both ends of the colour scale, in metres of the site frame. */
  readonly height: readonly [number, number];
  readonly clip: ClippingBox | undefined;
  /** Factor of the point size. */
  readonly size: number;
}

interface UploadedNode {
  readonly buffers: readonly WebGLBuffer[];
  /** Vertex arrays by stride. An array of stride n has every n-th point. */
  readonly arrays: Map<number, WebGLVertexArrayObject>;
}

const attributeLocations = { position: 0, color: 1, intensity: 2 } as const;
const farPlaneMetres = 5_000;
/** Minimum diameter of a point, so that it is visible from afar. */
const minPointPx = 1.5;
/** Diameter of a point as a multiple of the spacing, so that points that lie irregularly leave few gaps. */
const diameterFactor = 2.9;

/** Draws the nodes of a point cloud on its own canvas. Uploads all data again after the context was lost. */
export class CloudGraphics {
  readonly canvas = document.createElement('canvas');
  readonly #gl: WebGL2RenderingContext;
  readonly #programs = new Map<string, GlProgram>();
  readonly #uploaded = new Map<CloudNode, UploadedNode>();
  readonly #matrix = new Float32Array(16);
  #spacings: WebGLTexture | null = null;
  #imagePass: ImagePass | undefined;
  #lost = false;
  #renderer: string | undefined;

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
      this.#spacings = null;
      this.#imagePass = undefined;
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

  /** Name of the graphics card; empty if the browser does not expose it. Read once, because it waits for the card. */
  get renderer(): string {
    const information = this.#gl.getExtension('WEBGL_debug_renderer_info');
    return (this.#renderer ??= String(
      this.#gl.getParameter(information?.UNMASKED_RENDERER_WEBGL ?? this.#gl.RENDERER) ?? '',
    ));
  }

  /** Number of nodes in graphics memory. */
  get uploadedCount(): number {
    return this.#uploaded.size;
  }

  /** Sets the size in CSS pixels and the device pixel ratio. */
  resize(width: number, height: number, ratio: number): void {
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
  }

  /** @param stride n draws every n-th point enlarged, without filled gaps and darkened edges */
  draw(
    nodes: readonly CloudNode[],
    camera: CloudCamera,
    appearance: CloudAppearance,
    background: readonly [number, number, number],
    spacings: SpacingTable,
    stride = 1,
  ): void {
    if (this.lost) return;
    const gl = this.#gl;
    const { width, height } = this.canvas;
    gl.clearColor(...background, 1);
    if (!nodes.some(({ tile }) => tile)) {
      gl.clear(gl.COLOR_BUFFER_BIT);
      return;
    }
    const round = stride === 1;
    const program = this.#ensureProgram({
      coloring: appearance.coloring,
      clipped: appearance.clip !== undefined,
      round,
    });
    if (round) (this.#imagePass ??= new ImagePass(gl)).begin(width, height);
    // After `begin`, because `begin` binds its render textures when their size changes.
    this.#uploadSpacings(spacings);
    gl.viewport(0, 0, width, height);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.useProgram(program.program);
    const ratio = height / camera.height;
    this.#setAppearance(program, camera, appearance);
    gl.uniform3f(
      program.getUniform('pointSize'),
      computePixelsPerRadian(camera) * ratio * diameterFactor * appearance.size * Math.sqrt(stride),
      minPointPx * ratio * appearance.size,
      maxPointPx,
    );
    for (const node of nodes) this.#drawNode(node, program, camera, spacings, stride);
    gl.bindVertexArray(null);
    if (round) this.#imagePass?.finish(computeDepthTerms(farPlaneMetres), background, ratio);
  }

  /** Starts measuring the GPU time of the last frame. */
  measureFrame(detail: MovingDetail): void {
    if (!this.lost) detail.onFrameDrawn(this.#gl);
  }

  /** Frees the graphics memory of a node. */
  release(node: CloudNode): void {
    const uploadedNode = this.#uploaded.get(node);
    if (!uploadedNode) return;
    this.#uploaded.delete(node);
    for (const array of uploadedNode.arrays.values()) this.#gl.deleteVertexArray(array);
    for (const buffer of uploadedNode.buffers) this.#gl.deleteBuffer(buffer);
  }

  /** Reads the last frame. Only valid in the task that drew it. */
  readImage(): Promise<Blob> {
    return new Promise((resolve, reject) => {
      this.canvas.toBlob(
        (blob) =>
          blob ? resolve(blob) : reject(new Error('The picture could not be read back from the graphics card.')),
        'image/png',
      );
    });
  }

  close(): void {
    for (const node of [...this.#uploaded.keys()]) this.release(node);
    for (const { program } of this.#programs.values()) this.#gl.deleteProgram(program);
    this.#programs.clear();
    this.#imagePass?.close();
    this.#gl.deleteTexture(this.#spacings);
    this.canvas.remove();
    this.#gl.getExtension('WEBGL_lose_context')?.loseContext();
  }

  #drawNode(
    node: CloudNode,
    { getUniform }: GlProgram,
    { position: eye }: CloudCamera,
    { rows }: SpacingTable,
    stride: number,
  ): void {
    const { tile, cube } = node;
    if (!tile) return;
    const gl = this.#gl;
    const setOffset = (name: string, [x, y, z]: Point3): void =>
      gl.uniform3f(getUniform(name), x - eye[0], y - eye[1], z - eye[2]);
    gl.bindVertexArray(this.#ensureVertexArray(this.#upload(node, tile), tile, stride));
    setOffset('origin', tile.origin);
    gl.uniform1f(getUniform('scale'), tile.scale);
    setOffset('cubeMinimum', cube.minimum);
    gl.uniform1f(getUniform('cubeEdge'), cube.edge);
    gl.uniform1f(getUniform('spacing'), node.spacing);
    gl.uniform1i(getUniform('spacingRow'), rows.get(node) ?? 0);
    gl.drawArrays(gl.POINTS, 0, Math.ceil(tile.count / stride));
  }

  #uploadSpacings({ values }: SpacingTable): void {
    const gl = this.#gl;
    this.#spacings ??= gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.#spacings);
    const rows = Math.max(1, values.length / (2 * octants));
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG32F, octants, rows, 0, gl.RG, gl.FLOAT, values.length > 0 ? values : null);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
  }

  #setAppearance({ getUniform }: GlProgram, camera: CloudCamera, { intensity, height, clip }: CloudAppearance): void {
    const gl = this.#gl;
    gl.uniformMatrix4fv(getUniform('toClip'), false, computeClipMatrix(camera, farPlaneMetres, this.#matrix));
    gl.uniform2f(getUniform('depthTerms'), ...computeDepthTerms(farPlaneMetres));
    gl.uniform3f(getUniform('eye'), ...camera.position);
    gl.uniform2f(getUniform('intensity'), ...intensity);
    gl.uniform2f(getUniform('height'), ...height);
    if (!clip) return;
    const pan = (clip.pan * Math.PI) / 180;
    gl.uniform3f(
      getUniform('boxCentre'),
      clip.centre[0] - camera.position[0],
      clip.centre[1] - camera.position[1],
      clip.centre[2] - camera.position[2],
    );
    gl.uniform3f(getUniform('boxHalf'), ...clip.half);
    gl.uniform2f(getUniform('boxRotation'), Math.cos(pan), Math.sin(pan));
  }

  #upload(node: CloudNode, tile: DecodedTile): UploadedNode {
    const existingNode = this.#uploaded.get(node);
    if (existingNode) return existingNode;
    const gl = this.#gl;
    gl.bindVertexArray(null);
    const buffers = tile.blocks.map(({ bytes }) => {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW);
      return buffer;
    });
    const uploadedNode = { buffers, arrays: new Map<number, WebGLVertexArrayObject>() };
    this.#uploaded.set(node, uploadedNode);
    return uploadedNode;
  }

  /** Binds the attributes with a stride, so that only every n-th point is drawn. */
  #ensureVertexArray({ arrays, buffers }: UploadedNode, tile: DecodedTile, stride: number): WebGLVertexArrayObject {
    const existingArray = arrays.get(stride);
    if (existingArray) return existingArray;
    const gl = this.#gl;
    const array = gl.createVertexArray();
    gl.bindVertexArray(array);
    const bindAttribute = (
      location: number,
      attribute: TileAttribute | undefined,
      size: number,
      type: number,
      normalized: boolean,
    ): void => {
      if (!attribute) return;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffers[attribute.block] ?? null);
      gl.enableVertexAttribArray(location);
      gl.vertexAttribPointer(
        location,
        size,
        type,
        normalized,
        (tile.blocks[attribute.block]?.stride ?? 0) * stride,
        attribute.offset,
      );
    };
    bindAttribute(
      attributeLocations.position,
      tile.position,
      3,
      tile.position.type === 'FLOAT32' ? gl.FLOAT : gl.UNSIGNED_SHORT,
      false,
    );
    bindAttribute(attributeLocations.color, tile.color, 4, gl.UNSIGNED_BYTE, true);
    bindAttribute(attributeLocations.intensity, tile.intensity, 1, gl.UNSIGNED_SHORT, true);
    if (!tile.color) gl.vertexAttrib4f(attributeLocations.color, 0.8, 0.8, 0.8, 1);
    arrays.set(stride, array);
    return array;
  }

  #ensureProgram(features: ShaderFeatures): GlProgram {
    const key = `${features.coloring} ${features.clipped} ${features.round}`;
    const existingProgram = this.#programs.get(key);
    if (existingProgram) return existingProgram;
    const gl = this.#gl;
    const program = buildProgram(gl, vertexShader(features), fragmentShader(features));
    this.#programs.set(key, program);
    return program;
  }
}
