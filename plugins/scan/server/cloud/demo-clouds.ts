import type { DemoPlant } from '#core';
import type { ServerContext } from '#core/server';
import { standing } from '../stations/scan-frame.ts';
import { cloudTables, newCloud } from './cloud-tables.ts';
import { putCloud } from './put-cloud.ts';

/** The clouds of the demo plant. One that is there already stays. */
export async function seedClouds(
  context: Pick<ServerContext, 'database' | 'files'>,
  plant: Pick<DemoPlant, 'clouds'>,
): Promise<void> {
  for (const { code, name, location, capturedAt, points } of plant.clouds ?? []) {
    if (await cloudTables(context).selectFrom('cloud').select('code').where('code', '=', code).executeTakeFirst())
      continue;
    const { file, extent } = await putCloud(context.files, points(), {
      code,
      location,
      attempt: `demo-${code}-${process.pid}`,
    });
    await cloudTables(context)
      .insertInto('cloud')
      .values({
        code,
        name,
        location,
        captured_at: capturedAt,
        kind: 'TILES',
        source_files: '[]',
        data_file: file,
        extent: JSON.stringify(extent),
        ...newCloud(standing),
      })
      .execute();
  }
}
