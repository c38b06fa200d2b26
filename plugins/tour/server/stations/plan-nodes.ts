import { distanceBetween, type Point3 } from '#core';
import { atLocation, type ServerContext } from '#core/server';
import type { PlannedNode, StationView } from '#plugins/tour';
import { toNodeCode } from '../../common/to-node-code.ts';
import { tourAt } from '../queries/tour-at.ts';
import type { TourTables } from '../tables.ts';

export type PlanContext = Pick<ServerContext<TourTables>, 'tables' | 'locations'>;

/** A viewpoint that is nearer than this is the same place, metres. */
export const samePlaceMetres = 0.3;
const maxCodeLength = 50;

type Tables = Pick<PlanContext['tables'], 'selectFrom'>;

export interface TourPlace {
  readonly uid: string;
  readonly name: string;
  readonly site: string;
  readonly location: string;
}

/**
 * The viewpoints that stations would become in a tour. `locations` are those of the tour and below it. Stations at the
 * same place become one viewpoint: the later ones exist already.
 */
export async function planNodesOf(
  tables: Tables,
  tour: TourPlace,
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
  const taken = new Set(codes.map(({ code }) => code.toUpperCase()));
  const places = new NodePlaces();
  for (const { x, y, z, ...node } of nodes) places.add({ ...node, position: [x, y, z] });
  return stations.map(({ station, name, position }) => {
    const deck = decks.find(({ elevation }) => elevation <= position[2]);
    const existing = places.find(position);
    const code = existing?.code ?? proposeCode(name, taken);
    if (!existing) {
      taken.add(code.toUpperCase());
      places.add({ uid: station, code, name, position });
    }
    return { station, code, deck: deck ? { uid: deck.uid, name: deck.name } : null, existing };
  });
}

/** As `planNodesOf`, for the tour of a location. @throws 404 */
export async function planNodes(
  context: PlanContext,
  location: string,
  stations: readonly StationView[],
  accessible: readonly string[],
): Promise<readonly PlannedNode[]> {
  const tour = await tourAt(context, location);
  return planNodesOf(context.tables, tour, await listPlaces(context, tour, accessible), stations);
}

/** The locations at and below that of a tour that are among the accessible ones. */
export async function listPlaces(
  { locations }: Pick<PlanContext, 'locations'>,
  tour: Pick<TourPlace, 'location'>,
  accessible: readonly string[],
): Promise<readonly string[]> {
  const allowed = new Set(accessible);
  return (await locations.descendants(tour.location)).filter((uid) => allowed.has(uid));
}

interface PlacedNode {
  readonly uid: string;
  readonly code: string;
  readonly name: string;
  readonly position: Point3;
}

/** Finds nodes by position, in cells as wide as the reach. */
class NodePlaces {
  readonly #cells = new Map<string, PlacedNode[]>();

  add(node: PlacedNode): void {
    const key = toKey(node.position);
    this.#cells.set(key, [...(this.#cells.get(key) ?? []), node]);
  }

  /** The nearest node within reach. */
  find(position: Point3): PlannedNode['existing'] {
    const steps = [-1, 0, 1];
    const near = steps.flatMap((x) =>
      steps.flatMap((y) => steps.flatMap((z) => this.#cells.get(toKey(position, [x, y, z])) ?? [])),
    );
    const [nearest] = near
      .map(({ position: at, ...node }) => ({ ...node, metres: distanceBetween(at, position) }))
      .filter(({ metres }) => metres <= samePlaceMetres)
      .toSorted((a, b) => a.metres - b.metres);
    return nearest ?? null;
  }
}

const toKey = (position: Point3, step: Point3 = [0, 0, 0]): string =>
  position.map((value, axis) => Math.floor(value / samePlaceMetres) + step[axis]!).join(' ');

/** A free code from the name of a station. */
function proposeCode(name: string, taken: ReadonlySet<string>): string {
  const base = toNodeCode(name).slice(0, maxCodeLength - 5) || 'S';
  if (!taken.has(base.toUpperCase())) return base;
  for (let number = 2; ; number += 1) {
    const code = `${base}-${number}`;
    if (!taken.has(code.toUpperCase())) return code;
  }
}
