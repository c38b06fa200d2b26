import { sql, type Kysely } from 'kysely';
import type { FileStore } from '#core/server';
import type { AttributePath } from '../../contract/api/tag-rules.ts';
import { modelSchema, type ModelTables } from '../tables.ts';
import { readGlbObjects } from './glb-objects.ts';
import type { ObjectBox } from './object-boxes.ts';
import { readTiledObjects } from './tiled-objects.ts';

/** An object of a stored model, without its geometry. */
export interface StoredObject {
  /** Stable across versions. */
  readonly key: string;
  readonly name: string;
  /** Names of its ancestors, outermost first. */
  readonly within: readonly string[];
  readonly tag: string | undefined;
  /** Index of the object above, which comes before this one. */
  readonly parent: number | undefined;
  /** Values by path, such as `attributes.DESIGN.Tag`. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The box of the object with the objects below it. */
  readonly box: ObjectBox | undefined;
}

const rowsPerInsert = 5_000;
const maxPaths = 500;
const maxExampleLength = 60;

/** Reads the objects of a stored GLB or of a folder of tiles. */
export const readObjects = (files: FileStore, file: string, tiled: boolean): Promise<readonly StoredObject[]> =>
  (tiled ? readTiledObjects : readGlbObjects)(files, file);

/** Replaces the objects of the previous version, in the transaction of the caller. */
export async function replaceObjects(
  transaction: Kysely<ModelTables>,
  model: string,
  objects: readonly StoredObject[],
): Promise<void> {
  await transaction.deleteFrom('model_object').where('model', '=', model).execute();
  for (let start = 0; start < objects.length; start += rowsPerInsert) {
    const rows = objects
      .slice(start, start + rowsPerInsert)
      .map(({ key, name, within, tag, parent, attributes, box }, index) => ({
        position: start + index,
        key: toStorable(key),
        name: toStorable(name),
        within: within.map(toStorable),
        tag: tag === undefined ? null : toStorable(tag),
        search: toStorable([name, tag ?? '', key, ...within].join(' ').toLowerCase()),
        parent: parent ?? null,
        attributes: Object.fromEntries(
          Object.entries(attributes).map(([path, value]) => [toStorable(path), toStorable(value)]),
        ),
        box: box?.map((value) => Math.round(value * 1e4) / 1e4) ?? null,
      }));
    await sql`
      insert into ${sql.table(`${modelSchema}.model_object`)}
        (model, position, key, name, within, tag, search, parent, attributes, box)
      select ${model}, position, key, name, within, tag, search, parent, attributes, box
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as new_object (position integer, key text, name text,
        within jsonb, tag text, search text, parent integer, attributes jsonb, box jsonb)`.execute(transaction);
  }
  await transaction
    .updateTable('model')
    .set({ attribute_paths: JSON.stringify(listPaths(objects)), objects_complete: true })
    .where('uid', '=', model)
    .execute();
}

/** Lists the attribute paths, the most frequent first. */
function listPaths(objects: readonly StoredObject[]): readonly AttributePath[] {
  const paths = new Map<string, { count: number; readonly example: string }>();
  for (const { attributes } of objects)
    for (const [path, value] of Object.entries(attributes)) {
      const entry = paths.get(path);
      if (entry) entry.count += 1;
      else paths.set(path, { count: 1, example: toStorable(value.slice(0, maxExampleLength)) });
    }
  return [...paths]
    .map(([path, { count, example }]) => ({ path: toStorable(path), count, example }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
    .slice(0, maxPaths);
}

/** PostgreSQL rejects NUL and lone surrogates. */
const toStorable = (text: string): string => text.replaceAll('\0', '\u{FFFD}').replaceAll(/\p{Cs}/gu, '\u{FFFD}');
