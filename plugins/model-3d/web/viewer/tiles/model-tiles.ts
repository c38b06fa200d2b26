import { Box3, Frustum, Matrix4, Vector3, type Object3D, type PerspectiveCamera } from 'three';
import {
  DEFAULT_DOWNLOAD_QUEUE,
  DEFAULT_LRU_CACHE,
  DEFAULT_PARSE_QUEUE,
  TilesRendererBase,
  type Tile,
} from '3d-tiles-renderer/core';
import { radians } from '#core';
import type { ModelPart, OpenTiles, TilesHost, TilesState } from '../model-content.ts';
import { ModelPiece } from '../model-piece.ts';
import { isMesh, toParts, readGlb } from '../read-model.ts';
import { boxOfParts } from '../shown-model.ts';
import type { FetchBytes } from './read-tiled-model.ts';
import { SharedPictures } from './shared-pictures.ts';
import { unpack } from './unpack.ts';

export interface ModelTilesSource {
  /** Address of the `tileset.json`, and its text. */
  readonly address: string;
  readonly tileset: string;
  readonly fetch: FetchBytes;
  /** From the tileset's frame, z up, to the site frame. */
  readonly frame: Matrix4;
  /** From a tile's GLB, y up, to the site frame. */
  readonly content: Matrix4;
  /** Id of the object with a key; that of the model itself for an unknown key. */
  readonly toObject: (key: string) => number;
}

/** Bytes that invisible tiles may keep, and limit of all tiles; less on a machine with little memory. */
const memory = { kept: 256 * 1024 ** 2, most: 448 * 1024 ** 2 } as const;
const littleMemory = { gigabytes: 4, share: 0.5 } as const;
/**
 * Size in pixels of omitted detail, on a fast machine and at most on a slow one. It grows by `growth` per late frame
 * and shrinks by `return` per timely one. From `reported` on, the reduced detail is reported.
 */
const leftOut = { usual: 16, reported: 32, most: 64, growth: 1.1, return: 1.02 } as const;
/** Milliseconds between frames that only show loaded tiles; longer if drawing delays the loading of tiles. */
const arrivals = 150;
const slowArrivals = 600;
/** Limits the checks for free memory after a frame that found none, while nothing loads. */
const maxMemoryChecks = 20;
const downloadsAtOnce = 6;
/** Tiles built between two frames, because building blocks the main thread. */
const builtAtOnce = 4;

type OwnTile = Tile & { readonly engineData: { scene: ModelPiece | null } };
interface TilesEvent {
  readonly type: string;
  readonly scene?: ModelPiece | null;
  readonly tile?: Tile | null;
  readonly visible?: boolean;
}
/** Result of the library's visibility test of a tile. */
interface ViewError {
  inView: boolean;
  /** Pixels. */
  error: number;
  distanceFromCamera: number;
}

/**
 * The tiles of one model. 3d-tiles-renderer decides which are visible, loaded first and kept in memory. Requests go
 * through the session, and each tile becomes a `ModelPiece`. Supports what the importer writes: explicit tiles with
 * boxes, and GLB.
 */
export class ModelTiles extends TilesRendererBase implements OpenTiles {
  readonly #source: ModelTilesSource;
  readonly #host: TilesHost;
  readonly #root: string;
  readonly #abort = new AbortController();
  readonly #pictures: SharedPictures;
  readonly #boxes = new WeakMap<Tile, Box3>();
  readonly #failed = new Set<Tile | null>();
  readonly #frustum = new Frustum();
  readonly #eye = new Vector3();
  /** From the tileset's frame to the scene's, and back. */
  readonly #toScene: Matrix4;
  readonly #fromScene: Matrix4;
  #pixelsPerRadian = 1;
  #slow = false;
  #arrival: ReturnType<typeof setTimeout> | undefined;
  #checkTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(source: ModelTilesSource, host: TilesHost) {
    super(source.address);
    this.#source = source;
    this.#host = host;
    this.#root = new URL('.', new URL(source.address, window.location.href)).href;
    this.#pictures = new SharedPictures(
      (address, signal) => source.fetch(this.#resolveAddress(address), signal),
      this.#abort.signal,
    );
    const [x, y, z] = host.origin;
    this.#toScene = new Matrix4().makeTranslation(-x, -y, -z).multiply(source.frame);
    this.#fromScene = this.#toScene.clone().invert();
    limitMemory();
    this.errorTarget = leftOut.usual;
  }

  get state(): TilesState {
    return {
      loading: this.root === null || this.#isBusy,
      shown: this.visibleTiles.size,
      failed: this.#failed.size,
      full: this.lruCache.isFull(),
      thinned: this.errorTarget > leftOut.reported,
    };
  }

  get #isBusy(): boolean {
    return this.downloadQueue.running || this.parseQueue.running;
  }

  override update(camera?: PerspectiveCamera, height = 0, slow = false): void {
    if (!camera || height === 0) return;
    this.#slow = slow;
    this.errorTarget = slow
      ? Math.min(leftOut.most, this.errorTarget * leftOut.growth)
      : Math.max(leftOut.usual, this.errorTarget / leftOut.return);
    const { projectionMatrix, matrixWorldInverse, fov } = camera;
    this.#frustum.setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(projectionMatrix, matrixWorldInverse).multiply(this.#toScene),
    );
    this.#eye.copy(camera.position).applyMatrix4(this.#fromScene);
    this.#pixelsPerRadian = height / (2 * Math.tan(radians(fov) / 2));
    const full = this.lruCache.isFull();
    super.update();
    this.#scheduleCheck(full);
  }

  retry(): void {
    // Tiles in the cache are not requested again. `resetFailedTiles` fails on tiles that were never visited.
    for (const tile of this.#failed) this.lruCache.remove(tile);
    this.#failed.clear();
  }

  override dispose(): void {
    this.#abort.abort();
    clearTimeout(this.#arrival);
    clearTimeout(this.#checkTimer);
    super.dispose();
  }

  /** Called by the library, which leaves events to each engine. */
  override dispatchEvent(event: TilesEvent): void {
    switch (event.type) {
      case 'needs-update':
        this.#drawSoon();
        break;
      case 'tile-visibility-change':
        event.scene?.setVisible(event.visible === true);
        break;
      case 'dispose-model':
        if (event.scene) this.#free(event.scene, event.tile as OwnTile);
        break;
      case 'load-error':
        this.#failed.add(event.tile ?? null);
        this.#host.draw();
        break;
    }
  }

  /** Called by the library: the root comes from the text read before, tiles through the session. */
  async fetchData(address: string, { signal }: { readonly signal?: AbortSignal } = {}): Promise<unknown> {
    // The library warns about parts of 1.1 that it does not support and that are never written here.
    if (address === this.#source.address)
      return { ...(JSON.parse(this.#source.tileset) as object), asset: { version: '1.0' } };
    return unpack(await this.#source.fetch(this.#resolveAddress(address), signal ?? this.#abort.signal)).arrayBuffer();
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
    tile: OwnTile,
    _extension: string,
    address: string,
    signal: AbortSignal,
  ): Promise<void> {
    const failures: unknown[] = [];
    const { scene } = await readGlb(
      bytes,
      new URL('.', address).href,
      this.#pictures.loader((error) => failures.push(error)),
    );
    scene.applyMatrix4(this.#source.content);
    scene.updateMatrixWorld(true);
    const parts: ModelPart[] = [];
    const visit = (thing: Object3D, above: number): void => {
      const key: unknown = thing.userData['object'];
      const own = typeof key === 'string' ? this.#source.toObject(key) : above;
      if (isMesh(thing)) parts.push(...toParts(thing, own));
      for (const child of thing.children) visit(child, own);
    };
    visit(scene, this.#source.toObject(''));
    if (failures.length > 0 || signal.aborted) {
      for (const { geometry } of parts) geometry.dispose();
      if (failures.length > 0) throw failures[0];
      return;
    }
    if (parts.length === 0) return;
    // Finer tiles replace an approximation, which must not be measured.
    const coarse = tile.refine === 'REPLACE' && (tile.children?.length ?? 0) > 0;
    const piece = new ModelPiece(parts, this.#host.origin, boxOfParts(parts), coarse ? tile.geometricError : 0);
    piece.setVisible(false);
    tile.engineData.scene = piece;
    this.#host.add(piece);
  }

  /** Called by the library. */
  calculateBytesUsed(_tile: Tile, piece: ModelPiece | null): number {
    return piece?.bytes ?? 0;
  }

  #drawSoon(): void {
    this.#arrival ??= setTimeout(
      () => {
        this.#arrival = undefined;
        this.#host.draw();
      },
      this.#slow ? slowArrivals : arrivals,
    );
  }

  /**
   * Draws again once memory is free or nothing loads. Invisible tiles are removed after the frame that found memory
   * full, and the next frame requests the refused ones. A load that is aborted because memory is full ends without an
   * event.
   */
  #scheduleCheck(full: boolean): void {
    clearTimeout(this.#checkTimer);
    const wasBusy = this.#isBusy;
    if (!full && !wasBusy) return;
    let checks = 0;
    const check = (): void => {
      checks += 1;
      if ((full && !this.lruCache.isFull()) || (wasBusy && !this.#isBusy)) this.#drawSoon();
      else if (wasBusy || checks < maxMemoryChecks) this.#checkTimer = setTimeout(check, arrivals);
    };
    this.#checkTimer = setTimeout(check, arrivals);
  }

  #free(piece: ModelPiece, tile: OwnTile): void {
    this.#host.remove(piece);
    piece.dispose();
    tile.engineData.scene = null;
  }

  /** The library resolves addresses; the session's calls need the original ones. */
  #resolveAddress(address: string): string {
    const whole = new URL(address, window.location.href).href;
    return whole.startsWith(this.#root)
      ? this.#source.address.replace(/[^/]*$/, '') + whole.slice(this.#root.length)
      : address;
  }

  #computeBox(tile: Tile): Box3 {
    const known = this.#boxes.get(tile);
    if (known) return known;
    const [x = 0, y = 0, z = 0, halfX = 0, , , , halfY = 0, , , , halfZ = 0] = tile.boundingVolume.box ?? [];
    const half = new Vector3(halfX, halfY, halfZ);
    const middle = new Vector3(x, y, z);
    const box = new Box3(middle.clone().sub(half), middle.add(half));
    this.#boxes.set(tile, box);
    return box;
  }
}

/** One cache and one download queue for all models of the page. */
function limitMemory(): void {
  const { deviceMemory } = navigator as { readonly deviceMemory?: number };
  const share = deviceMemory !== undefined && deviceMemory <= littleMemory.gigabytes ? littleMemory.share : 1;
  Object.assign(DEFAULT_LRU_CACHE, {
    minSize: 0,
    minBytesSize: memory.kept * share,
    maxBytesSize: memory.most * share,
  });
  DEFAULT_DOWNLOAD_QUEUE.maxJobsPerOrigin = downloadsAtOnce;
  DEFAULT_PARSE_QUEUE.maxJobs = builtAtOnce;
}
