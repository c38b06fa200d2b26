import type { Selectable } from 'kysely';
import { dayAt } from '#core';
import { atLocation, type Caller, type FileStore, type ServerContext } from '#core/server';
import type { ScanStation, Scans } from '../../contract/api.ts';
import { linkedNodes } from '../stations/linked-nodes.ts';
import { scanSchema, type ScanTables } from '../tables.ts';
import { findUnblocked } from './scan-token.ts';

export type ScanContext = Pick<ServerContext, 'database' | 'locations' | 'sites' | 'files' | 'service'>;

/** The stations of the tour at a location that the caller can access; none without a valid token. */
export async function openScansAt(
  context: ScanContext,
  caller: Caller,
  location: string,
  tokenRequired: boolean,
): Promise<Scans> {
  const accessible = await context.locations.accessibleDescendants(caller, await unitOf(context, location));
  const { token, unblocked } = await findUnblocked(context, location, accessible, tokenRequired);
  if (unblocked.length === 0) return { token, stations: [] };
  const stations = await context.database
    .of<ScanTables>(scanSchema)
    .selectFrom('station')
    .selectAll()
    .where(atLocation('location', unblocked))
    .orderBy('name')
    .orderBy('uid')
    .execute();
  const nodes = await linkedNodes(context, stations);
  const { timeZone } = await context.sites.recordAt(location);
  return {
    token,
    stations: stations.map((station) =>
      toStation(station, nodes.get(station.uid)?.uid ?? null, timeZone, context.files),
    ),
  };
}

/**
 * The uppermost unit that a location belongs to, or the location itself: its tour is that of the nearest location above
 * that has one, whose stations may stand beside the location.
 */
async function unitOf({ locations }: Pick<ServerContext, 'locations'>, location: string): Promise<string> {
  const path = await Promise.all((await locations.ancestors(location)).map((uid) => locations.find(uid)));
  return path.findLast((row) => row?.locationType === 'PLATFORM_UNIT')?.uid ?? location;
}

function toStation(
  row: Selectable<ScanTables['station']>,
  node: string | null,
  timeZone: string,
  files: FileStore,
): ScanStation {
  const id = row.tiles_file;
  return {
    uid: row.uid,
    name: row.name,
    node,
    link: row.link,
    location: row.location,
    position: [row.x, row.y, row.z],
    heading: row.heading,
    capturedAt: row.captured_at.toISOString(),
    day: dayAt(row.captured_at, timeZone),
    picture:
      id === null || row.pyramid === null
        ? null
        : { id, address: files.address(id), ...row.pyramid, levels: [...row.pyramid.levels] },
    ranges:
      id === null || row.ranges === null ? null : { id, address: files.address(id), ...row.ranges, sigma: row.sigma },
  };
}
