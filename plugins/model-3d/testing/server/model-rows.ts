import type { Insertable } from 'kysely';
import type { Database } from '#core/server';
import { replaceObjects, type StoredObject } from '../../server/jobs/model-objects.ts';
import { identityPose } from '../../server/commands/receive-model.ts';
import { modelSchema, type ModelTables } from '../../server/tables.ts';

/** Builds a model at the location `unit` that has no version yet. */
export const buildModelRow = (
  uid: string,
  changes: Partial<Insertable<ModelTables['model']>> = {},
): Insertable<ModelTables['model']> => ({
  uid,
  location: 'unit',
  name: uid,
  version: 0,
  state: 'IMPORTING',
  message: null,
  file: null,
  tiles: 0,
  bytes: 0,
  objects: 0,
  bounds: null,
  pose: JSON.stringify(identityPose),
  report: null,
  job: null,
  ...changes,
});

/** Builds an object whose tag in the file equals its key. */
export const buildStoredObject = (key: string, changes: Partial<StoredObject> = {}): StoredObject => ({
  key,
  name: `Object ${key}`,
  within: ['Plant'],
  tag: key,
  parent: undefined,
  attributes: {},
  box: undefined,
  ...changes,
});

/** Inserts published models, each with all of the objects. */
export async function insertPublishedModels(
  database: Pick<Database, 'of'>,
  uids: readonly string[],
  objects: readonly StoredObject[],
  changes: Partial<Insertable<ModelTables['model']>> = {},
): Promise<void> {
  const publishedFields = { version: 1, state: 'READY', file: 'none', objects: objects.length, ...changes } as const;
  await database
    .of<ModelTables>(modelSchema)
    .transaction()
    .execute(async (transaction) => {
      await transaction
        .insertInto('model')
        .values(uids.map((uid) => buildModelRow(uid, publishedFields)))
        .execute();
      for (const uid of uids) await replaceObjects(transaction, uid, objects);
    });
}
