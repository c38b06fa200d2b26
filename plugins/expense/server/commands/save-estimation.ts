import type { Transaction } from 'kysely';
import type { BodyOf } from '#core';
import { versionConflict, invalidRequest, notFound, type CallAuthor, type ServerContext } from '#core/server';
import type { saveEstimation } from '../../contract/api.ts';
import { expenseRefusal } from '../../contract/errors.ts';
import { findEstimation } from '../queries/estimations.ts';
import type { ExpenseTables } from '../tables.ts';

export type ExpenseContext = Pick<ServerContext<ExpenseTables>, 'tables' | 'changes' | 'locations'>;

/** `change` is the uid of the change in the journal; null if nothing was changed. */
interface ChangeResult {
  readonly change: string | null;
}

/**
 * Creates or replaces the estimation of a site.
 *
 * @throws `invalidRequest` (400) if the location is no site; `versionConflict` (409) with the current estimation
 */
export async function writeEstimation(
  context: ExpenseContext,
  author: CallAuthor,
  location: string,
  { fixedCost, perDiem, tripDays, tourHours, version }: BodyOf<typeof saveEstimation>,
): Promise<ChangeResult> {
  const name = await findSiteName(context, location);
  const figures = { fixed_cost: fixedCost, per_diem: perDiem, trip_days: tripDays, tour_hours: tourHours };
  return context.changes.apply(
    author,
    { action: 'expense.estimationSaved', subject: location, name, location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('estimation', 'location', [location]);
      await assertVersion(tables, location, name, version);
      await tables
        .insertInto('estimation')
        .values({ location, ...figures })
        .onConflict((conflict) => conflict.column('location').doUpdateSet(figures))
        .execute();
    },
  );
}

/** @throws `versionConflict` (409) with the current estimation */
export async function removeEstimation(
  context: ExpenseContext,
  author: CallAuthor,
  location: string,
  version: number,
): Promise<ChangeResult> {
  const name = await findSiteName(context, location);
  return context.changes.apply(
    author,
    { action: 'expense.estimationDeleted', subject: location, name, location },
    async ({ tables, lockAndRecord }) => {
      await lockAndRecord('estimation', 'location', [location]);
      await assertVersion(tables, location, name, version);
      await tables.deleteFrom('estimation').where('location', '=', location).execute();
    },
  );
}

/** @throws `notFound` (404); `invalidRequest` (400) if the location is no site */
export async function findSiteName({ locations }: Pick<ExpenseContext, 'locations'>, uid: string): Promise<string> {
  const location = await locations.find(uid);
  if (!location) throw notFound('This location');
  if (location.parent !== null) throw invalidRequest(expenseRefusal('expense.refused.noSite'));
  return location.name;
}

async function assertVersion(
  tables: Transaction<ExpenseTables>,
  location: string,
  name: string,
  version: number,
): Promise<void> {
  const currentEstimation = await findEstimation(tables, location);
  if (currentEstimation.version !== version)
    throw versionConflict(expenseRefusal('expense.refused.changed', { name }), currentEstimation);
}
