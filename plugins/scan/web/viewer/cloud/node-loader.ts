import type { CloudNode } from './cloud-node.ts';
import type { WorkerReply, WorkerRequest } from './cloud.worker.ts';
import { joinRanges } from './join-ranges.ts';

/** A worker that fetches and decodes nodes. */
export type NodeWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;

const workerCount = 2;
/** Maximum concurrent requests per worker. It decodes one while the others load. */
const maxRequestsPerWorker = 3;
/** Delays before the retries of a failed node. After the last retry, the node is skipped until `retry` is called. */
const retryDelaysMs = [1_000, 4_000];

export const createCloudWorker = (): NodeWorker =>
  new Worker(new URL('./cloud.worker.ts', import.meta.url), { type: 'module' });

/** Called when a node is skipped: after its last retry, or without a retry if the server denied access (`refused`). */
export type OnNodeFailed = (reason: string, refused: boolean) => void;

interface PendingNode {
  readonly node: CloudNode;
  readonly worker: NodeWorker;
  /** Number of the request, which may contain several nodes. */
  readonly request: number;
}

/** Fetches and decodes the requested nodes in the given order. Aborts nodes that are no longer requested. */
export class NodeLoader {
  #workers: readonly NodeWorker[];
  readonly #newWorker: () => NodeWorker;
  readonly #pendingNodes = new Map<number, PendingNode>();
  readonly #failures = new Map<CloudNode, { readonly count: number; readonly until: number }>();
  readonly #onLoaded: () => void;
  readonly #onFailed: OnNodeFailed;
  #queue: readonly CloudNode[] = [];
  #nextId = 1;
  #requestCount = 0;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  /** `onLoaded` is called when a node has its tile, and `onFailed` when it is skipped. */
  constructor(onLoaded: () => void, onFailed: OnNodeFailed, newWorker: () => NodeWorker = createCloudWorker) {
    this.#onLoaded = onLoaded;
    this.#onFailed = onFailed;
    this.#newWorker = newWorker;
    this.#workers = Array.from({ length: workerCount }, () => this.#createWorker());
  }

  /** True while nodes are loading, queued or waiting for a retry. */
  get busy(): boolean {
    return this.#pendingNodes.size > 0 || this.#queue.some((node) => !node.tile && !this.#isSkipped(node));
  }

  /** Preloads the COPC decoder while the file's description loads. */
  prepareCopc(): void {
    for (const worker of this.#workers) this.#send(worker, { prepare: 'COPC' });
  }

  /** Replaces the set of requested nodes. */
  setRequestedNodes(nodes: readonly CloudNode[]): void {
    this.#queue = nodes.filter((node) => !node.tile);
    const requestedNodes = new Set(this.#queue);
    for (const [id, { node, worker }] of this.#pendingNodes) {
      if (requestedNodes.has(node)) continue;
      this.#send(worker, { id, abort: true });
      this.#pendingNodes.delete(id);
    }
    this.#start();
  }

  /** Retries the skipped nodes. */
  retry(): void {
    this.#failures.clear();
    this.#start();
  }

  close(): void {
    clearTimeout(this.#retryTimer);
    this.#queue = [];
    this.#pendingNodes.clear();
    for (const worker of this.#workers) worker.terminate();
  }

  #createWorker(): NodeWorker {
    const worker = this.#newWorker();
    worker.onmessage = ({ data }: MessageEvent<WorkerReply>) => this.#handleReply(data);
    // A worker whose code failed to load never replies. A new worker replaces it on the next request.
    worker.onerror = (event: ErrorEvent) => {
      const lostNodes = [...this.#pendingNodes].filter(([, pending]) => pending.worker === worker);
      if (!this.#workers.includes(worker)) return;
      worker.terminate();
      this.#workers = this.#workers.filter((remaining) => remaining !== worker);
      for (const [id] of lostNodes)
        this.#handleReply({ id, reason: event.message || 'The decoder of the point cloud stopped.', refused: false });
    };
    return worker;
  }

  #isSkipped(node: CloudNode): boolean {
    return (this.#failures.get(node)?.count ?? 0) > retryDelaysMs.length;
  }

  #start(): void {
    const now = performance.now();
    const active = new Set([...this.#pendingNodes.values()].map(({ node }) => node));
    let queuedNodes = this.#queue.filter(
      (node) =>
        node.source && !active.has(node) && !this.#isSkipped(node) && (this.#failures.get(node)?.until ?? 0) <= now,
    );
    for (let [node] = queuedNodes; node; [node] = queuedNodes) {
      const worker = this.#findLeastBusyWorker();
      if (!worker) return;
      const nodes = joinRanges(node, queuedNodes);
      const request = this.#requestCount++;
      const parts = nodes.flatMap((joinedNode) => {
        if (!joinedNode.source) return [];
        const id = this.#nextId++;
        this.#pendingNodes.set(id, { node: joinedNode, worker, request });
        return [{ id, source: joinedNode.source }];
      });
      this.#send(worker, { parts });
      queuedNodes = queuedNodes.filter((queuedNode) => !nodes.includes(queuedNode));
    }
  }

  #findLeastBusyWorker(): NodeWorker | undefined {
    while (this.#workers.length < workerCount) this.#workers = [...this.#workers, this.#createWorker()];
    const pendingNodes = [...this.#pendingNodes.values()];
    const loads = this.#workers.map(
      (worker) => new Set(pendingNodes.flatMap((pending) => (pending.worker === worker ? [pending.request] : []))).size,
    );
    const minLoad = Math.min(...loads);
    return minLoad < maxRequestsPerWorker ? this.#workers[loads.indexOf(minLoad)] : undefined;
  }

  #send(worker: NodeWorker, request: WorkerRequest): void {
    worker.postMessage(request);
  }

  #handleReply(reply: WorkerReply): void {
    const pendingNode = this.#pendingNodes.get(reply.id);
    if (!pendingNode) return;
    this.#pendingNodes.delete(reply.id);
    const { node } = pendingNode;
    if ('tile' in reply) {
      node.tile = reply.tile;
      this.#queue = this.#queue.filter((queuedNode) => queuedNode !== node);
      this.#failures.delete(node);
      this.#onLoaded();
    } else this.#recordFailure(node, reply.reason, reply.refused);
    this.#start();
  }

  #recordFailure(node: CloudNode, reason: string, refused: boolean): void {
    const count = refused ? retryDelaysMs.length + 1 : (this.#failures.get(node)?.count ?? 0) + 1;
    const delayMs = retryDelaysMs[count - 1];
    this.#failures.set(node, { count, until: performance.now() + (delayMs ?? 0) });
    if (delayMs === undefined) {
      this.#onFailed(reason, refused);
      return;
    }
    clearTimeout(this.#retryTimer);
    this.#retryTimer = setTimeout(() => this.#start(), delayMs + 1);
  }
}
