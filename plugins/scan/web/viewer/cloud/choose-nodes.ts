import type { Point3 } from '#core';
import { isBoxVisible, distanceToBox, computePixelsPerRadian, type CloudCamera } from './cloud-camera.ts';
import type { CloudNode } from './cloud-node.ts';

export interface NodeChoice {
  /** The nodes to show, most important first. Nodes without a tile are fetched in this order. */
  readonly nodes: readonly CloudNode[];
  readonly points: number;
  /** Nodes whose children must be loaded. */
  readonly unexpanded: readonly CloudNode[];
}

/** Children of nodes with a smaller spacing on screen add no visible detail. */
const minSpacingPx = 1.2;
/** Nearer nodes have the same importance. */
const minDistanceMetres = 0.25;

/**
 * Lists a node and all nodes below it that fulfil a condition and add detail, as seen from an eye. The first node
 * always counts. Nodes whose children must be loaded first are in `unexpanded`.
 */
export function listNodes(
  root: CloudNode,
  isRequired: (node: CloudNode) => boolean,
  { eye, pixelRadians }: { readonly eye: Point3; readonly pixelRadians: number },
): Pick<NodeChoice, 'nodes' | 'unexpanded'> {
  const nodes: CloudNode[] = [];
  const unexpandedNodes: CloudNode[] = [];
  const visit = (node: CloudNode): void => {
    if (node.source) nodes.push(node);
    if (node.expand) unexpandedNodes.push(node);
    for (const child of node.children) {
      const pixelMetres = pixelRadians * Math.max(minDistanceMetres, distanceToBox(eye, child.box));
      if (node.spacing / pixelMetres >= minSpacingPx && isRequired(child)) visit(child);
    }
  };
  visit(root);
  return { nodes, unexpanded: unexpandedNodes };
}

/**
 * Chooses the nodes to draw within a point budget, coarsest on screen first. Uses the distance to a node's box and not
 * to its centre, so that nodes next to the eye are not skipped.
 */
export function chooseNodes(root: CloudNode, camera: CloudCamera, budget: number): NodeChoice {
  const scale = computePixelsPerRadian(camera);
  const queue = new Heap();
  const nodes: CloudNode[] = [];
  const unexpandedNodes: CloudNode[] = [];
  let points = 0;
  queue.push(root, Infinity);
  for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
    if (points + node.count > budget) break;
    points += node.count;
    if (node.source) nodes.push(node);
    if (node.expand) unexpandedNodes.push(node);
    for (const child of node.children) {
      if (!isBoxVisible(camera, child.box)) continue;
      // A child is more important the wider the spacing of its parent's points is on screen.
      const spacingPx = (scale * node.spacing) / Math.max(minDistanceMetres, distanceToBox(camera.position, child.box));
      if (spacingPx >= minSpacingPx) queue.push(child, spacingPx);
    }
  }
  return { nodes, points, unexpanded: unexpandedNodes };
}

/** A binary max-heap. */
class Heap {
  readonly #nodes: CloudNode[] = [];
  readonly #weights: number[] = [];

  push(node: CloudNode, weight: number): void {
    let index = this.#nodes.push(node) - 1;
    this.#weights.push(weight);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#weights[parent]! >= weight) break;
      this.#swap(index, parent);
      index = parent;
    }
  }

  pop(): CloudNode | undefined {
    const lastIndex = this.#nodes.length - 1;
    if (lastIndex < 0) return undefined;
    this.#swap(0, lastIndex);
    const top = this.#nodes.pop();
    this.#weights.pop();
    for (let index = 0; ;) {
      let largest = index;
      for (const child of [2 * index + 1, 2 * index + 2])
        if (child < lastIndex && this.#weights[child]! > this.#weights[largest]!) largest = child;
      if (largest === index) return top;
      this.#swap(index, largest);
      index = largest;
    }
  }

  #swap(a: number, b: number): void {
    [this.#nodes[a], this.#nodes[b]] = [this.#nodes[b]!, this.#nodes[a]!];
    [this.#weights[a], this.#weights[b]] = [this.#weights[b]!, this.#weights[a]!];
  }
}
