import { distanceBetween, type Point3 } from '#core';
import { atLocation, type ServerContext } from '#core/server';
import type { PlannedNode, StationView } from '#plugins/tour';
import { toNodeCode } from '../../common/to-node-code.ts';
import { tourAt } from '../queries/tour-at.ts';
import type { TourTables } from '../tables.ts';

export type PlanContext = Pick<ServerContext<TourTables>, 'tables' | 'locations'>;

/** A station and a viewpoint up to this distance apart are the same viewpoint, metres. */
export const maxSameNodeMetres = 0.3;
const maxCodeLength = 50;

type Tables = Pick<PlanContext['tables'], 'selectFrom'>;

export interface TourRef {
  readonly uid: string;
  readonly name: string;
  readonly site: string;
  readonly location: string;
}

/**
 * Plans the viewpoints that stations would become in a tour. `locations` are the location of the tour and its
 * accessible descendants. Stations at the same position become one viewpoint: for later stations it exists already.
 */
export async function planTourNodes(
  tables: Tables,
  tour: TourRef,
  locations: readonly string[],
  stations: readonly StationView[],
): Promise<readonly PlannedNode[]> {
  const nodes = await tables
    .selectFrom('node')
    .select(['uid', 'code', 'name', 'x', 'y', 'z'])
    .where('tour', '=', tour.uid)
    .execute();
  const decks = await tables
    .selectFrom('deck')
    .select(['uid', 'name', 'elevation'])
    .where('site', '=', tour.site)
    .where(atLocation('location', locations))
    .orderBy('elevation', 'desc')
    .orderBy('uid')
    .execute();
  const codes = await tables
    .selectFrom('code')
    .select('code')
    .where('site', '=', tour.site)
    .where('kind', '=', 'NODE')
    .execute();
  const takenCodes = new Set(codes.map(({ code }) => code.toUpperCase()));
  const nodeIndex = new NodeIndex();
  for (const { x, y, z, ...node } of nodes) nodeIndex.add({ ...node, position: [x, y, z] });
  return stations.map(({ station, name, position }) => {
    const deck = decks.find(({ elevation }) => elevation <= position[2]);
    const existingNode = nodeIndex.find(position);
    const code = existingNode?.code ?? proposeCode(name, takenCodes);
    if (!existingNode) {
      takenCodes.add(code.toUpperCase());
      nodeIndex.add({ uid: station, code, name, position });
    }
    return { station, code, deck: deck ? { uid: deck.uid, name: deck.name } : null, existing: existingNode };
  });
}

/** Like `planTourNodes`, for the tour of a location. @throws 404 */
export async function planNodes(
  context: PlanContext,
  location: string,
  stations: readonly StationView[],
  accessibleLocations: readonly string[],
): Promise<readonly PlannedNode[]> {
  const tour = await tourAt(context, location);
  return planTourNodes(
    context.tables,
    tour,
    await listAccessibleDescendants(context, tour, accessibleLocations),
    stations,
  );
}

/** Lists the `accessibleLocations` that are the location of a tour or below it. */
export async function listAccessibleDescendants(
  { locations }: Pick<PlanContext, 'locations'>,
  tour: Pick<TourRef, 'location'>,
  accessibleLocations: readonly string[],
): Promise<readonly string[]> {
  const accessibleUids = new Set(accessibleLocations);
  return (await locations.descendants(tour.location)).filter((uid) => accessibleUids.has(uid));
}

interface PlacedNode {
  readonly uid: string;
  readonly code: string;
  readonly name: string;
  readonly position: Point3;
}

/** Spatial index of nodes. Cells are as wide as the search radius. */
class NodeIndex {
  readonly #cells = new Map<string, PlacedNode[]>();

  add(node: PlacedNode): void {
    const key = toKey(node.position);
    this.#cells.set(key, [...(this.#cells.get(key) ?? []), node]);
  }

  /** Finds the nearest node within the search radius. */
  find(position: Point3): PlannedNode['existing'] {
    const offsets = [-1, 0, 1];
    const cellNodes = offsets.flatMap((x) =>
      offsets.flatMap((y) => offsets.flatMap((z) => this.#cells.get(toKey(position, [x, y, z])) ?? [])),
    );
    const [nearest] = cellNodes
      .map(({ position: at, ...node }) => ({ ...node, metres: distanceBetween(at, position) }))
      .filter(({ metres }) => metres <= maxSameNodeMetres)
      .toSorted((a, b) => a.metres - b.metres);
    return nearest ?? null;
  }
}

const toKey = (position: Point3, step: Point3 = [0, 0, 0]): string =>
  position.map((value, axis) => Math.floor(value / maxSameNodeMetres) + step[axis]!).join(' ');

/** Derives an unused code from the name of a station. */
function proposeCode(name: string, takenCodes: ReadonlySet<string>): string {
  const base = toNodeCode(name).slice(0, maxCodeLength - 5) || 'S';
  if (!takenCodes.has(base.toUpperCase())) return base;
  for (let number = 2; ; number += 1) {
    const code = `${base}-${number}`;
    if (!takenCodes.has(code.toUpperCase())) return code;
  }
}
