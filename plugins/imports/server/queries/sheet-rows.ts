import { sql, type RawBuilder } from 'kysely';
import type { CheckContext, ImportScope, ImportSheet } from '#plugins/imports';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { computeKey } from './key-of.ts';

/** What the queries of an import need of it. */
export interface StagedImport {
  readonly batch: string;
  readonly kind: AnyKind;
  readonly scope: ImportScope;
  readonly mode: 'UPSERT' | 'REPLACE';
}

/** The staged rows of a sheet, as `CheckContext.rows` describes them. */
export const stagedRows = ({ batch }: Pick<StagedImport, 'batch'>, sheet: string): RawBuilder<unknown> => sql`
  select id, number, key, values, before, state from imports.staged_row
  where batch = ${batch} and sheet = ${sheet}`;

/** Today's rows of a sheet with their keys. */
export const currentRows = (sheet: ImportSheet, scope: ImportScope): RawBuilder<unknown> => sql`
  select ${computeKey(sheet.columns, sql`present.values`)} as key, present.values
  from (${sheet.current(scope)}) as present`;

export const createCheckContext = (staged: StagedImport): CheckContext => ({
  scope: staged.scope,
  mode: staged.mode,
  rows: (sheet) => stagedRows(staged, sheet),
});
