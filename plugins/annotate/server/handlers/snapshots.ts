import { readFile } from 'node:fs/promises';
import { sql, type Selectable, type SqlBool } from 'kysely';
import type { CursorPage } from '#core/api';
import {
  invalidRequest,
  noAccess,
  notFound,
  removeOnFailure,
  type Caller,
  type GuardedRead,
  type ReceivedUpload,
  type ServerContext,
} from '#core/server';
import type { Snapshot, SnapshotInput } from '#plugins/annotate';
import { Tours } from '#plugins/tour';
import { snapshotChanged } from '../../contract/events.ts';
import type { AnnotateTables } from '../tables.ts';
import { announceChange } from '../commands/announce-change.ts';
import type { AnnotateContext } from '../queries/annotate-context.ts';
import { loadAuthorNames } from '../queries/authors.ts';
import { deleteRow, upsertWithVersion } from '../commands/upsert-with-version.ts';
import { canChange, listVisible, assertDeletable, type ListQuery } from '../queries/visible-rows.ts';

type Row = Selectable<AnnotateTables['snapshot']>;
export type SnapshotContext = AnnotateContext & Pick<ServerContext, 'files'>;

/** Limits of the form with which a picture is uploaded. */
export const snapshotUpload = { accept: ['image/jpeg'], maximumBytes: 20 * 1024 * 1024, maximumFiles: 2 };

const pictureFieldNames = ['picture', 'thumbnail'] as const;
/** Name of the guard of picture folders. It requires that the caller can also see the snapshot itself. */
export const snapshotGuard = 'annotate.snapshot';

/**
 * Lists a page of the snapshots that the caller can see at a location and below it. Snapshots of other people are
 * listed only if they have a picture.
 */
export async function snapshotsAt(
  context: SnapshotContext,
  caller: Caller,
  location: string,
  query: ListQuery,
): Promise<CursorPage<Snapshot>> {
  const hasPicture = sql<SqlBool>`(author = ${caller.uid} or picture is not null)`;
  const page = await listVisible(context, 'snapshot', { caller, location, ...query }, hasPicture);
  return { ...page, rows: await toSnapshots(context, caller, page.rows) };
}

/**
 * Saves the data of a snapshot without its picture.
 *
 * @throws as `upsertWithVersion`
 */
export async function saveSnapshot(
  context: SnapshotContext,
  caller: Caller,
  location: string,
  uid: string,
  input: SnapshotInput,
): Promise<Snapshot> {
  const { tables } = context;
  const { version, marks, ...fields } = input;
  const values = { ...fields, marks: JSON.stringify(marks) };
  return upsertWithVersion(
    context,
    caller,
    { itemType: 'snapshot', location, uid, version, shared: input.shared },
    {
      find: () => findRow(context, uid),
      insert: (columns) =>
        tables
          .insertInto('snapshot')
          .values({ ...values, ...columns, uid, location, picture: null })
          .returningAll()
          .executeTakeFirstOrThrow(),
      update: (versionColumns, transaction) =>
        transaction
          .updateTable('snapshot')
          .set({ ...values, ...versionColumns })
          .where('uid', '=', uid)
          .where('version', '=', version)
          .returningAll()
          .executeTakeFirst(),
      toReply: (row) => toSnapshot(context, row, caller),
      isSame: (current) => serializeContent(current) === serializeContent(input),
      announce: (row, _reply, shared) => announceSnapshot(context, row, { shared }),
    },
  );
}

/**
 * Saves the picture of the caller's snapshot if the snapshot does not have a picture.
 *
 * @throws 404 for an unknown snapshot, or 400 if one of the two files is missing
 */
export async function saveSnapshotPicture(
  context: SnapshotContext,
  caller: Caller,
  { location, uid }: { readonly location: string; readonly uid: string },
  { files }: ReceivedUpload,
): Promise<Snapshot> {
  const getOwnRow = async (): Promise<Row> => {
    const row = await findRow(context, uid);
    if (row?.location !== location || row.author !== caller.uid) throw notFound('This snapshot');
    return row;
  };
  const row = await getOwnRow();
  if (row.picture !== null) return toSnapshot(context, row, caller);
  const entries = await Promise.all(
    pictureFieldNames.map(async (fieldName) => {
      const file = files.find(({ field }) => field === fieldName);
      if (!file)
        throw invalidRequest(`The file '${fieldName}' is missing in the form.`, [
          { pointer: `/${fieldName}`, message: 'core.validation.mandatory' },
        ]);
      return { path: `${fieldName}.jpg`, content: await readFile(file.path) };
    }),
  );
  const { id } = await context.files.putFolder(
    { name: row.name, mediaType: 'image/jpeg', audience: { kind: 'location', location, guard: snapshotGuard } },
    entries,
  );
  const changedRow = await removeOnFailure(context.files, [id], () =>
    context.tables
      .updateTable('snapshot')
      .set({ picture: id })
      .where('uid', '=', uid)
      .where('author', '=', caller.uid)
      .where('picture', 'is', null)
      .returningAll()
      .executeTakeFirst(),
  );
  if (changedRow) {
    await announceSnapshot(context, changedRow, { shared: changedRow.shared });
    return toSnapshot(context, changedRow, caller);
  }
  // The snapshot was deleted during the upload, or a concurrent request has saved its picture first.
  await context.files.remove(id);
  return toSnapshot(context, await getOwnRow(), caller);
}

/**
 * Deletes a snapshot that the caller may change, with its picture.
 *
 * @throws as `assertDeletable`
 */
export async function removeSnapshot(
  context: SnapshotContext,
  caller: Caller,
  location: string,
  uid: string,
): Promise<void> {
  const existingRow = await findRow(context, uid);
  if (existingRow?.location !== location) return;
  assertDeletable(existingRow, caller, 'a snapshot');
  const deletedRow = await deleteRow(
    context,
    caller,
    { itemType: 'snapshot', uid, author: existingRow.author, location: existingRow.location },
    (transaction) => transaction.deleteFrom('snapshot').where('uid', '=', uid).returningAll().executeTakeFirst(),
  );
  if (deletedRow) await announceSnapshot(context, deletedRow, { shared: deletedRow.shared, deleted: true });
  if (deletedRow?.picture) await context.files.remove(deletedRow.picture);
}

/** Announces a changed snapshot. Without a picture it is announced only to its author. */
const announceSnapshot = (
  context: AnnotateContext,
  { uid, location, version, author, picture }: Row,
  { shared, deleted = false }: { readonly shared: boolean; readonly deleted?: boolean },
): Promise<void> =>
  announceChange(
    context,
    snapshotChanged,
    { location, author, visible: shared && picture !== null },
    { uid, location, version, deleted },
  );

/** @throws 403 if the picture belongs to another person's private snapshot */
export async function assertSnapshotReadable(context: SnapshotContext, { file, caller }: GuardedRead): Promise<void> {
  const row = await context.tables
    .selectFrom('snapshot')
    .select(['author', 'shared'])
    .where('picture', '=', file)
    .executeTakeFirst();
  if (!row || (!row.shared && row.author !== caller.uid)) throw noAccess();
}

const findRow = (context: SnapshotContext, uid: string): Promise<Row | undefined> =>
  context.tables.selectFrom('snapshot').selectAll().where('uid', '=', uid).executeTakeFirst();

async function toSnapshot(context: SnapshotContext, row: Row, caller: Caller): Promise<Snapshot> {
  const [snapshot] = await toSnapshots(context, caller, [row]);
  return snapshot!;
}

async function toSnapshots(context: SnapshotContext, caller: Caller, rows: readonly Row[]): Promise<Snapshot[]> {
  const { files } = context;
  const tags = rows.flatMap(({ tag }) => tag ?? []);
  const [findAuthor, tagNumbers] = await Promise.all([
    loadAuthorNames(context, rows),
    tags.length === 0
      ? new Map<string, string | null>()
      : context.service(Tours).tagNumbers(tags, await context.locations.accessible(caller)),
  ]);
  return rows.map(({ author_name, created_at, updated_at, author, picture, ...row }) => ({
    ...row,
    tagNumber: tagNumbers.get(row.tag ?? '') ?? null,
    author: findAuthor({ author, author_name }),
    own: author === caller.uid,
    editable: canChange({ author, shared: row.shared }, caller),
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
    picture:
      picture === null
        ? null
        : { address: files.url(picture, 'picture.jpg'), thumbnail: files.url(picture, 'thumbnail.jpg') },
  }));
}

function serializeContent({ name, text, tag, marks, tour, node, view, shared }: Snapshot | SnapshotInput): string {
  return JSON.stringify([name, text, tag, tour, node, view, shared, marks.map((mark) => [mark.name, mark.words])]);
}
