import { sql } from 'kysely';
import { removeOnFailure } from '#core/server';
import type { ApplyContext } from '#plugins/imports';
import type { ImportContext } from '../import-context.ts';
import { namedPictures } from '../queries/check-pictures.ts';
import type { StagedImport } from '../queries/sheet-rows.ts';
import type { Values } from '../tables.ts';
import { withLocalCopy } from './measure-pictures.ts';

interface NamedPicture {
  readonly id: string;
  readonly column_id: string;
  readonly name: string;
  readonly file: string;
  readonly values: Values;
}

/** Stores the pictures that rows newly name, and runs `work` with their ids. Removes them if it fails. */
export async function withStoredPictures<T>(
  context: ImportContext,
  stagedImport: StagedImport,
  signal: AbortSignal,
  work: (pictures: ApplyContext<never>['pictures']) => Promise<T>,
): Promise<T> {
  const { files, tables } = context;
  const { storePicture, sheets } = stagedImport.kind;
  const pictures = new Map<string, Record<string, string>>();
  const ids: string[] = [];
  return removeOnFailure(files, ids, async () => {
    for (const sheet of sheets) {
      if (!storePicture || !sheet.columns.some(({ picture }) => picture)) continue;
      const { rows } = await sql<NamedPicture>`
        select id::text as id, column_id, name, file, coalesce(before, '{}') || values as values
        from (${namedPictures(stagedImport, sheet)}) as named where changed and width is not null order by id`.execute(
        tables,
      );
      for (const { id, column_id: column, name, file, values } of rows) {
        signal.throwIfAborted();
        const pictureId = await withLocalCopy(context, file, (local) =>
          storePicture({ column, values, name, path: local }),
        );
        ids.push(pictureId);
        pictures.set(id, { ...pictures.get(id), [column]: pictureId });
      }
    }
    return work(pictures);
  });
}
