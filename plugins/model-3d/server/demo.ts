import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { SeedDemo } from '#core/server';
import type manifest from '../plugin.ts';
import type { DemoPlant, SettingsOf } from '#core';
import { Tours } from '#plugins/tour';
import type { ModelDemo } from '../contract/index.ts';
import { readObjects, replaceObjects } from './jobs/model-objects.ts';
import { identityPose } from './commands/receive-model.ts';
import type { ModelTables } from './tables.ts';

/**
 * Seeds the demo plant's models, which are already optimized and need no import. Skips a model if its
 * location has one of the same name.
 */
const seedDemo: SeedDemo<ModelTables, DemoPlant & Partial<ModelDemo>, SettingsOf<typeof manifest>> = async (
  context,
  plant,
) => {
  const { tables } = context;
  for (const model of plant.models ?? []) {
    const existingModel = await tables
      .selectFrom('model')
      .select('uid')
      .where('location', '=', model.location)
      .where('name', '=', model.name)
      .executeTakeFirst();
    if (existingModel) continue;
    const { file, report, bounds } = await model.make();
    const storedFile = await context.files.put(
      { name: file.name, mediaType: file.mediaType, audience: { kind: 'location', location: model.location } },
      createReadStream(file.path),
    );
    const uid = randomUUID();
    const numbers = (model.links ?? []).map(({ tag }) => tag);
    const tags =
      numbers.length === 0
        ? new Map<string, string>()
        : await context.service(Tours).findTags(model.location, [...new Set(numbers)]);
    const objects = await readObjects(context.files, storedFile.id, false);
    await tables.transaction().execute(async (transaction) => {
      await transaction
        .insertInto('model')
        .values({
          uid,
          location: model.location,
          name: model.name,
          version: 1,
          state: 'READY',
          message: null,
          file: storedFile.id,
          tiles: 0,
          bytes: file.bytes,
          objects: report.objects,
          bounds: JSON.stringify(bounds),
          pose: JSON.stringify(identityPose),
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
      await replaceObjects(transaction, uid, objects);
      const links = (model.links ?? []).flatMap(({ object, tag }) => {
        const target = tags.get(tag);
        return target === undefined ? [] : [{ model: uid, object, kind: 'TAG' as const, target }];
      });
      if (links.length > 0) await transaction.insertInto('mapping').values(links).execute();
    });
  }
};
export default seedDemo;
