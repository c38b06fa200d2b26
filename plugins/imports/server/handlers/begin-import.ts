import { createReadStream } from 'node:fs';
import type { BodyOf } from '#core';
import { conflict, invalidRequest, isUniqueViolation, removeOnFailure, type ReceivedUpload } from '#core/server';
import type { Import } from '#plugins/imports';
import type { createImport } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { assertPhase, fileGuard, findPlace, getBatch, type Author, type ImportContext } from '../import-context.ts';
import { checkImportJob, type CheckImportPayload } from '../jobs/check-import.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Idempotent by its uid.
 *
 * @throws `invalidRequest` (400) without the site that the kind needs, or if REPLACE is not possible; `noAccess` (403);
 *   `conflict` (409) if the uid is that of another import
 */
export async function beginImport(
  context: ImportContext,
  { caller }: Author,
  { uid, kind: id, site: requestedSite, mode }: BodyOf<typeof createImport>,
  api = false,
): Promise<Import> {
  const kind = context.kinds.get(id, caller);
  const place = await findPlace(context, caller, kind, requestedSite);
  if (mode === 'REPLACE' && !kind.sheets.some(({ removable }) => removable))
    throw invalidRequest(importsRefusal('imports.refused.notRemovable'));
  try {
    await context.tables
      .insertInto('batch')
      .values({
        uid,
        kind: id,
        ...place,
        mode,
        phase: 'FILES',
        result: null,
        job: null,
        author: caller.uid,
        author_name: caller.username,
        created_at: new Date(),
        finished_at: null,
        change: null,
        api,
      })
      .execute();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const present = await getBatch(context, caller, uid);
    if (present.author !== caller.uid || present.kind !== id || present.mode !== mode || present.site !== place.site)
      throw conflict('A uid of the request is in use.');
  }
  return loadImport(context, uid, kind);
}

export const importUpload = {
  accept: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/zip',
    // Old and protected workbooks, whose refusal says how they are saved.
    'application/x-cfb',
    'application/octet-stream',
  ],
  maximumBytes: 25 * 1024 * 1024,
  maximumFiles: 20,
};

/**
 * Stores the files of an import and begins to read all of them.
 *
 * @throws `conflict` (409) while the import is checked or applied, or once it is done
 */
export async function receiveImportFiles(
  context: ImportContext,
  { caller }: Author,
  uid: string,
  { files: received }: ReceivedUpload,
): Promise<Import> {
  const { tables, files, jobs } = context;
  const batch = await getBatch(context, caller, uid);
  assertPhase(batch, ['FILES', 'COLUMNS', 'PREVIEW']);
  const kind = context.kinds.get(batch.kind, caller);
  const stored: { readonly id: string; readonly name: string; readonly mediaType: string; readonly bytes: number }[] =
    [];
  const ids: string[] = [];
  const replaced = await removeOnFailure(files, ids, async () => {
    for (const file of received) {
      const { name, mediaType } = file;
      const { id, bytes } = await files.put(
        { name, mediaType, audience: { kind: 'signedIn', guard: fileGuard } },
        createReadStream(file.path),
      );
      ids.push(id);
      stored.push({ id, name, mediaType, bytes });
    }
    return tables.transaction().execute(async (transaction) => {
      const locked = await transaction
        .selectFrom('batch')
        .selectAll()
        .where('uid', '=', uid)
        .forUpdate()
        .executeTakeFirstOrThrow();
      assertPhase(locked, ['FILES', 'COLUMNS', 'PREVIEW']);
      const present = await transaction.selectFrom('file').selectAll().where('batch', '=', uid).execute();
      const former = present.filter(({ name }) => stored.some((file) => file.name === name));
      for (const { name } of former)
        await transaction.deleteFrom('file').where('batch', '=', uid).where('name', '=', name).execute();
      const position = Math.max(0, ...present.map((file) => file.position)) + 1;
      const latest = [...new Map(stored.map((file) => [file.name, file])).values()];
      await transaction
        .insertInto('file')
        .values(
          latest.map(({ id, name, mediaType, bytes }, index) => ({
            batch: uid,
            name,
            position: position + index,
            file: id,
            media_type: mediaType,
            bytes,
          })),
        )
        .execute();
      const job = await jobs.start<CheckImportPayload>(
        checkImportJob,
        { batch: uid, read: true },
        caller.uid,
        transaction,
      );
      await transaction
        .updateTable('batch')
        .set(({ eb }) => ({ phase: 'READING' as const, job, refusal: null, version: eb('version', '+', 1) }))
        .where('uid', '=', uid)
        .execute();
      return former.map(({ file }) => file);
    });
  });
  for (const id of replaced) await files.remove(id);
  await jobs.notifyRunners();
  return loadImport(context, uid, kind);
}
