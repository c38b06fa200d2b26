import type { PanoramaPicture } from '#plugins/tour';
import { decodePreview, fetchPreview, meshSize, readMesh } from './picture-reader.ts';

/** The texture below the tiles, and the range mesh for walks as a texture of unsigned 16-bit integers. */
export interface Preview {
  readonly texture: WebGLTexture;
  mesh?: WebGLTexture;
}

/** A preview that was requested before there was a graphics context. */
export interface EarlyPreview {
  readonly id: string;
  readonly bytes: Promise<Blob>;
  readonly controller: AbortController;
}

export function fetchEarlyPreview(picture: PanoramaPicture): EarlyPreview {
  const controller = new AbortController();
  return { id: picture.tiles.id, bytes: fetchPreview(picture, controller.signal), controller };
}

interface Entry {
  readonly controller: AbortController;
  readonly preview: Promise<Preview>;
  mesh?: Promise<WebGLTexture | undefined>;
  ready?: Preview;
  areBytesLoaded?: true;
}

const maxEntries = 10;
/** A preview has 1024 x 512 pixels of four bytes. */
const previewBytes = 1024 * 512 * 4;

/** Caches the ten most recently used previews and range meshes on the graphics card. */
export class PreviewStore {
  readonly #gl: WebGL2RenderingContext;
  readonly #onBytesLoaded: () => void;
  #earlyPreview: EarlyPreview | undefined;
  readonly #entries = new Map<string, Entry>();

  /**
   * @param onBytesLoaded called when the bytes of a preview are loaded
   * @param earlyPreview a preview that is already being fetched
   */
  constructor(gl: WebGL2RenderingContext, onBytesLoaded: () => void, earlyPreview?: EarlyPreview) {
    this.#gl = gl;
    this.#onBytesLoaded = onBytesLoaded;
    this.#earlyPreview = earlyPreview;
  }

  get bytes(): number {
    return (
      [...this.#entries.values()].filter((entry) => entry.ready).length *
      (previewBytes + meshSize.columns * meshSize.rows * 2)
    );
  }

  findReady(picture: PanoramaPicture): Preview | undefined {
    return this.#entries.get(picture.tiles.id)?.ready;
  }

  /**
   * True while the bytes of a preview are being fetched. Tiles are fetched afterwards, so that a picture is soon on
   * screen on a slow connection.
   */
  isFetching(picture: PanoramaPicture): boolean {
    const entry = this.#entries.get(picture.tiles.id);
    return entry !== undefined && entry.areBytesLoaded !== true;
  }

  /** Loads a preview. Rejects if it cannot be read. A failure is not cached, so that the next call retries. */
  load(picture: PanoramaPicture): Promise<Preview> {
    return this.#ensureEntry(picture).preview;
  }

  /** Loads a range mesh after its preview. Undefined if the picture has none, or if it cannot be read. */
  loadMesh(picture: PanoramaPicture): Promise<WebGLTexture | undefined> {
    const entry = this.#ensureEntry(picture);
    entry.mesh ??= entry.preview
      .then((ready) => this.#readMesh(picture, ready, entry.controller.signal))
      .catch(() => undefined);
    return entry.mesh;
  }

  /** Aborts unfinished fetches, except those of these pictures. */
  abortOthers(ids: ReadonlySet<string>): void {
    for (const [id, entry] of this.#entries) {
      if (!entry.ready && !ids.has(id)) this.#deleteEntry(id, entry);
    }
  }

  #ensureEntry(picture: PanoramaPicture): Entry {
    const id = picture.tiles.id;
    const cached = this.#entries.get(id);
    if (cached) {
      this.#entries.delete(id);
      this.#entries.set(id, cached);
      return cached;
    }
    const entry = this.#createEntry(picture);
    this.#entries.set(id, entry);
    entry.preview.catch(() => {
      if (this.#entries.get(id) === entry) this.#entries.delete(id);
    });
    for (const [oldestId, oldestEntry] of this.#entries) {
      if (this.#entries.size <= maxEntries) break;
      this.#deleteEntry(oldestId, oldestEntry);
    }
    return entry;
  }

  #createEntry(picture: PanoramaPicture): Entry {
    const earlyPreview = this.#earlyPreview?.id === picture.tiles.id ? this.#earlyPreview : undefined;
    this.#earlyPreview = undefined;
    const controller = earlyPreview?.controller ?? new AbortController();
    const { signal } = controller;
    const preview = decodePreview(earlyPreview?.bytes ?? fetchPreview(picture, signal), () => {
      entry.areBytesLoaded = true;
      this.#onBytesLoaded();
    }).then((bitmap): Preview => (entry.ready = { texture: this.#createTexture(bitmap, signal) }));
    const entry: Entry = { controller, preview };
    return entry;
  }

  async #readMesh(picture: PanoramaPicture, preview: Preview, signal: AbortSignal): Promise<WebGLTexture | undefined> {
    const ranges = picture.tiles.mesh ? await readMesh(picture, signal) : undefined;
    if (!ranges || signal.aborted) return undefined;
    preview.mesh = this.#createMesh(ranges);
    return preview.mesh;
  }

  #deleteEntry(id: string, entry: Entry): void {
    this.#entries.delete(id);
    entry.controller.abort();
    if (!entry.ready) return;
    this.#gl.deleteTexture(entry.ready.texture);
    if (entry.ready.mesh) this.#gl.deleteTexture(entry.ready.mesh);
  }

  #createTexture(bitmap: ImageBitmap, signal: AbortSignal): WebGLTexture {
    if (signal.aborted) {
      bitmap.close();
      throw new DOMException('The preview is not needed any more.', 'AbortError');
    }
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, bitmap);
    bitmap.close();
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.REPEAT);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    return texture;
  }

  #createMesh(ranges: Uint16Array): WebGLTexture {
    const gl = this.#gl;
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(
      gl.TEXTURE_2D,
      0,
      gl.R16UI,
      meshSize.columns,
      meshSize.rows,
      0,
      gl.RED_INTEGER,
      gl.UNSIGNED_SHORT,
      ranges,
    );
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    return texture;
  }
}
