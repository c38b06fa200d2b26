import type { Insertable } from 'kysely';
import type { Database } from '#core/server';
import { createDefaultCloudColumns } from '../../server/cloud/queries/clouds-at.ts';
import { identityPose } from '../../server/stations/jobs/scan-frame.ts';
import { scanSchema, type ScanTables } from '../../server/tables.ts';

type StationRow = Insertable<ScanTables['station']>;
type CloudRow = Insertable<ScanTables['cloud']>;

/** A station at the location `unit` with finished tiles. */
export const buildStationRow = (uid: string, changes: Partial<StationRow> = {}): StationRow => ({
  uid,
  name: `Station ${uid}`,
  node: null,
  location: 'unit',
  x: 0,
  y: 0,
  z: 2,
  heading: 0,
  captured_at: '2026-03-01T10:00:00.000Z',
  range_file: 'none',
  sigma: 0.003,
  panorama_file: null,
  tiles_file: 'none',
  pyramid: null,
  ranges: JSON.stringify({ width: 1024, height: 512, tileSize: 512 }),
  delivery: null,
  ...changes,
});

/** A delivery at the location `unit` with a finished cloud. */
export const buildCloudRow = (uid: string, changes: Partial<CloudRow> = {}): CloudRow => ({
  uid,
  name: `Cloud ${uid}`,
  location: 'unit',
  captured_at: '2026-03-01T10:00:00.000Z',
  kind: 'TILES',
  source_files: '[]',
  data_file: 'none',
  extent: null,
  ...createDefaultCloudColumns(identityPose),
  ...changes,
});

export async function insertScanRows(
  database: Pick<Database, 'of'>,
  { stations = [], clouds = [] }: { readonly stations?: readonly StationRow[]; readonly clouds?: readonly CloudRow[] },
): Promise<void> {
  const tables = database.of<ScanTables>(scanSchema);
  if (stations.length > 0) await tables.insertInto('station').values(stations).execute();
  if (clouds.length > 0) await tables.insertInto('cloud').values(clouds).execute();
}
