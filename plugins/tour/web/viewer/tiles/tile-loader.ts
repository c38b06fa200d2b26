import type { TilePlace } from '../math/tile-grid.ts';

/** A tile to fetch. `read` is never called concurrently. */
export interface TileRequest {
  readonly key: string;
  /** Id of the picture. */
  readonly picture: string;
  readonly place: TilePlace;
  readonly read: (signal: AbortSignal) => Promise<ImageBitmap>;
}

export interface Arrival {
  readonly request: TileRequest;
  readonly bitmap: ImageBitmap;
}

const atOnce = 6;
/**
 * Milliseconds before the retries of a failed tile. After the last retry it is skipped until `retry`, or until the
 * picture is shown again.
 */
const retryDelaysMs = [1_000, 4_000];

/**
 * Fetches and decodes the requested tiles in the given order, up to six at once. Requests that are no longer in the
 * list are aborted. Decoded tiles wait in `arrivals` until they are taken.
 */
export class TileLoader {
  readonly arrivals: Arrival[] = [];
  readonly #arrived: () => void;
  readonly #gaveUp: () => void;
  readonly #running = new Map<string, AbortController>();
  readonly #failures = new Map<string, { readonly count: number; readonly until: number }>();
  #queue: readonly TileRequest[] = [];
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** `arrived` is called for each decoded tile, `gaveUp` for each that is skipped from then on. */
  constructor(arrived: () => void, gaveUp: () => void) {
    this.#arrived = arrived;
    this.#gaveUp = gaveUp;
  }

  /** True while tiles are being fetched, waiting, or due for a retry. */
  get busy(): boolean {
    return (
      this.#running.size > 0 || this.arrivals.length > 0 || this.#queue.some((request) => !this.#isGivenUp(request.key))
    );
  }

  /** Replaces the list of requests. */
  want(requests: readonly TileRequest[]): void {
    const keys = new Set(requests.map((request) => request.key));
    for (const [key, controller] of this.#running) if (!keys.has(key)) controller.abort();
    for (let index = this.arrivals.length - 1; index >= 0; index--) {
      if (!keys.has(this.arrivals[index]!.request.key)) this.arrivals.splice(index, 1)[0]!.bitmap.close();
    }
    const waiting = new Set(this.arrivals.map((arrival) => arrival.request.key));
    this.#queue = requests.filter((request) => !waiting.has(request.key));
    this.#start();
  }

  /** Retries the skipped tiles. */
  retry(): void {
    this.#failures.clear();
    this.#start();
  }

  /** Aborts everything and forgets failures. */
  clear(): void {
    this.want([]);
    this.#failures.clear();
    clearTimeout(this.#retry);
    this.#retry = undefined;
  }

  #isGivenUp(key: string): boolean {
    return (this.#failures.get(key)?.count ?? 0) > retryDelaysMs.length;
  }

  #start(): void {
    const now = performance.now();
    for (const request of this.#queue) {
      if (this.#running.size >= atOnce) return;
      if (
        this.#running.has(request.key) ||
        this.#isGivenUp(request.key) ||
        (this.#failures.get(request.key)?.until ?? 0) > now
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
        (bitmap) => this.#take(request, bitmap, controller.signal),
        () => {
          if (!controller.signal.aborted) this.#noteFailure(request.key);
        },
      )
      .finally(() => {
        if (this.#running.get(request.key) === controller) this.#running.delete(request.key);
        this.#start();
      });
    controller.signal.addEventListener('abort', () => {
      if (this.#running.get(request.key) === controller) this.#running.delete(request.key);
    });
  }

  #take(taken: TileRequest, bitmap: ImageBitmap, signal: AbortSignal): void {
    if (signal.aborted) {
      bitmap.close();
      return;
    }
    this.#failures.delete(taken.key);
    this.#queue = this.#queue.filter((request) => request.key !== taken.key);
    this.arrivals.push({ request: taken, bitmap });
    this.#arrived();
  }

  #noteFailure(key: string): void {
    const count = (this.#failures.get(key)?.count ?? 0) + 1;
    const pause = retryDelaysMs[count - 1] ?? 0;
    this.#failures.set(key, { count, until: performance.now() + pause });
    if (count > retryDelaysMs.length) return this.#gaveUp();
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#start(), pause + 1);
  }
}
