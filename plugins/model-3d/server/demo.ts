import { createReadStream } from 'node:fs';
import type { DemoRows } from '#core/server';
import type manifest from '../plugin.ts';
import type { DemoPlant, SettingsOf } from '#core';
import type { ModelDemo } from '../contract/index.ts';
import { standingPose } from './receive-model.ts';
import { tablesOf } from './tables.ts';

/** The demo plant's models: they come shrunk, so no import is needed. What is there already stays. */
const demoRows: DemoRows<SettingsOf<typeof manifest>, DemoPlant & Partial<ModelDemo>> = async (context, plant) => {
  const tables = tablesOf(context);
  for (const model of plant.models ?? []) {
    if (await tables.selectFrom('model').select('id').where('id', '=', model.code).executeTakeFirst()) continue;
    const { file, report, bounds } = await model.make();
    const stored = await context.files.put(
      { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location: model.location } },
      createReadStream(file.path),
    );
    await tables
      .insertInto('model')
      .values({
        id: model.code,
        location: model.location,
        name: model.name,
        version: 1,
        state: 'READY',
        message: null,
        file: stored.id,
        tiles: 0,
        bytes: file.bytes,
        objects: report.objects,
        bounds: JSON.stringify(bounds),
        pose: JSON.stringify(standingPose),
        report: JSON.stringify({
          source: 'GLB',
          bytesBefore: file.bytes,
          bytesAfter: file.bytes,
          meshesBefore: report.meshes,
          meshesAfter: report.meshes,
          objects: report.objects,
          tagged: report.tagged,
          triangles: report.triangles,
          notes: [],
        }),
        job: null,
        updated_at: new Date(),
      })
      .execute();
  }
};
export default demoRows;
