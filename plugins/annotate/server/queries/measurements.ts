import type { Selectable } from 'kysely';
import type { CursorPage } from '#core/api';
import type { Caller } from '#core/server';
import type { Measurement, WrittenMeasurement } from '#plugins/annotate';
import { measurementChanged } from '../../contract/events.ts';
import type { AnnotateTables } from '../tables.ts';
import { announceChange } from './announce-change.ts';
import { tablesOf, type AnnotateContext } from './annotate-context.ts';
import { authorsOf } from './authors.ts';
import { deleteShared, keepShared } from './keep-shared.ts';
import { canChange, listVisible, mayRemove, type ListQuery } from './seen-at.ts';

type Row = Selectable<AnnotateTables['measurement']>;

/** A page of those that the caller can see at a location and below it. */
export async function measurementsAt(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  query: ListQuery,
): Promise<CursorPage<Measurement>> {
  const page = await listVisible(context, 'measurement', { caller, location, ...query });
  const authorOf = await authorsOf(context, page.rows);
  return { ...page, rows: page.rows.map((row) => measurementOf(row, authorOf(row), caller)) };
}

/** Keeps a measurement; refusals as in `keepShared`. */
export async function keepMeasurement(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  uid: string,
  written: WrittenMeasurement,
): Promise<Measurement> {
  const tables = tablesOf(context);
  const { version, points, result, ...rest } = written;
  const values = { ...rest, points: JSON.stringify(points), result: JSON.stringify(result) };
  return keepShared(
    context,
    caller,
    { thing: 'measurement', location, uid, version, shared: written.shared },
    {
      find: () => tables.selectFrom('measurement').selectAll().where('uid', '=', uid).executeTakeFirst(),
      insert: (made) =>
        tables
          .insertInto('measurement')
          .values({ ...values, ...made, uid, location })
          .returningAll()
          .executeTakeFirstOrThrow(),
      update: (changed, transaction) =>
        transaction
          .updateTable('measurement')
          .set({ ...values, ...changed })
          .where('uid', '=', uid)
          .where('version', '=', version)
          .returningAll()
          .executeTakeFirst(),
      shown: async (row) => measurementOf(row, (await authorsOf(context, [row]))(row), caller),
      same: (current) => sameContent(current, written),
      announce: (row, _shown, shared) => announceMeasurement(context, row, { visible: shared }),
    },
  );
}

/** Deletes a measurement that the caller may change; refusals as in `mayRemove`. */
export async function removeMeasurement(
  context: AnnotateContext,
  caller: Caller,
  location: string,
  uid: string,
): Promise<void> {
  const tables = tablesOf(context);
  const known = await tables
    .selectFrom('measurement')
    .select(['author', 'location', 'shared'])
    .where('uid', '=', uid)
    .executeTakeFirst();
  if (!mayRemove(known, caller, location, 'a measurement')) return;
  const removed = await deleteShared(
    context,
    caller,
    { thing: 'measurement', uid, author: known.author },
    (transaction) => transaction.deleteFrom('measurement').where('uid', '=', uid).returningAll().executeTakeFirst(),
  );
  if (removed) await announceMeasurement(context, removed, { visible: removed.shared, deleted: true });
}

const announceMeasurement = (
  context: AnnotateContext,
  { uid, location, version, author }: Row,
  { visible, deleted = false }: { readonly visible: boolean; readonly deleted?: boolean },
): Promise<void> =>
  announceChange(context, measurementChanged, { location, author, visible }, { uid, location, version, deleted });

function measurementOf(
  { author_name: _noted, created_at, updated_at, author, ...row }: Row,
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

function sameContent(current: Measurement, written: WrittenMeasurement): boolean {
  const content = ({ kind, name, points, result, unit, tour, node, view, shared }: Measurement | WrittenMeasurement) =>
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
  return content(current) === content(written);
}
