import type { CloudCamera } from './cloud-camera.ts';
import { chooseNodes } from './choose-nodes.ts';
import type { CloudNode } from './cloud-node.ts';

/** Maximum number of cached points as a multiple of the budget. */
const cacheFactor = 2;

/** The visible nodes of a cloud within a point budget, and a cache of nodes that may become visible again. */
export class ShownNodes {
  readonly #budget: number;
  readonly #onReleased: (node: CloudNode) => void;
  readonly #parents = new Map<CloudNode, CloudNode>();
  readonly #cached = new Set<CloudNode>();
  #shown: readonly CloudNode[] = [];
  #finestSpacings: ReadonlyMap<CloudNode, number> = new Map();
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
      for (const child of node.children) this.#parents.set(child, node);
    }
    this.#evict();
    this.#finestSpacings = this.#computeSpacings();
    return unexpanded;
  }

  /** The spacing of the points drawn within a node in metres, which is that of its finest drawn descendant. */
  getSpacing(node: CloudNode): number {
    return this.#finestSpacings.get(node) ?? node.spacing;
  }

  /** Releases all nodes. */
  clear(): void {
    for (const node of [...this.#cached]) this.#release(node);
    this.#parents.clear();
    this.#shown = [];
  }

  #computeSpacings(): ReadonlyMap<CloudNode, number> {
    const finestSpacings = new Map<CloudNode, number>();
    for (const node of this.#shown.toReversed()) {
      if (!node.tile) continue;
      const spacing = Math.min(node.spacing, finestSpacings.get(node) ?? Infinity);
      finestSpacings.set(node, spacing);
      const parent = this.#parents.get(node);
      if (parent) finestSpacings.set(parent, Math.min(finestSpacings.get(parent) ?? Infinity, spacing));
    }
    return finestSpacings;
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
