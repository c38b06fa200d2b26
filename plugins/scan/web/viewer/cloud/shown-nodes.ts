import type { CloudCamera } from './cloud-camera.ts';
import { chooseNodes } from './choose-nodes.ts';
import type { CloudNode } from './cloud-node.ts';

/** Decoded points that stay cached for revisits, as a multiple of the budget. */
const cacheFactor = 2;

/** The visible nodes of a cloud within a point budget, and a cache of nodes for revisits. */
export class ShownNodes {
  readonly #budget: number;
  readonly #dropped: (node: CloudNode) => void;
  readonly #parents = new Map<CloudNode, CloudNode>();
  readonly #cached = new Set<CloudNode>();
  #shown: readonly CloudNode[] = [];
  #finest: ReadonlyMap<CloudNode, number> = new Map();
  #frame = 0;

  /** @param dropped called for each node whose points are released */
  constructor(budget: number, dropped: (node: CloudNode) => void) {
    this.#budget = budget;
    this.#dropped = dropped;
  }

  /** Most important first; nodes without a tile are loading. */
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

  /** Updates the choice for a frame. Returns the nodes whose children must be loaded. */
  choose(root: CloudNode, camera: CloudCamera): readonly CloudNode[] {
    this.#frame++;
    const { nodes, unknown } = chooseNodes(root, camera, this.#budget);
    this.#shown = nodes;
    for (const node of nodes) {
      node.requestedAt = this.#frame;
      if (node.tile) this.#cached.add(node);
      for (const child of node.children) this.#parents.set(child, node);
    }
    this.#evict();
    this.#finest = this.#spacings();
    return unknown;
  }

  /** Spacing of the points drawn within a node, in metres: that of its finest drawn descendant. */
  getSpacing(node: CloudNode): number {
    return this.#finest.get(node) ?? node.spacing;
  }

  /** Releases all nodes. */
  clear(): void {
    for (const node of [...this.#cached]) this.#drop(node);
    this.#parents.clear();
    this.#shown = [];
  }

  #spacings(): ReadonlyMap<CloudNode, number> {
    const finest = new Map<CloudNode, number>();
    for (const node of this.#shown.toReversed()) {
      if (!node.tile) continue;
      const own = Math.min(node.spacing, finest.get(node) ?? Infinity);
      finest.set(node, own);
      const parent = this.#parents.get(node);
      if (parent) finest.set(parent, Math.min(finest.get(parent) ?? Infinity, own));
    }
    return finest;
  }

  #evict(): void {
    let cachedPoints = 0;
    for (const { count } of this.#cached) cachedPoints += count;
    if (cachedPoints <= this.#budget * cacheFactor) return;
    for (const node of [...this.#cached].sort((a, b) => a.requestedAt - b.requestedAt)) {
      if (cachedPoints <= this.#budget * cacheFactor || node.requestedAt === this.#frame) return;
      cachedPoints -= node.count;
      this.#drop(node);
    }
  }

  #drop(node: CloudNode): void {
    this.#cached.delete(node);
    this.#dropped(node);
    node.tile = undefined;
  }
}
