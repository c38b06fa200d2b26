import type { CloudCamera } from './cloud-camera.ts';
import { chooseNodes } from './choose-nodes.ts';
import type { CloudNode } from './cloud-node.ts';
import { createSpacingTable, type SpacingTable } from './spacing-table.ts';

/** Maximum number of cached points as a multiple of the budget. */
const cacheFactor = 2;

/** The visible nodes of a point cloud within a point budget, and a cache of nodes that may become visible again. */
export class ShownNodes {
  readonly #budget: number;
  readonly #onReleased: (node: CloudNode) => void;
  readonly #cached = new Set<CloudNode>();
  #shown: readonly CloudNode[] = [];
  #spacings: SpacingTable = { values: new Float32Array(), rows: new Map() };
  #frame = 0;

  /** @param onReleased called for each node whose points are released */
  constructor(budget: number, onReleased: (node: CloudNode) => void) {
    this.#budget = budget;
    this.#onReleased = onReleased;
  }

  /** The visible nodes, most important first. Nodes without a tile are loading. */
  get shown(): readonly CloudNode[] {
    return this.#shown;
  }

  /** All nodes with loaded points. */
  get cached(): readonly CloudNode[] {
    return [...this.#cached];
  }

  /** Number of points on screen. */
  get points(): number {
    return this.#shown.reduce((sum, { count, tile }) => sum + (tile ? count : 0), 0);
  }

  /** Chooses the visible nodes for a frame. Returns the nodes whose children must be loaded. */
  choose(root: CloudNode, camera: CloudCamera): readonly CloudNode[] {
    this.#frame++;
    const { nodes, unexpanded } = chooseNodes(root, camera, this.#budget);
    this.#shown = nodes;
    for (const node of nodes) {
      node.requestedAt = this.#frame;
      if (node.tile) this.#cached.add(node);
    }
    this.#evict();
    this.#spacings = createSpacingTable(root, ({ requestedAt }) => requestedAt === this.#frame);
    return unexpanded;
  }

  /** The spacings of the points on screen. */
  get spacings(): SpacingTable {
    return this.#spacings;
  }

  /** Releases all nodes. */
  clear(): void {
    for (const node of [...this.#cached]) this.#release(node);
    this.#shown = [];
  }

  #evict(): void {
    let cachedPoints = 0;
    for (const { count } of this.#cached) cachedPoints += count;
    if (cachedPoints <= this.#budget * cacheFactor) return;
    for (const node of [...this.#cached].sort((a, b) => a.requestedAt - b.requestedAt)) {
      if (cachedPoints <= this.#budget * cacheFactor || node.requestedAt === this.#frame) return;
      cachedPoints -= node.count;
      this.#release(node);
    }
  }

  #release(node: CloudNode): void {
    this.#cached.delete(node);
    this.#onReleased(node);
    node.tile = undefined;
  }
}
