import { boxInSight, distanceToBox, pixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';

export interface Choice {
  /** The nodes to show, most important first. Nodes without a tile are fetched in this order. */
  readonly nodes: readonly CloudNode[];
  readonly points: number;
  /** Nodes whose children must be loaded. */
  readonly unknown: readonly CloudNode[];
}

/** Pixels: nodes with a smaller spacing on screen add no visible detail. */
const closest = 1.2;
/** Metres: minimum distance in the computation of importance. */
const nearest = 0.25;

/**
 * Chooses the nodes to draw within a point budget, coarsest on screen first. Uses the distance to a node's box and not
 * to its centre, so that nodes beside the eye are not skipped.
 */
export function chooseNodes(root: CloudNode, camera: CloudCamera, budget: number): Choice {
  const scale = pixelsPerRadian(camera);
  const waiting = new Heap();
  const nodes: CloudNode[] = [];
  const unknown: CloudNode[] = [];
  let points = 0;
  waiting.push(root, Infinity);
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (points + node.count > budget) break;
    points += node.count;
    if (node.address) nodes.push(node);
    if (node.expand) unknown.push(node);
    for (const child of node.children) {
      if (!boxInSight(camera, child.box)) continue;
      // The screen spacing of the parent's points is the coarseness that the child reduces.
      const apart = (scale * node.spacing) / Math.max(nearest, distanceToBox(camera.position, child.box));
      if (apart >= closest) waiting.push(child, apart);
    }
  }
  return { nodes, points, unknown };
}

/** A binary max-heap. */
class Heap {
  readonly #nodes: CloudNode[] = [];
  readonly #weights: number[] = [];

  push(node: CloudNode, weight: number): void {
    let at = this.#nodes.push(node) - 1;
    this.#weights.push(weight);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#weights[parent]! >= weight) break;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): CloudNode | undefined {
    const last = this.#nodes.length - 1;
    if (last < 0) return undefined;
    this.#swap(0, last);
    const top = this.#nodes.pop();
    this.#weights.pop();
    for (let at = 0; ;) {
      let largest = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < last && this.#weights[child]! > this.#weights[largest]!) largest = child;
      if (largest === at) return top;
      this.#swap(at, largest);
      at = largest;
    }
  }

  #swap(a: number, b: number): void {
    [this.#nodes[a], this.#nodes[b]] = [this.#nodes[b]!, this.#nodes[a]!];
    [this.#weights[a], this.#weights[b]] = [this.#weights[b]!, this.#weights[a]!];
  }
}
