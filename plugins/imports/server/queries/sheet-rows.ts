import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { CheckContext, ImportScope, ImportSheet } from '#plugins/imports';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { computeKey } from './key-of.ts';

/** What the queries of an import need of it. */
export interface StagedImport {
  readonly batch: string;
  readonly kind: AnyKind;
  readonly scope: ImportScope;
  readonly mode: 'UPSERT' | 'REPLACE';
  /** Uid of the person who began it. */
  readonly author: string;
  /** Whether its rows come from another system; see `ImportsTables`. */
  readonly api: boolean;
}

/** A short part of a check, which may have a transaction of its own. */
export type CheckStep = (transaction: QueryExecutorProvider) => Promise<void>;

/** The state that a row would have without its errors, so that checks do not depend on each other. */
export const stateWithoutErrors = sql`
  case when state <> 'ERROR' then state when number is null then 'REMOVED' when before is null then 'ADDED'
    when before || values = before then 'UNCHANGED' else 'CHANGED' end`;

/** The staged rows of a sheet, as `CheckContext.rows` describes them. Those that a person left out are not among them. */
export const stagedRows = ({ batch }: Pick<StagedImport, 'batch'>, sheet: string): RawBuilder<unknown> => sql`
  select id, number, key, values, before, ${stateWithoutErrors} as state from imports.staged_row
  where batch = ${batch} and sheet = ${sheet} and not left_out`;

/**
 * Selects today's rows of a sheet with their keys. `offset 0` lets the database build the values of a row once: merged
 * into this query, it would build them anew for each mention.
 */
export const selectCurrentRows = (sheet: ImportSheet, scope: ImportScope): RawBuilder<unknown> => sql`
  select ${computeKey(sheet.columns, sql`present.values`)} as key, present.values
  from (select each.values from (${sheet.current(scope)}) as each offset 0) as present`;

/** Rows of a sheet that a condition selects. */
interface RowGroup {
  readonly sheet: string;
  readonly condition: RawBuilder<unknown>;
}

/** `group` restricts the rows of its sheet. */
export const createCheckContext = (stagedImport: StagedImport, group?: RowGroup): CheckContext => ({
  scope: stagedImport.scope,
  mode: stagedImport.mode,
  author: stagedImport.author,
  rows: (sheet) =>
    group?.sheet === sheet
      ? sql`${stagedRows(stagedImport, sheet)} and ${group.condition}`
      : stagedRows(stagedImport, sheet),
  leftOut: (sheet) => sql`
    select key, coalesce(before, '{}') || values as values from imports.staged_row
    where batch = ${stagedImport.batch} and sheet = ${sheet} and left_out`,
});
