import { Box3, Frustum, Matrix4, Vector3, type Object3D, type PerspectiveCamera } from 'three';
import {
  DEFAULT_DOWNLOAD_QUEUE,
  DEFAULT_LRU_CACHE,
  DEFAULT_PARSE_QUEUE,
  TilesRendererBase,
  type Tile,
} from '3d-tiles-renderer/core';
import { toRadians } from '#core';
import type { ModelPart, OpenTiles, TilesHost, TilesState } from '../model-content.ts';
import { ModelPiece } from '../model-piece.ts';
import { isMesh, toParts, readGlb } from '../read-model.ts';
import { computePartsBox } from '../loaded-model.ts';
import type { FetchBytes } from './read-tiled-model.ts';
import { SharedPictures } from './shared-pictures.ts';
import { decompress } from './decompress.ts';

export interface ModelTilesSource {
  /** URL of the `tileset.json`. */
  readonly url: string;
  /** Text of the `tileset.json`. */
  readonly tileset: string;
  readonly fetch: FetchBytes;
  /** Matrix from the tileset's frame (z up) to the site frame. */
  readonly tilesetToSite: Matrix4;
  /** Matrix from the frame of a tile's GLB (y up) to the site frame. */
  readonly glbToSite: Matrix4;
  /** Returns the id of the object with a key, or of the model itself for an unknown key. */
  readonly findObject: (key: string) => number;
}

/** Maximum bytes of invisible tiles and of all tiles. A device with little memory gets a fraction of them. */
const memoryLimits = { invisible: 256 * 1024 ** 2, all: 448 * 1024 ** 2 } as const;
const lowMemoryDevice = { gigabytes: 4, fraction: 0.5 } as const;
/**
 * Size in pixels of omitted detail, from `min` on a fast machine to `max` on a slow one. Each late frame multiplies it
 * by `growth`, and each timely frame divides it by `decline`. Above `reported`, people see a note.
 */
const omittedDetail = { min: 16, reported: 32, max: 64, growth: 1.1, decline: 1.02 } as const;
/** Time between frames that only add loaded tiles. On a slow machine, drawing would delay the loading of tiles. */
const newTilesDelayMs = 150;
const slowNewTilesDelayMs = 600;
/** Maximum number of checks for free memory after a frame found memory full, unless tiles are being loaded. */
const maxMemoryChecks = 20;
const maxDownloads = 6;
/** Number of tiles that are built between two frames, because building blocks the main thread. */
const maxTilesPerFrame = 4;

type LoadedTile = Tile & { readonly engineData: { scene: ModelPiece | null } };
interface TilesEvent {
  readonly type: string;
  readonly scene?: ModelPiece | null;
  readonly tile?: Tile | null;
  readonly visible?: boolean;
}
/** Result of the library's visibility test of a tile. */
interface ViewError {
  inView: boolean;
  /** Size of the omitted detail in pixels. */
  error: number;
  distanceFromCamera: number;
}

/**
 * The tiles of one model. 3d-tiles-renderer decides which tiles are visible, loaded first and kept in memory. Requests
 * use the session, and each tile becomes a `ModelPiece`. Only tilesets of the importer are supported, with boxes and
 * GLB.
 */
export class ModelTiles extends TilesRendererBase implements OpenTiles {
  readonly #source: ModelTilesSource;
  readonly #host: TilesHost;
  readonly #rootUrl: string;
  readonly #abort = new AbortController();
  readonly #pictures: SharedPictures;
  readonly #boxes = new WeakMap<Tile, Box3>();
  readonly #failed = new Set<Tile | null>();
  readonly #frustum = new Frustum();
  readonly #eye = new Vector3();
  /** Matrices from the tileset's frame to the scene's and back. */
  readonly #toScene: Matrix4;
  readonly #fromScene: Matrix4;
  #pixelsPerRadian = 1;
  #slow = false;
  #frameTimer: ReturnType<typeof setTimeout> | undefined;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: ModelTilesSource, host: TilesHost) {
    super(source.url);
    this.#source = source;
    this.#host = host;
    this.#rootUrl = new URL('.', new URL(source.url, window.location.href)).href;
    this.#pictures = new SharedPictures(
      (url, signal) => source.fetch(this.#toOriginalUrl(url), signal),
      this.#abort.signal,
    );
    const [x, y, z] = host.origin;
    this.#toScene = new Matrix4().makeTranslation(-x, -y, -z).multiply(source.tilesetToSite);
    this.#fromScene = this.#toScene.clone().invert();
    limitMemory();
    this.errorTarget = omittedDetail.min;
  }

  get state(): TilesState {
    return {
      loading: this.root === null || this.#isBusy,
      shownCount: this.visibleTiles.size,
      failedCount: this.#failed.size,
      isMemoryFull: this.lruCache.isFull(),
      isDetailReduced: this.errorTarget > omittedDetail.reported,
    };
  }

  get #isBusy(): boolean {
    return this.downloadQueue.running || this.parseQueue.running;
  }

  override update(camera?: PerspectiveCamera, height = 0, slow = false): void {
    if (!camera || height === 0) return;
    this.#slow = slow;
    this.errorTarget = slow
      ? Math.min(omittedDetail.max, this.errorTarget * omittedDetail.growth)
      : Math.max(omittedDetail.min, this.errorTarget / omittedDetail.decline);
    const { projectionMatrix, matrixWorldInverse, fov } = camera;
    this.#frustum.setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse).multiply(this.#toScene),
    );
    this.#eye.copy(camera.position).applyMatrix4(this.#fromScene);
    this.#pixelsPerRadian = height / (2 * Math.tan(toRadians(fov) / 2));
    const full = this.lruCache.isFull();
    super.update();
    this.#scheduleMemoryCheck(full);
  }

  retry(): void {
    // Tiles in the cache are not requested again. `resetFailedTiles` fails on tiles that were never visited.
    for (const tile of this.#failed) this.lruCache.remove(tile);
    this.#failed.clear();
  }

  override dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#frameTimer);
    clearTimeout(this.#checkTimer);
    super.dispose();
  }

  /** Called by the library, which has no event dispatcher of its own. */
  override dispatchEvent(event: TilesEvent): void {
    switch (event.type) {
      case 'needs-update':
        this.#scheduleFrame();
        break;
      case 'tile-visibility-change':
        event.scene?.setVisible(event.visible === true);
        break;
      case 'dispose-model':
        if (event.scene) this.#free(event.scene, event.tile as LoadedTile);
        break;
      case 'load-error':
        this.#failed.add(event.tile ?? null);
        this.#host.requestFrame();
        break;
    }
  }

  /** Called by the library. Returns the tileset, whose text is already loaded, or fetches a tile. */
  async fetchData(url: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
    // Declares version 1.0, because the library warns about parts of 1.1, although the importer does not write them.
    if (url === this.#source.url) return { ...(JSON.parse(this.#source.tileset) as object), asset: { version: '1.0' } };
    return decompress(await this.#source.fetch(this.#toOriginalUrl(url), signal ?? this.#abort.signal)).arrayBuffer();
  }

  /** Called by the library. */
  calculateTileViewError(tile: Tile, view: ViewError): void {
    const box = this.#computeBox(tile);
    const distance = box.distanceToPoint(this.#eye);
    view.inView = this.#frustum.intersectsBox(box);
    view.distanceFromCamera = distance;
    view.error = distance === 0 ? Infinity : (tile.geometricError / distance) * this.#pixelsPerRadian;
  }

  /** Called by the library. */
  async parseTile(
    bytes: ArrayBuffer,
    tile: LoadedTile,
    _extension: string,
    url: string,
    signal: AbortSignal,
  ): Promise<void> {
    const pictureErrors: unknown[] = [];
    const { scene } = await readGlb(
      bytes,
      new URL('.', url).href,
      this.#pictures.createLoader((error) => pictureErrors.push(error)),
    );
    scene.applyMatrix4(this.#source.glbToSite);
    scene.updateMatrixWorld(true);
    const parts: ModelPart[] = [];
    const visit = (node: Object3D, parent: number): void => {
      const key: unknown = node.userData['object'];
      const object = typeof key === 'string' ? this.#source.findObject(key) : parent;
      if (isMesh(node)) parts.push(...toParts(node, object));
      for (const child of node.children) visit(child, object);
    };
    visit(scene, this.#source.findObject(''));
    if (pictureErrors.length > 0 || signal.aborted) {
      for (const { geometry } of parts) geometry.dispose();
      if (pictureErrors.length > 0) throw pictureErrors[0];
      return;
    }
    if (parts.length === 0) return;
    // A tile that finer tiles replace is an approximation. Measurements need its error.
    const isApproximation = tile.refine === 'REPLACE' && (tile.children?.length ?? 0) > 0;
    const piece = new ModelPiece(
      parts,
      this.#host.origin,
      computePartsBox(parts),
      isApproximation ? tile.geometricError : 0,
    );
    piece.setVisible(false);
    tile.engineData.scene = piece;
    this.#host.add(piece);
  }

  /** Called by the library. */
  calculateBytesUsed(_tile: Tile, piece: ModelPiece | null): number {
    return piece?.bytes ?? 0;
  }

  #scheduleFrame(): void {
    this.#frameTimer ??= setTimeout(
      () => {
        this.#frameTimer = undefined;
        this.#host.requestFrame();
      },
      this.#slow ? slowNewTilesDelayMs : newTilesDelayMs,
    );
  }

  /**
   * Requests a frame when memory is free or loading has ended. If a frame found memory full, the library removes
   * invisible tiles after it and requests omitted tiles in the next frame. It sends no event when full memory aborts a
   * load.
   */
  #scheduleMemoryCheck(wasMemoryFull: boolean): void {
    clearTimeout(this.#checkTimer);
    const wasBusy = this.#isBusy;
    if (!wasMemoryFull && !wasBusy) return;
    let checks = 0;
    const check = (): void => {
      checks += 1;
      if ((wasMemoryFull && !this.lruCache.isFull()) || (wasBusy && !this.#isBusy)) this.#scheduleFrame();
      else if (wasBusy || checks < maxMemoryChecks) this.#checkTimer = setTimeout(check, newTilesDelayMs);
    };
    this.#checkTimer = setTimeout(check, newTilesDelayMs);
  }

  #free(piece: ModelPiece, tile: LoadedTile): void {
    this.#host.remove(piece);
    piece.dispose();
    tile.engineData.scene = null;
  }

  /** Converts a URL resolved by the library back to the original form that the session's requests need. */
  #toOriginalUrl(url: string): string {
    const absoluteUrl = new URL(url, window.location.href).href;
    return absoluteUrl.startsWith(this.#rootUrl)
      ? this.#source.url.replace(/[^/]*$/, '') + absoluteUrl.slice(this.#rootUrl.length)
      : url;
  }

  #computeBox(tile: Tile): Box3 {
    const cached = this.#boxes.get(tile);
    if (cached) return cached;
    const [x = 0, y = 0, z = 0, halfX = 0, , , , halfY = 0, , , , halfZ = 0] = tile.boundingVolume.box ?? [];
    const halfSize = new Vector3(halfX, halfY, halfZ);
    const middle = new Vector3(x, y, z);
    const box = new Box3(middle.clone().sub(halfSize), middle.add(halfSize));
    this.#boxes.set(tile, box);
    return box;
  }
}

/** Limits the cache and the queues, which all models of the page share. */
function limitMemory(): void {
  const { deviceMemory } = navigator as { readonly deviceMemory?: number };
  const fraction =
    deviceMemory !== undefined && deviceMemory <= lowMemoryDevice.gigabytes ? lowMemoryDevice.fraction : 1;
  Object.assign(DEFAULT_LRU_CACHE, {
    minSize: 0,
    minBytesSize: memoryLimits.invisible * fraction,
    maxBytesSize: memoryLimits.all * fraction,
  });
  DEFAULT_DOWNLOAD_QUEUE.maxJobsPerOrigin = maxDownloads;
  DEFAULT_PARSE_QUEUE.maxJobs = maxTilesPerFrame;
}
