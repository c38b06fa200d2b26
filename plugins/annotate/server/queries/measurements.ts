import type { Selectable } from 'kysely';
import { locationPath, type LocationRow } from '#core';
import { changedMeanwhile, isUniqueViolation, noAccess, notFound, type Caller, type ServerContext } from '#core/server';
import type { Measurement, WrittenMeasurement } from '#plugins/annotate';
import { annotateSchema, type AnnotateTables } from '../tables.ts';

export type AnnotateContext = Pick<ServerContext, 'database' | 'locations'>;

const tablesOf = (context: AnnotateContext) => context.database.of<AnnotateTables>(annotateSchema);

type Row = Selectable<AnnotateTables['measurement']>;

/** The latest; a list that a person reads has no more. */
const most = 2000;

/** The caller's own and the shared ones at a location and below it, where the caller reaches. */
export async function measurementsAt(context: AnnotateContext, caller: Caller, location: string): Promise<Measurement[]> {
  const all = await context.locations.all();
  const rows = new Map(all.map((row): readonly [string, LocationRow] => [row.uid, row]));
  const below = all.filter((row) => locationPath(rows, row.uid).some((above) => above.uid === location)).map((row) => row.uid);
  if (below.length === 0) return [];
  const found = await tablesOf(context)
    .selectFrom('measurement')
    .selectAll()
    .where('location', 'in', below)
    .where((where) => where.or([where('author', '=', caller.uid), where('shared', '=', true)]))
    .orderBy('created_at', 'desc')
    .orderBy('uid')
    .limit(most)
    .execute();
  return found.map((row) => measurementOf(row, caller));
}

/** Keeps a measurement. Throws 404 for one that is not the caller's to see, 403 for making somebody's shared one private, 409 with the other's where the version has moved on. */
export async function keepMeasurement(context: AnnotateContext, caller: Caller, location: string, uid: string, written: WrittenMeasurement): Promise<Measurement> {
  const tables = tablesOf(context);
  const now = new Date();
  const { version, points, result, ...rest } = written;
  const values = { ...rest, points: JSON.stringify(points), result: JSON.stringify(result), updated_at: now };
  const find = () => tables.selectFrom('measurement').selectAll().where('uid', '=', uid).executeTakeFirst();
  const known = await find();
  if (!known) {
    // A change to one that was deleted meanwhile brings it back: what somebody is still writing must not be lost.
    const made = { ...values, uid, location, author: caller.uid, author_name: caller.username, created_at: now, version: version + 1 };
    try {
      return measurementOf(await tables.insertInto('measurement').values(made).returningAll().executeTakeFirstOrThrow(), caller);
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause;
      return keepMeasurement(context, caller, location, uid, written);
    }
  }
  if (known.location !== location || (known.author !== caller.uid && !known.shared)) throw notFound('This measurement');
  if (known.author !== caller.uid && !written.shared) throw noAccess('Only who made a measurement can stop sharing it.');
  const changed = await tables
    .updateTable('measurement')
    .set({ ...values, version: version + 1 })
    .where('uid', '=', uid)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
  if (changed) return measurementOf(changed, caller);
  const current = measurementOf((await find()) ?? known, caller);
  // The answer to the same call may have got lost: it is sent again with what it has already kept.
  if (current.version === version + 1 && sameContent(current, written)) return current;
  throw changedMeanwhile('Somebody has changed this measurement meanwhile.', current);
}

/** Deletes a measurement of the caller's. Throws 403 for another's shared one. */
export async function removeMeasurement(context: AnnotateContext, caller: Caller, location: string, uid: string): Promise<void> {
  const tables = tablesOf(context);
  const known = await tables.selectFrom('measurement').select(['author', 'location', 'shared']).where('uid', '=', uid).executeTakeFirst();
  if (!known || known.location !== location) return;
  if (known.author !== caller.uid) throw known.shared ? noAccess('Only who made a measurement can delete it.') : notFound('This measurement');
  await tables.deleteFrom('measurement').where('uid', '=', uid).where('author', '=', caller.uid).execute();
}

function measurementOf({ author_name, created_at, updated_at, author, ...row }: Row, caller: Caller): Measurement {
  return { ...row, author: author_name, own: author === caller.uid, createdAt: created_at.toISOString(), updatedAt: updated_at.toISOString() };
}

function sameContent(current: Measurement, written: WrittenMeasurement): boolean {
  const content = ({ kind, name, points, result, unit, tour, node, view, shared }: Measurement | WrittenMeasurement) =>
    JSON.stringify([
      kind, name, unit, tour, node, view, shared,
      points.map(({ point, sigma, source, edge }) => [point, sigma, source, edge]),
      result.value, result.sigma, Object.entries(result.details).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ]);
  return content(current) === content(written);
}
