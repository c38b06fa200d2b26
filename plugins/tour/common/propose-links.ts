import type { Point3 } from '#core';

interface PlacedNode {
  readonly uid: string;
  readonly deck: string | null;
  readonly position: Point3;
}

const squaredDistance = (a: Point3, b: Point3): number => (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;

/**
 * Pairs of nodes of one deck that are at most `maxDistance` metres apart, without those that have another node between
 * them: no other node lies in the sphere over the two (Gabriel graph). Nodes without a deck have none.
 *
 * @see Gabriel and Sokal, "A New Statistical Approach to Geographic Variation Analysis", Systematic Zoology 18 (1969)
 */
export function proposeWays(
  nodes: readonly PlacedNode[],
  maxDistance: number,
): readonly (readonly [a: string, b: string])[] {
  const cells = new Map<string, PlacedNode[]>();
  const toCell = (value: number): number => Math.floor(value / maxDistance);
  const toKey = (deck: string | null, x: number, y: number): string => `${deck} ${x} ${y}`;
  const placed = nodes.filter(({ deck }) => deck !== null);
  for (const node of placed) {
    const key = toKey(node.deck, toCell(node.position[0]), toCell(node.position[1]));
    const cell = cells.get(key);
    if (cell) cell.push(node);
    else cells.set(key, [node]);
  }
  const order = new Map(placed.map(({ uid }, index) => [uid, index]));
  return placed.flatMap((node) => {
    const [x, y] = [toCell(node.position[0]), toCell(node.position[1])];
    const near = [-1, 0, 1]
      .flatMap((dx) => [-1, 0, 1].flatMap((dy) => cells.get(toKey(node.deck, x + dx, y + dy)) ?? []))
      .filter((other) => other !== node && squaredDistance(node.position, other.position) <= maxDistance ** 2);
    return near
      .filter((other) => order.get(node.uid)! < order.get(other.uid)!)
      .filter((other) => {
        const length = squaredDistance(node.position, other.position);
        return !near.some(
          (between) =>
            between !== other &&
            squaredDistance(node.position, between.position) + squaredDistance(other.position, between.position) <
              length,
        );
      })
      .map((other) => [node.uid, other.uid] as const);
  });
}
