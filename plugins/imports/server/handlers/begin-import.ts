import { createReadStream } from 'node:fs';
import path from 'node:path';
import { refusalIn, type BodyOf } from '#core';
import { coreRefusal } from '#core/api';
import {
  conflict,
  invalidRequest,
  isUniqueViolation,
  pictureTypes,
  removeOnFailure,
  type CallAuthor,
  type Caller,
  type ReceivedUpload,
} from '#core/server';
import type { Import } from '#plugins/imports';
import type { createImport } from '../../contract/api.ts';
import { importsRefusal } from '../../contract/errors.ts';
import { replacesFile } from '../../common/replaced-files.ts';
import { assertPhase, fileGuard, findPlace, getBatch, type Batch, type ImportContext } from '../import-context.ts';
import { startFollowers, startReading } from '../jobs/followers.ts';
import { assertMayFollow, mustWait } from '../queries/following-kinds.ts';
import { loadImport } from '../queries/load-import.ts';

/**
 * Creates an import. Idempotent by its uid.
 *
 * @param api whether its rows come from another system; see `ImportsTables`
 * @throws as `toNewBatch`; `conflict` (409) if the uid is that of another import
 */
export async function beginImport(
  context: ImportContext,
  { caller }: CallAuthor,
  input: BodyOf<typeof createImport>,
  api = false,
): Promise<Import> {
  const newBatch = await toNewBatch(context, caller, input, api);
  try {
    await context.tables.insertInto('batch').values(newBatch).execute();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    assertSameImport(await getBatch(context, caller, input.uid), newBatch);
  }
  return loadImport(context, input.uid, context.kinds.get(input.kind, caller));
}

/**
 * Checks a request for a new import, and returns its row of the table `batch`.
 *
 * @throws `invalidRequest` (400) without the site that the kind needs, or if REPLACE or following is not possible;
 *   `noAccess` (403)
 */
export async function toNewBatch(
  context: ImportContext,
  caller: Caller,
  { uid, kind: id, site: requestedSite, mode, follows }: BodyOf<typeof createImport>,
  api: boolean,
) {
  const kind = context.kinds.get(id, caller);
  if (follows !== undefined) await assertMayFollow(context, caller, kind, { follows, site: requestedSite });
  const place = await findPlace(context, caller, kind, requestedSite);
  if (mode === 'REPLACE' && !kind.sheets.some(({ removable }) => removable))
    throw invalidRequest(importsRefusal('imports.refused.notRemovable'));
  return {
    uid,
    kind: id,
    ...place,
    mode,
    follows: follows ?? null,
    phase: 'FILES' as const,
    result: null,
    job: null,
    author: caller.uid,
    author_name: caller.username,
    created_at: new Date(),
    finished_at: null,
    change: null,
    api,
  };
}

/** @throws `conflict` (409) unless a repeated request asks for the import that has its uid */
export function assertSameImport(
  existingBatch: Batch,
  { author, kind, mode, site, follows }: Awaited<ReturnType<typeof toNewBatch>>,
): void {
  if (
    existingBatch.author !== author ||
    existingBatch.kind !== kind ||
    existingBatch.mode !== mode ||
    existingBatch.site !== site ||
    existingBatch.follows !== follows
  )
    throw conflict('A uid of the request is in use.');
}

/** Phases in which files can be added and removed. */
export const openPhases = ['FILES', 'WAITING', 'COLUMNS', 'PREVIEW'] as const;

export const importUpload = {
  accept: [
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/zip',
    // Old and protected workbooks. Their refusal says how to save them.
    'application/x-cfb',
    'application/octet-stream',
    // Pictures that rows name.
    ...pictureTypes,
  ],
  maximumBytes: 25 * 1024 * 1024,
  maximumFiles: 100,
};

/** Also finds damaged pictures, whose type cannot be detected. */
const pictureEndings = /\.(?:jpe?g|png|webp)$/i;
const tableEndings = /\.(?:xlsx|csv|json)$/i;

/**
 * @throws `invalidRequest` (400) with the name of a file that is empty, a picture with the name of a table, or a
 *   picture if the kind takes none. Empty and damaged pictures of a kind that takes pictures are reported at their rows
 */
function assertUsable(
  { name, bytes, mediaType }: ReceivedUpload['files'][number],
  { isPicture, takesPictures }: { readonly isPicture: boolean; readonly takesPictures: boolean },
): void {
  if (bytes === 0 && !isPicture)
    throw invalidRequest(refusalIn(name, importsRefusal('imports.refused.workbookEmptyFile')));
  if (!isPicture || (takesPictures && !tableEndings.test(name))) return;
  const named = path.extname(name).toLowerCase();
  const type = mediaType.replace('image/', '.');
  if (takesPictures) throw invalidRequest(refusalIn(name, coreRefusal('core.refused.fileContent', { named })));
  throw invalidRequest(
    refusalIn(
      name,
      named === '' || pictureEndings.test(name)
        ? coreRefusal('core.refused.fileType', { type: named || type })
        : coreRefusal('core.refused.fileDisguised', { named, type }),
    ),
  );
}

/**
 * Stores the files of an import and begins to read all of them, or waits for the import that it follows.
 *
 * @throws `conflict` (409) while the import is checked or applied, or once it is done; `invalidRequest` (400) for a
 *   file that `assertUsable` refuses
 */
export async function receiveImportFiles(
  context: ImportContext,
  { caller }: CallAuthor,
  uid: string,
  { files: receivedFiles }: ReceivedUpload,
): Promise<Import> {
  const { tables, files, jobs } = context;
  const batch = await getBatch(context, caller, uid);
  assertPhase(batch, openPhases);
  const kind = context.kinds.get(batch.kind, caller);
  const { follows } = batch;
  if (follows !== null) await assertMayFollow(context, caller, kind, { follows, site: batch.site });
  const takesPictures = kind.files.some((file) => file.kind === 'IMAGE');
  const isPicture = (file: ReceivedUpload['files'][number]): boolean =>
    file.mediaType.startsWith('image/') || (takesPictures && pictureEndings.test(file.name));
  for (const file of receivedFiles) assertUsable(file, { isPicture: isPicture(file), takesPictures });
  const storedFiles: {
    readonly id: string;
    readonly name: string;
    readonly mediaType: string;
    readonly bytes: number;
    readonly picture: boolean;
  }[] = [];
  const storedIds: string[] = [];
  const replacedIds = await removeOnFailure(files, storedIds, async () => {
    for (const file of receivedFiles) {
      const { mediaType } = file;
      const picture = isPicture(file);
      // Spaces in cells are collapsed, so the names of pictures need the same to match them.
      const name = picture ? file.name.replaceAll(/\s+/g, ' ') : file.name;
      const { id, bytes } = await files.put(
        { name, mediaType, audience: { kind: 'signedIn', guard: fileGuard } },
        createReadStream(file.path),
      );
      storedIds.push(id);
      storedFiles.push({ id, name, mediaType, bytes, picture });
    }
    return tables.transaction().execute(async (transaction) => {
      const isWaiting = await mustWait(transaction, batch);
      const lockedBatch = await transaction
        .selectFrom('batch')
        .selectAll()
        .where('uid', '=', uid)
        .forUpdate()
        .executeTakeFirstOrThrow();
      assertPhase(lockedBatch, openPhases);
      const presentFiles = await transaction.selectFrom('file').selectAll().where('batch', '=', uid).execute();
      const errorName = kind.errorFileName?.(batch.site ?? '');
      const replacedFiles = presentFiles.filter((presentFile) =>
        storedFiles.some(
          ({ name }) =>
            replacesFile(name, presentFile.name) || (name === errorName && /\.xlsx$/i.test(presentFile.name)),
        ),
      );
      for (const { name } of replacedFiles)
        await transaction.deleteFrom('file').where('batch', '=', uid).where('name', '=', name).execute();
      const position = Math.max(0, ...presentFiles.map((file) => file.position)) + 1;
      const latestFiles = [...new Map(storedFiles.map((file) => [file.name, file])).values()];
      await transaction
        .insertInto('file')
        .values(
          latestFiles.map(({ id, name, mediaType, bytes, picture }, index) => ({
            batch: uid,
            name,
            position: position + index,
            file: id,
            media_type: mediaType,
            bytes,
            picture,
          })),
        )
        .execute();
      // The headers of a file that replaces another one may be in another row.
      const layouts = replacedFiles.some(({ picture }) => !picture) ? {} : lockedBatch.layouts;
      if (!isWaiting) await startReading(jobs, transaction, uid, caller.uid, layouts);
      else
        await transaction
          .updateTable('batch')
          .set(({ eb }) => ({ phase: 'WAITING' as const, version: eb('version', '+', 1) }))
          .where('uid', '=', uid)
          .execute();
      return replacedFiles.map(({ file }) => file);
    });
  });
  for (const id of replacedIds) await files.remove(id);
  // The other import may have been applied since this transaction began.
  if (follows !== null && !(await mustWait(tables, batch)))
    await tables.transaction().execute((transaction) => startFollowers(jobs, transaction, follows));
  await jobs.notifyRunners();
  return loadImport(context, uid, kind);
}
