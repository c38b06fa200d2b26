import { sql, type Kysely } from 'kysely';
import type { FileStore } from '#core/server';
import { modelSchema, type ModelTables } from '../tables.ts';
import { readGlbObjects } from './glb-objects.ts';
import { readTiledObjects } from './tiled-objects.ts';

/** An object of a stored model, without its geometry. */
export interface StoredObject {
  /** The key of the object is stable across versions. */
  readonly key: string;
  readonly name: string;
  /** Names of its ancestors, outermost first. */
  readonly within: readonly string[];
  readonly tag: string | undefined;
}

const rowsPerInsert = 5_000;

/** Reads the objects of a stored GLB or of a folder of tiles. */
export const readObjects = (files: FileStore, file: string, tiled: boolean): Promise<readonly StoredObject[]> =>
  (tiled ? readTiledObjects : readGlbObjects)(files, file);

/** Replaces the objects of the previous version. The caller passes its transaction. */
export async function replaceObjects(
  transaction: Kysely<ModelTables>,
  model: string,
  objects: readonly StoredObject[],
): Promise<void> {
  await transaction.deleteFrom('model_object').where('model', '=', model).execute();
  for (let start = 0; start < objects.length; start += rowsPerInsert) {
    const rows = objects.slice(start, start + rowsPerInsert).map(({ key, name, within, tag }, index) => ({
      position: start + index,
      key: toStorable(key),
      name: toStorable(name),
      within: within.map(toStorable),
      tag: tag === undefined ? null : toStorable(tag),
      search: toStorable([name, tag ?? '', key, ...within].join(' ').toLowerCase()),
    }));
    await sql`
      insert into ${sql.table(`${modelSchema}.model_object`)} (model, position, key, name, within, tag, search)
      select ${model}, position, key, name, within, tag, search
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as listed (position integer, key text, name text, within jsonb, tag text, search text)`.execute(transaction);
  }
}

/** PostgreSQL rejects NUL and lone surrogates. */
const toStorable = (text: string): string => text.replaceAll('\0', '\u{FFFD}').replaceAll(/\p{Cs}/gu, '\u{FFFD}');
