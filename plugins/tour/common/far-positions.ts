import type { Point3 } from '#core';

/** Positions nearer to a deck than this are never far. */
export const minFarMetres = 500;
/**
 * Positions farther from a deck than this are far, unless they lie within the overall extent. So are positions this far
 * from the origin of an empty site.
 */
export const maxSiteMetres = 100_000;

/** The extent of a deck, or of viewpoints without a deck, in the site frame, metres. */
export interface SiteExtent {
  readonly west: number;
  readonly east: number;
  readonly south: number;
  readonly north: number;
  readonly lowest: number;
  readonly highest: number;
}

/** The properties of a `ContentDeck` that determine its extent. */
export interface PlacedDeck {
  readonly uid: string;
  readonly elevation: number;
  readonly plan: {
    readonly width: number;
    readonly height: number;
    readonly placement: { readonly centre: readonly [east: number, north: number]; readonly scale: number } | null;
  } | null;
  readonly walls: readonly { readonly points: readonly (readonly [east: number, north: number])[] }[];
}

export interface PlacedNode {
  readonly deck: string | null;
  readonly position: Point3;
}

/**
 * Lists the extents of decks from their plans, walls and viewpoints, and that of viewpoints without a deck. Viewpoints
 * far from all plans and walls do not count, because they are probably misplaced themselves. Without plans and walls,
 * viewpoints far from the origin of the site do not count, unless all viewpoints are far from it.
 */
export function listSiteExtents(decks: readonly PlacedDeck[], nodes: readonly PlacedNode[]): readonly SiteExtent[] {
  const drawnExtents = decks.flatMap((deck) => toExtents(listDrawnPoints(deck)));
  const findMetresAway = createFarFinder(drawnExtents);
  const plausibleNodes = nodes.filter(({ position }) => findMetresAway(position) === undefined);
  const placedNodes = drawnExtents.length + plausibleNodes.length === 0 ? nodes : plausibleNodes;
  const listPositions = (deck: string | null): readonly Point3[] =>
    placedNodes.filter((node) => node.deck === deck).map(({ position }) => position);
  return [
    ...decks.flatMap((deck) =>
      toExtents([
        ...listDrawnPoints(deck),
        ...listPositions(deck.uid).map(([east, north]): Point3 => [east, north, deck.elevation]),
      ]),
    ),
    ...toExtents(listPositions(null)),
  ];
}

/**
 * Returns a function that finds how far a position is from the nearest extent, metres, or undefined if it is not far:
 * if it lies within the overall extent (up to `minFarMetres` above or below it), or if the distance does not exceed the
 * size of that extent, which counts as at least `minFarMetres` and at most `maxSiteMetres`. Without extents, the
 * distance is that from the origin of the site.
 */
export function createFarFinder(extents: readonly SiteExtent[]): (position: Point3) => number | undefined {
  if (extents.length === 0) return ([x, y, z]) => findAbove(Math.hypot(x, y, z), maxSiteMetres);
  const overall = mergeExtents(extents);
  const size = Math.max(
    minFarMetres,
    overall.east - overall.west,
    overall.north - overall.south,
    overall.highest - overall.lowest,
  );
  const isWithinOverall = ([x, y, z]: Point3): boolean =>
    x >= overall.west &&
    x <= overall.east &&
    y >= overall.south &&
    y <= overall.north &&
    z >= overall.lowest - minFarMetres &&
    z <= overall.highest + minFarMetres;
  return (position) =>
    isWithinOverall(position)
      ? undefined
      : findAbove(
          extents.reduce((metres, extent) => Math.min(metres, distanceTo(extent, position)), Infinity),
          Math.min(size, maxSiteMetres),
        );
}

const findAbove = (metres: number, limit: number): number | undefined => (metres > limit ? metres : undefined);

function listDrawnPoints({ plan, elevation, walls }: PlacedDeck): readonly Point3[] {
  const points = walls.flatMap(({ points: corners }) =>
    corners.map(([east, north]): Point3 => [east, north, elevation]),
  );
  if (!plan?.placement) return points;
  const { centre, scale } = plan.placement;
  const radius = (scale * Math.hypot(plan.width, plan.height)) / 2;
  return [...points, ...[-radius, radius].map((offset): Point3 => [centre[0] + offset, centre[1] + offset, elevation])];
}

/** Returns a list with the extent of the points, or an empty list without points. */
const toExtents = (points: readonly Point3[]): readonly SiteExtent[] =>
  points.length === 0
    ? []
    : [mergeExtents(points.map(([x, y, z]) => ({ west: x, east: x, south: y, north: y, lowest: z, highest: z })))];

const mergeExtents = (extents: readonly SiteExtent[]): SiteExtent =>
  extents.reduce((a, b) => ({
    west: Math.min(a.west, b.west),
    east: Math.max(a.east, b.east),
    south: Math.min(a.south, b.south),
    north: Math.max(a.north, b.north),
    lowest: Math.min(a.lowest, b.lowest),
    highest: Math.max(a.highest, b.highest),
  }));

const distanceTo = ({ west, east, south, north, lowest, highest }: SiteExtent, [x, y, z]: Point3): number =>
  Math.hypot(Math.max(west - x, x - east, 0), Math.max(south - y, y - north, 0), Math.max(lowest - z, z - highest, 0));
