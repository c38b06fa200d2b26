import { randomUUID } from 'node:crypto';
import type { ServerContext } from '#core/server';
import type { ScanDemo } from '../../contract/index.ts';
import { identityPose } from '../stations/jobs/scan-frame.ts';
import type { ScanTables } from '../tables.ts';
import { createDefaultCloudColumns } from './queries/clouds-at.ts';
import { putCloud } from './jobs/put-cloud.ts';

/** Seeds the point clouds of the demo plant. Skips one if its location has a point cloud of the same name. */
export async function seedClouds(
  context: Pick<ServerContext<ScanTables>, 'tables' | 'files'>,
  plant: Partial<ScanDemo>,
): Promise<void> {
  const rows = await context.tables.selectFrom('cloud').select(['location', 'name']).execute();
  for (const { name, location, capturedAt, points } of plant.clouds ?? []) {
    if (rows.some((row) => row.location === location && row.name === name)) continue;
    const uid = randomUUID();
    const { file, extent } = await putCloud(context.files, points(), { uid, location, attempt: `demo-${uid}` });
    await context.tables
      .insertInto('cloud')
      .values({
        uid,
        name,
        location,
        captured_at: capturedAt,
        kind: 'TILES',
        source_files: '[]',
        data_file: file,
        extent: JSON.stringify(extent),
        ...createDefaultCloudColumns(identityPose),
      })
      .execute();
  }
}
