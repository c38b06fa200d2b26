import type { CloudNode } from './cloud-node.ts';
import type { WorkerReply, WorkerRequest } from './cloud.worker.ts';
import { joinedRanges } from './joined-ranges.ts';

/** Decodes off the main thread. */
export type NodeWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const workerCount = 2;
/** Concurrent requests per worker: one is decoded while the next one loads. */
const perWorker = 3;
/** Milliseconds before each retry of a failed node. After the last, the node is skipped until `retry`. */
const pauses = [1_000, 4_000];

export const newCloudWorker = (): NodeWorker =>
  new Worker(new URL('./cloud.worker.ts', import.meta.url), { type: 'module' });

/** A node was given up. `refused`: the server denies access, so there is no automatic retry. */
export type NodeFailed = (reason: string, refused: boolean) => void;

interface Running {
  readonly node: CloudNode;
  readonly worker: NodeWorker;
  /** A worker's request may contain several nodes. */
  readonly request: number;
}

/** Fetches and decodes the requested nodes in the given order. Aborts nodes that are no longer requested. */
export class NodeLoader {
  #workers: readonly NodeWorker[];
  readonly #newWorker: () => NodeWorker;
  readonly #running = new Map<number, Running>();
  readonly #failures = new Map<CloudNode, { readonly count: number; readonly until: number }>();
  readonly #onLoaded: () => void;
  readonly #failed: NodeFailed;
  #queue: readonly CloudNode[] = [];
  #next = 1;
  #requests = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** `arrived` is called when a node has its tile, `failed` when it is given up. */
  constructor(onLoaded: () => void, failed: NodeFailed, newWorker: () => NodeWorker = newCloudWorker) {
    this.#onLoaded = onLoaded;
    this.#failed = failed;
    this.#newWorker = newWorker;
    this.#workers = Array.from({ length: workerCount }, () => this.#createWorker());
  }

  /** True while nodes are loading, queued or waiting for a retry. */
  get busy(): boolean {
    return this.#running.size > 0 || this.#queue.some((node) => !node.tile && !this.#isGivenUp(node));
  }

  /** Preloads the COPC decoder while the file's description loads. */
  prepareCopc(): void {
    for (const worker of this.#workers) this.#send(worker, { prepare: 'COPC' });
  }

  /** Replaces the set of requested nodes. */
  want(nodes: readonly CloudNode[]): void {
    this.#queue = nodes.filter((node) => !node.tile);
    const requested = new Set(this.#queue);
    for (const [id, { node, worker }] of this.#running) {
      if (requested.has(node)) continue;
      this.#send(worker, { id, abort: true });
      this.#running.delete(id);
    }
    this.#start();
  }

  /** Retries the nodes that were given up. */
  retry(): void {
    this.#failures.clear();
    this.#start();
  }

  close(): void {
    clearTimeout(this.#retry);
    this.#queue = [];
    this.#running.clear();
    for (const worker of this.#workers) worker.terminate();
  }

  #createWorker(): NodeWorker {
    const worker = this.#newWorker();
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => this.#take(data);
    // A worker whose code failed to load never answers. A new worker replaces it on the next request.
    worker.onerror = (event: ErrorEvent) => {
      const lost = [...this.#running].filter(([, running]) => running.worker === worker);
      if (!this.#workers.includes(worker)) return;
      worker.terminate();
      this.#workers = this.#workers.filter((each) => each !== worker);
      for (const [id] of lost)
        this.#take({ id, reason: event.message || 'The decoder of the point cloud stopped.', refused: false });
    };
    return worker;
  }

  #isGivenUp(node: CloudNode): boolean {
    return (this.#failures.get(node)?.count ?? 0) > pauses.length;
  }

  #start(): void {
    const now = performance.now();
    const active = new Set([...this.#running.values()].map(({ node }) => node));
    let waiting = this.#queue.filter(
      (node) =>
        node.address && !active.has(node) && !this.#isGivenUp(node) && (this.#failures.get(node)?.until ?? 0) <= now,
    );
    for (let [node] = waiting; node; [node] = waiting) {
      const worker = this.#leastBusy();
      if (!worker) return;
      const nodes = joinedRanges(node, waiting);
      const request = this.#requests++;
      const parts = nodes.flatMap((each) => {
        if (!each.address) return [];
        const id = this.#next++;
        this.#running.set(id, { node: each, worker, request });
        return [{ id, address: each.address }];
      });
      this.#send(worker, { parts });
      waiting = waiting.filter((each) => !nodes.includes(each));
    }
  }

  #leastBusy(): NodeWorker | undefined {
    while (this.#workers.length < workerCount) this.#workers = [...this.#workers, this.#createWorker()];
    const running = [...this.#running.values()];
    const loads = this.#workers.map(
      (worker) => new Set(running.flatMap((each) => (each.worker === worker ? [each.request] : []))).size,
    );
    const lowest = Math.min(...loads);
    return lowest < perWorker ? this.#workers[loads.indexOf(lowest)] : undefined;
  }

  #send(worker: NodeWorker, request: WorkerRequest): void {
    worker.postMessage(request);
  }

  #take(reply: WorkerReply): void {
    const running = this.#running.get(reply.id);
    if (!running) return;
    this.#running.delete(reply.id);
    const { node } = running;
    if ('tile' in reply) {
      node.tile = reply.tile;
      this.#queue = this.#queue.filter((each) => each !== node);
      this.#failures.delete(node);
      this.#onLoaded();
    } else this.#note(node, reply.reason, reply.refused);
    this.#start();
  }

  #note(node: CloudNode, reason: string, refused: boolean): void {
    const count = refused ? pauses.length + 1 : (this.#failures.get(node)?.count ?? 0) + 1;
    const pause = pauses[count - 1];
    this.#failures.set(node, { count, until: performance.now() + (pause ?? 0) });
    if (pause === undefined) {
      this.#failed(reason, refused);
      return;
    }
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#start(), pause + 1);
  }
}
