import type { Point3 } from '#core';

interface PlacedNode {
  readonly uid: string;
  readonly deck: string | null;
  readonly position: Point3;
}

const computeSquaredDistance = (a: Point3, b: Point3): number =>
  (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/**
 * Proposes pairs of nodes of one deck that are at most `maxDistance` metres apart and have no other node between them:
 * no third node lies in the sphere whose diameter connects them (Gabriel graph). Nodes at the same position are linked
 * to the first of them, and only the first is linked to other positions. Nodes without a deck are not linked.
 *
 * @see Gabriel and Sokal, "A New Statistical Approach to Geographic Variation Analysis", Systematic Zoology 18 (1969)
 */
export function proposeLinkPairs(
  nodes: readonly PlacedNode[],
  maxDistance: number,
): readonly (readonly [a: string, b: string])[] {
  const firstNodesByPosition = new Map<string, PlacedNode>();
  const pairs: [a: string, b: string][] = [];
  for (const node of nodes) {
    if (node.deck === null) continue;
    const key = [node.deck, ...node.position].join(' ');
    const firstNode = firstNodesByPosition.get(key);
    if (firstNode) pairs.push([firstNode.uid, node.uid]);
    else firstNodesByPosition.set(key, node);
  }
  const placedNodes = [...firstNodesByPosition.values()];
  const nodesByCell = new Map<string, PlacedNode[]>();
  const toCell = (value: number): number => Math.floor(value / maxDistance);
  const toKey = (deck: string | null, x: number, y: number): string => `${deck} ${x} ${y}`;
  for (const node of placedNodes) {
    const key = toKey(node.deck, toCell(node.position[0]), toCell(node.position[1]));
    const cell = nodesByCell.get(key);
    if (cell) cell.push(node);
    else nodesByCell.set(key, [node]);
  }
  const order = new Map(placedNodes.map(({ uid }, index) => [uid, index]));
  for (const node of placedNodes) {
    const [x, y] = [toCell(node.position[0]), toCell(node.position[1])];
    const neighbours = [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => nodesByCell.get(toKey(node.deck, x + dx, y + dy)) ?? []))
      .filter((other) => other !== node)
      .map((other) => ({ other, squaredLength: computeSquaredDistance(node.position, other.position) }))
      .filter(({ squaredLength }) => squaredLength <= maxDistance ** 2)
      // The nearest nodes block the most pairs, so they are tested first.
      .toSorted((a, b) => a.squaredLength - b.squaredLength);
    for (const { other, squaredLength } of neighbours) {
      if (order.get(node.uid)! > order.get(other.uid)!) continue;
      const isBlocked = neighbours.some(
        (between) =>
          between.other !== other &&
          between.squaredLength + computeSquaredDistance(other.position, between.other.position) < squaredLength,
      );
      if (!isBlocked) pairs.push([node.uid, other.uid]);
    }
  }
  return pairs;
}
