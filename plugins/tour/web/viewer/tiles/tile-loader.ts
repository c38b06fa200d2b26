import type { TileBounds } from '../math/tile-grid.ts';

/** A tile to fetch. `read` is not called again before it has settled or was aborted. */
export interface TileRequest {
  readonly key: string;
  /** Id of the picture. */
  readonly picture: string;
  readonly bounds: TileBounds;
  readonly read: (signal: AbortSignal) => Promise<ImageBitmap>;
}

export interface LoadedTile {
  readonly request: TileRequest;
  readonly bitmap: ImageBitmap;
}

const maxConcurrent = 6;
/**
 * Delays before the retries of a failed tile. After the last retry, the tile is skipped until `retry` or `clear` is
 * called.
 */
const retryDelaysMs = [1_000, 4_000];

/**
 * Fetches and decodes the requested tiles in the given order, up to six at once. Requests that are not in the list any
 * more are aborted. Decoded tiles are added to `loaded`, from which the engine removes them.
 */
export class TileLoader {
  readonly loaded: LoadedTile[] = [];
  readonly #onLoaded: () => void;
  readonly #onSkipped: () => void;
  readonly #running = new Map<string, AbortController>();
  readonly #failures = new Map<string, { readonly count: number; readonly retryAt: number }>();
  #queue: readonly TileRequest[] = [];
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** `onLoaded` is called for each decoded tile, `onSkipped` for each tile that failed after its last retry. */
  constructor(onLoaded: () => void, onSkipped: () => void) {
    this.#onLoaded = onLoaded;
    this.#onSkipped = onSkipped;
  }

  /** True if tiles are being fetched or will be fetched, or if the engine has not removed all loaded tiles yet. */
  get busy(): boolean {
    return (
      this.#running.size > 0 || this.loaded.length > 0 || this.#queue.some((request) => !this.#isSkipped(request.key))
    );
  }

  /** Replaces the list of requested tiles. */
  setRequests(requests: readonly TileRequest[]): void {
    const keys = new Set(requests.map((request) => request.key));
    for (const [key, controller] of this.#running) if (!keys.has(key)) controller.abort();
    for (let index = this.loaded.length - 1; index >= 0; index--) {
      if (!keys.has(this.loaded[index]!.request.key)) this.loaded.splice(index, 1)[0]!.bitmap.close();
    }
    const loadedKeys = new Set(this.loaded.map((loadedTile) => loadedTile.request.key));
    this.#queue = requests.filter((request) => !loadedKeys.has(request.key));
    this.#startFetches();
  }

  /** Retries the skipped tiles. */
  retry(): void {
    this.#failures.clear();
    this.#startFetches();
  }

  /** Aborts all requests, and clears all failures. */
  clear(): void {
    this.setRequests([]);
    this.#failures.clear();
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  #isSkipped(key: string): boolean {
    return (this.#failures.get(key)?.count ?? 0) > retryDelaysMs.length;
  }

  #startFetches(): void {
    const now = performance.now();
    for (const request of this.#queue) {
      if (this.#running.size >= maxConcurrent) return;
      if (
        this.#running.has(request.key) ||
        this.#isSkipped(request.key) ||
        (this.#failures.get(request.key)?.retryAt ?? 0) > now
      )
        continue;
      this.#fetch(request);
    }
  }

  #fetch(request: TileRequest): void {
    const controller = new AbortController();
    this.#running.set(request.key, controller);
    void request
      .read(controller.signal)
      .then(
        (bitmap) => this.#addLoaded(request, bitmap, controller.signal),
        () => {
          if (!controller.signal.aborted) this.#recordFailure(request.key);
        },
      )
      .finally(() => {
        if (this.#running.get(request.key) === controller) this.#running.delete(request.key);
        this.#startFetches();
      });
    controller.signal.addEventListener('abort', () => {
      if (this.#running.get(request.key) === controller) this.#running.delete(request.key);
    });
  }

  #addLoaded(loadedRequest: TileRequest, bitmap: ImageBitmap, signal: AbortSignal): void {
    if (signal.aborted) {
      bitmap.close();
      return;
    }
    this.#failures.delete(loadedRequest.key);
    this.#queue = this.#queue.filter((request) => request.key !== loadedRequest.key);
    this.loaded.push({ request: loadedRequest, bitmap });
    this.#onLoaded();
  }

  #recordFailure(key: string): void {
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const delayMs = retryDelaysMs[count - 1] ?? 0;
    this.#failures.set(key, { count, retryAt: performance.now() + delayMs });
    if (count > retryDelaysMs.length) return this.#onSkipped();
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#startFetches(), delayMs + 1);
  }
}
