import type { Selectable } from 'kysely';
import { dayAt, locationPath } from '#core';
import type { Caller, FileStore, ServerContext } from '#core/server';
import type { ScanStation, Scans } from '../../contract/api.ts';
import { tiedNodes } from '../stations/tied-nodes.ts';
import { scanSchema, type ScanTables } from '../tables.ts';
import { isBarred, scanTokenOf } from './scan-token.ts';

export type ScanContext = Pick<ServerContext, 'database' | 'locations' | 'sites' | 'files' | 'service'>;

/** The stations at a location and below it, as far as the caller reaches; none without a valid token. */
export async function openScansAt(
  context: ScanContext,
  caller: Caller,
  location: string,
  asksForToken: boolean,
): Promise<Scans> {
  const token = await scanTokenOf(context, location, asksForToken);
  if (isBarred(token)) return { token, stations: [] };
  const rows = await context.locations.all();
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  // A tour is that of the location or of the nearest above: its stations may stand beside the location that was asked
  // for.
  const top = locationPath(byUid, location).find((row) => row.locationType === 'PLATFORM_UNIT')?.uid ?? location;
  const below = rows
    .filter((row) => locationPath(byUid, row.uid).some((above) => above.uid === top))
    .map((row) => row.uid);
  if (below.length === 0) return { token, stations: [] };
  const stations = await context.database
    .of<ScanTables>(scanSchema)
    .selectFrom('station')
    .selectAll()
    .where('location', 'in', below)
    .orderBy('code')
    .execute();
  const reached = await Promise.all(
    stations.map(
      async (station) =>
        (await context.locations.canAccess(caller, station.location)) &&
        !isBarred(await scanTokenOf(context, station.location, asksForToken)),
    ),
  );
  const shown = stations.filter((_, index) => reached[index]);
  const nodes = await tiedNodes(context, shown);
  const { timeZone } = await context.sites.recordAt(location);
  return {
    token,
    stations: shown.map((station) => toStation(station, nodes.get(station.code)?.uid ?? null, timeZone, context.files)),
  };
}

function toStation(
  row: Selectable<ScanTables['station']>,
  node: string | null,
  timeZone: string,
  files: FileStore,
): ScanStation {
  const id = row.tiles_file;
  return {
    code: row.code,
    name: row.name,
    node,
    tie: row.tie,
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
