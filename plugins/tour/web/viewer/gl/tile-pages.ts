/** A slot for one tile on the graphics card. */
export interface TileSlot {
  readonly page: number;
  readonly layer: number;
}

/** Tiles per page. A page is one array texture and so one draw call. */
const layersPerPage = 16;

/**
 * Slots for tiles of one size in array textures of 16 layers. The textures are created on demand and never released, so
 * that a long walk through a tour allocates no more textures.
 */
export class TilePages {
  readonly #gl: WebGL2RenderingContext;
  readonly #size: number;
  readonly #maxPages: number;
  readonly #pages: WebGLTexture[] = [];
  readonly #freeSlots: TileSlot[] = [];

  /** @param maxTiles maximum number of tiles, rounded up to full pages */
  constructor(gl: WebGL2RenderingContext, size: number, maxTiles: number) {
    this.#gl = gl;
    this.#size = size;
    this.#maxPages = Math.ceil(maxTiles / layersPerPage);
  }

  get bytes(): number {
    return this.#pages.length * layersPerPage * this.#size * this.#size * 4;
  }

  findTexture(page: number): WebGLTexture | undefined {
    return this.#pages[page];
  }

  /** Returns a free slot. Undefined if all slots are used. */
  acquireSlot(): TileSlot | undefined {
    if (this.#freeSlots.length === 0 && this.#pages.length < this.#maxPages) this.#addPage();
    return this.#freeSlots.pop();
  }

  releaseSlot(slot: TileSlot): void {
    this.#freeSlots.push(slot);
  }

  upload(slot: TileSlot, bitmap: ImageBitmap): void {
    const gl = this.#gl;
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, this.#pages[slot.page] ?? null);
    gl.texSubImage3D(
      gl.TEXTURE_2D_ARRAY,
      0,
      0,
      0,
      slot.layer,
      bitmap.width,
      bitmap.height,
      1,
      gl.RGBA,
      gl.UNSIGNED_BYTE,
      bitmap,
    );
  }

  #addPage(): void {
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
    gl.texStorage3D(gl.TEXTURE_2D_ARRAY, 1, gl.RGBA8, this.#size, this.#size, layersPerPage);
    for (const axis of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T])
      gl.texParameteri(gl.TEXTURE_2D_ARRAY, axis, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D_ARRAY, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    const page = this.#pages.push(texture) - 1;
    for (let layer = layersPerPage - 1; layer >= 0; layer--) this.#freeSlots.push({ page, layer });
  }
}
