import type { Point3 } from '#core';

interface PlacedNode {
  readonly uid: string;
  readonly deck: string | null;
  readonly position: Point3;
}

const squaredDistance = (a: Point3, b: Point3): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/**
 * Proposes pairs of nodes of one deck that are at most `maxDistance` metres apart and have no other node between them:
 * no third node lies in the sphere over the two (Gabriel graph). Nodes at the same position are linked to the first of
 * them, and only the first is linked to other positions. Nodes without a deck are not linked.
 *
 * @see Gabriel and Sokal, "A New Statistical Approach to Geographic Variation Analysis", Systematic Zoology 18 (1969)
 */
export function proposeLinkPairs(
  nodes: readonly PlacedNode[],
  maxDistance: number,
): readonly (readonly [a: string, b: string])[] {
  const firsts = new Map<string, PlacedNode>();
  const pairs: [a: string, b: string][] = [];
  for (const node of nodes) {
    if (node.deck === null) continue;
    const key = [node.deck, ...node.position].join(' ');
    const first = firsts.get(key);
    if (first) pairs.push([first.uid, node.uid]);
    else firsts.set(key, node);
  }
  const placedNodes = [...firsts.values()];
  const cells = new Map<string, PlacedNode[]>();
  const toCell = (value: number): number => Math.floor(value / maxDistance);
  const toKey = (deck: string | null, x: number, y: number): string => `${deck} ${x} ${y}`;
  for (const node of placedNodes) {
    const key = toKey(node.deck, toCell(node.position[0]), toCell(node.position[1]));
    const cell = cells.get(key);
    if (cell) cell.push(node);
    else cells.set(key, [node]);
  }
  const order = new Map(placedNodes.map(({ uid }, index) => [uid, index]));
  for (const node of placedNodes) {
    const [x, y] = [toCell(node.position[0]), toCell(node.position[1])];
    const neighbours = [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(toKey(node.deck, x + dx, y + dy)) ?? []))
      .filter((other) => other !== node)
      .map((other) => ({ other, length: squaredDistance(node.position, other.position) }))
      .filter(({ length }) => length <= maxDistance ** 2)
      // The nearest nodes are between the most pairs.
      .toSorted((a, b) => a.length - b.length);
    for (const { other, length } of neighbours) {
      if (order.get(node.uid)! > order.get(other.uid)!) continue;
      const isBlocked = neighbours.some(
        (between) =>
          between.other !== other && between.length + squaredDistance(other.position, between.other.position) < length,
      );
      if (!isBlocked) pairs.push([node.uid, other.uid]);
    }
  }
  return pairs;
}
