import type { Selectable } from 'kysely';
import type { CursorPage } from '#core/api';
import type { Caller } from '#core/server';
import type { Measurement, MeasurementInput } from '#plugins/annotate';
import { measurementChanged } from '../../contract/events.ts';
import type { AnnotateTables } from '../tables.ts';
import { announceChange } from '../commands/announce-change.ts';
import type { AnnotateContext } from '../queries/annotate-context.ts';
import { loadAuthorNames } from '../queries/authors.ts';
import { deleteRow, upsertWithVersion } from '../commands/upsert-with-version.ts';
import { canChange, listVisible, assertDeletable, type ListQuery } from '../queries/visible-rows.ts';

type Row = Selectable<AnnotateTables['measurement']>;

/** Lists a page of the measurements that the caller can see at a location and below it. */
export async function measurementsAt(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  query: ListQuery,
): Promise<CursorPage<Measurement>> {
  const page = await listVisible(context, 'measurement', { caller, location, ...query });
  const findAuthor = await loadAuthorNames(context, page.rows);
  return { ...page, rows: page.rows.map((row) => toMeasurement(row, findAuthor(row), caller)) };
}

/**
 * Saves a measurement.
 *
 * @throws as `upsertWithVersion`
 */
export async function saveMeasurement(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  uid: string,
  input: MeasurementInput,
): Promise<Measurement> {
  const { tables } = context;
  const { version, points, result, ...fields } = input;
  const values = { ...fields, points: JSON.stringify(points), result: JSON.stringify(result) };
  return upsertWithVersion(
    context,
    caller,
    { itemType: 'measurement', location, uid, version, shared: input.shared },
    {
      find: () => tables.selectFrom('measurement').selectAll().where('uid', '=', uid).executeTakeFirst(),
      insert: (columns) =>
        tables
          .insertInto('measurement')
          .values({ ...values, ...columns, uid, location })
          .returningAll()
          .executeTakeFirstOrThrow(),
      update: (versionColumns, transaction) =>
        transaction
          .updateTable('measurement')
          .set({ ...values, ...versionColumns })
          .where('uid', '=', uid)
          .where('version', '=', version)
          .returningAll()
          .executeTakeFirst(),
      toReply: async (row) => toMeasurement(row, (await loadAuthorNames(context, [row]))(row), caller),
      isSame: (current) => isSameContent(current, input),
      announce: (row, _reply, shared) => announceMeasurement(context, row, { visible: shared }),
    },
  );
}

/**
 * Deletes a measurement that the caller may change.
 *
 * @throws as `assertDeletable`
 */
export async function removeMeasurement(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  uid: string,
): Promise<void> {
  const { tables } = context;
  const existingRow = await tables
    .selectFrom('measurement')
    .select(['author', 'location', 'shared'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (existingRow?.location !== location) return;
  assertDeletable(existingRow, caller, 'a measurement');
  const deletedRow = await deleteRow(
    context,
    caller,
    { itemType: 'measurement', uid, author: existingRow.author, location: existingRow.location },
    (transaction) => transaction.deleteFrom('measurement').where('uid', '=', uid).returningAll().executeTakeFirst(),
  );
  if (deletedRow) await announceMeasurement(context, deletedRow, { visible: deletedRow.shared, deleted: true });
}

const announceMeasurement = (
  context: AnnotateContext,
  { uid, location, version, author }: Row,
  { visible, deleted = false }: { readonly visible: boolean; readonly deleted?: boolean },
): Promise<void> =>
  announceChange(context, measurementChanged, { location, author, visible }, { uid, location, version, deleted });

function toMeasurement(
  { author_name: _authorName, created_at, updated_at, author, ...row }: Row,
  name: string,
  caller: Caller,
): Measurement {
  return {
    ...row,
    author: name,
    own: author === caller.uid,
    editable: canChange({ author, shared: row.shared }, caller),
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

function isSameContent(current: Measurement, input: MeasurementInput): boolean {
  const serializeContent = ({
    kind,
    name,
    points,
    result,
    unit,
    tour,
    node,
    view,
    shared,
  }: Measurement | MeasurementInput) =>
    JSON.stringify([
      kind,
      name,
      unit,
      tour,
      node,
      view,
      shared,
      points.map(({ point, sigma, source, edge }) => [point, sigma, source, edge]),
      result.value,
      result.sigma,
      Object.entries(result.details).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  return serializeContent(current) === serializeContent(input);
}
