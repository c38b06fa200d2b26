import { toRadians, type Point3 } from '#core';
import type { PictureCorrection } from '#plugins/tour';
import { writeClipMatrix, type Camera } from '../math/camera.ts';
import type { TileBounds } from '../math/tile-grid.ts';
import { createPatchGrid, type PatchGrid } from './patch-grid.ts';
import { attributeLocations, startProgram, finishProgram, type Program } from './program.ts';
import { fragmentShaders, vertexShaders, withCorrection, type ProgramName } from './shaders.ts';
import type { TilePages, TileSlot } from './tile-pages.ts';

/** A tile to draw. `fillX` and `fillY` are the fractions of the layer that the tile fills. */
export interface DrawnTile {
  readonly bounds: TileBounds;
  readonly slot: TileSlot;
  readonly fillX: number;
  readonly fillY: number;
}

/** A picture to draw. The preview is below the tiles, and coarse tiles are below fine ones. */
export interface Scene {
  readonly heading: number;
  /** Undefined if the tiles cover the view. */
  readonly preview: WebGLTexture | undefined;
  readonly tiles: readonly DrawnTile[];
  /** Only for a walk: the range mesh, and the position of the eye relative to the picture's camera, metres. */
  readonly walk?: { readonly mesh: WebGLTexture; readonly eye: Point3 };
}

/** Maximum number of tiles in one frame. */
const maxDrawnTiles = 64;
const floatsPerTile = 7;

/** Draws scenes with one vertex array per grid and one instance buffer. Keeps no state of pictures. */
export class Renderer {
  drawCalls = 0;
  /** Undefined for the original pictures. */
  correction: PictureCorrection | undefined;
  readonly #gl: WebGL2RenderingContext;
  /**
   * Programs whose compilation has started. The program of the first picture starts first, so that the picture waits
   * only for that one.
   */
  readonly #startedPrograms = new Map<string, WebGLProgram>();
  readonly #programs = new Map<string, Program>();
  readonly #grids = new Map<string, PatchGrid>();
  readonly #instances: WebGLBuffer;
  readonly #instanceValues = new Float32Array(maxDrawnTiles * floatsPerTile);
  readonly #clipMatrix = new Float32Array(16);
  #offscreen:
    | {
        readonly framebuffer: WebGLFramebuffer;
        readonly colour: WebGLTexture;
        readonly depth: WebGLRenderbuffer;
        width: number;
        height: number;
      }
    | undefined;

  constructor(gl: WebGL2RenderingContext) {
    this.#gl = gl;
    this.#startProgram('previewFlat');
    this.#instances = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
    gl.bufferData(gl.ARRAY_BUFFER, this.#instanceValues.byteLength, gl.DYNAMIC_DRAW);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_COLORSPACE_CONVERSION_WEBGL, gl.NONE);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 2);
    gl.depthFunc(gl.LEQUAL);
    gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA);
  }

  beginFrame(): void {
    this.drawCalls = 0;
    this.#gl.bindFramebuffer(this.#gl.FRAMEBUFFER, null);
  }

  /** Draws onto the canvas. `columns` limits the drawing to a range of columns. */
  draw(scene: Scene, camera: Camera, pages: TilePages, columns?: { readonly from: number; readonly to: number }): void {
    const gl = this.#gl;
    gl.viewport(0, 0, camera.width, camera.height);
    if (columns) {
      gl.enable(gl.SCISSOR_TEST);
      gl.scissor(columns.from, 0, columns.to - columns.from, camera.height);
    }
    gl.clear(gl.COLOR_BUFFER_BIT);
    this.#drawScene(scene, camera, pages);
    if (columns) gl.disable(gl.SCISSOR_TEST);
  }

  /** Draws into an offscreen framebuffer with depth and blends the result over the canvas. */
  drawOver(scene: Scene, camera: Camera, pages: TilePages, opacity: number): void {
    const gl = this.#gl;
    const { framebuffer, colour } = this.#ensureOffscreen(camera.width, camera.height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.viewport(0, 0, camera.width, camera.height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (scene.walk) gl.enable(gl.DEPTH_TEST);
    this.#drawScene(scene, camera, pages);
    gl.disable(gl.DEPTH_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    const { handle, findUniform } = this.#getProgram('blend');
    gl.useProgram(handle);
    gl.uniform1f(findUniform('opacity'), opacity);
    gl.bindTexture(gl.TEXTURE_2D, colour);
    gl.enable(gl.BLEND);
    const grid = this.#getGrid(1, 1);
    grid.bind();
    gl.drawElements(gl.TRIANGLES, grid.indexCount, gl.UNSIGNED_INT, 0);
    gl.disable(gl.BLEND);
    this.drawCalls++;
  }

  #getProgram(name: ProgramName): Program {
    const key = this.#toKey(name);
    const cached = this.#programs.get(key) ?? finishProgram(this.#gl, this.#startProgram(name));
    this.#programs.set(key, cached);
    return cached;
  }

  #startProgram(name: ProgramName): WebGLProgram {
    const key = this.#toKey(name);
    const fragment = fragmentShaders[name];
    const cached =
      this.#startedPrograms.get(key) ??
      startProgram(this.#gl, vertexShaders[name], key === name ? fragment : withCorrection(fragment));
    this.#startedPrograms.set(key, cached);
    return cached;
  }

  #toKey(name: ProgramName): string {
    return this.correction && name !== 'blend' ? `${name} corrected` : name;
  }

  #getGrid(columns: number, rows: number, instanced = false): PatchGrid {
    const key = `${columns}x${rows}${instanced ? ' instanced' : ''}`;
    const cached = this.#grids.get(key) ?? createPatchGrid(this.#gl, columns, rows, instanced);
    this.#grids.set(key, cached);
    return cached;
  }

  #drawScene(scene: Scene, camera: Camera, pages: TilePages): void {
    writeClipMatrix(camera, this.#clipMatrix);
    if (scene.preview) {
      this.#drawPreview(scene, scene.preview);
      this.#startProgram('tileFlat');
    }
    if (scene.tiles.length > 0) this.#drawTiles(scene, pages);
  }

  #useProgram(kind: 'preview' | 'tile', scene: Scene): void {
    const gl = this.#gl;
    const { handle, findUniform } = this.#getProgram(`${kind}${scene.walk ? 'Walk' : 'Flat'}`);
    gl.useProgram(handle);
    gl.uniformMatrix4fv(findUniform('clip'), false, this.#clipMatrix);
    gl.uniform1i(findUniform('picture'), 0);
    if (this.correction) {
      gl.uniform1f(findUniform('gamma'), 2 ** -this.correction.brightness);
      gl.uniform1f(findUniform('contrast'), 2 ** this.correction.contrast);
    }
    if (scene.walk) {
      gl.uniform1i(findUniform('ranges'), 1);
      gl.uniform1f(findUniform('leftEdge'), toRadians(scene.heading - 180));
      gl.uniform3f(findUniform('eye'), ...scene.walk.eye);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, scene.walk.mesh);
      gl.activeTexture(gl.TEXTURE0);
    }
  }

  /**
   * In a walk, the grid of a tile has as many cells as the range mesh in that area, so that the tile has the same
   * vertices as the preview below it.
   */
  #getTileGrid(bounds: TileBounds, isWalk: boolean): PatchGrid {
    const cells = isWalk ? Math.max(8, Math.round(((bounds.right - bounds.left) / 360) * 256)) : 16;
    return this.#getGrid(cells, cells, true);
  }

  #drawPreview(scene: Scene, preview: WebGLTexture): void {
    const gl = this.#gl;
    this.#useProgram('preview', scene);
    const grid = scene.walk ? this.#getGrid(256, 128) : this.#getGrid(64, 32);
    grid.bind();
    const left = toRadians(scene.heading - 180);
    gl.vertexAttrib4f(attributeLocations.bounds, left, Math.PI / 2, left + 2 * Math.PI, -Math.PI / 2);
    gl.bindTexture(gl.TEXTURE_2D, preview);
    if (scene.walk) {
      gl.enable(gl.POLYGON_OFFSET_FILL);
      gl.polygonOffset(2, 4);
    }
    gl.drawElements(gl.TRIANGLES, grid.indexCount, gl.UNSIGNED_INT, 0);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    this.drawCalls++;
  }

  #drawTiles(scene: Scene, pages: TilePages): void {
    const gl = this.#gl;
    const tiles = scene.tiles
      .slice(0, maxDrawnTiles)
      .sort((a, b) => a.bounds.level - b.bounds.level || a.slot.page - b.slot.page);
    tiles.forEach(({ bounds, slot, fillX, fillY }, index) => {
      const left = scene.heading - 180;
      this.#instanceValues.set(
        [
          toRadians(left + bounds.left),
          toRadians(bounds.top),
          toRadians(left + bounds.right),
          toRadians(bounds.bottom),
          slot.layer,
          fillX,
          fillY,
        ],
        index * floatsPerTile,
      );
    });
    this.#useProgram('tile', scene);
    const stride = floatsPerTile * 4;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, this.#instanceValues, 0, tiles.length * floatsPerTile);
    for (let from = 0; from < tiles.length;) {
      const firstTile = tiles[from]!;
      let to = from + 1;
      while (
        to < tiles.length &&
        tiles[to]!.slot.page === firstTile.slot.page &&
        tiles[to]!.bounds.level === firstTile.bounds.level
      )
        to++;
      const grid = this.#getTileGrid(firstTile.bounds, scene.walk !== undefined);
      grid.bind();
      gl.bindBuffer(gl.ARRAY_BUFFER, this.#instances);
      gl.vertexAttribPointer(attributeLocations.bounds, 4, gl.FLOAT, false, stride, from * stride);
      gl.vertexAttribPointer(attributeLocations.layerFill, 3, gl.FLOAT, false, stride, from * stride + 16);
      gl.bindTexture(gl.TEXTURE_2D_ARRAY, pages.findTexture(firstTile.slot.page) ?? null);
      gl.drawElementsInstanced(gl.TRIANGLES, grid.indexCount, gl.UNSIGNED_INT, 0, to - from);
      this.drawCalls++;
      from = to;
    }
  }

  #ensureOffscreen(
    width: number,
    height: number,
  ): { readonly framebuffer: WebGLFramebuffer; readonly colour: WebGLTexture } {
    const gl = this.#gl;
    const cached = this.#offscreen;
    if (cached?.width === width && cached.height === height) return cached;
    if (cached) {
      gl.deleteTexture(cached.colour);
      gl.deleteRenderbuffer(cached.depth);
      gl.deleteFramebuffer(cached.framebuffer);
    }
    const framebuffer = gl.createFramebuffer();
    const colour = gl.createTexture();
    const depth = gl.createRenderbuffer();
    gl.bindTexture(gl.TEXTURE_2D, colour);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.bindRenderbuffer(gl.RENDERBUFFER, depth);
    gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT16, width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, colour, 0);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, depth);
    this.#offscreen = { framebuffer, colour, depth, width, height };
    return this.#offscreen;
  }
}
