import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { ImportSheet } from '#plugins/imports';
import { toPictureStem } from './check-pictures.ts';
import { computeKey } from './key-of.ts';
import { selectCurrentRows, type CheckStep, type StagedImport } from './sheet-rows.ts';

/** Number of rows in a group, which has statements of its own: the embedded database answers others between them. */
export const rowsPerGroup = 10_000;
/** After more new rows, the query planner needs new statistics. */
const minRowsToAnalyze = 1000;

/** Loads the last ids of the groups of staged rows, by sheet. */
export async function loadGroupEnds(
  transaction: QueryExecutorProvider,
  batch: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ sheet: string; ends: readonly string[] }>`
    select sheet, array_agg(last::text order by last) as ends
    from (
      select sheet, max(id) as last
      from (
        select sheet, id, (row_number() over (partition by sheet order by id) - 1) / ${rowsPerGroup} as number
        from imports.staged_row where batch = ${batch}
      ) as row group by sheet, number
    ) as row_group group by sheet`.execute(transaction);
  return new Map(rows.map(({ sheet, ends }) => [sheet, ends]));
}

/** The SQL conditions of groups of rows. */
export const listGroupConditions = (groupEnds: readonly string[]): readonly RawBuilder<unknown>[] =>
  groupEnds.map((end, index) => sql`id > ${groupEnds[index - 1] ?? '0'}::bigint and id <= ${end}::bigint`);

/**
 * Lists the steps that compare the staged rows of a sheet with today's: they set key, `before` and state, and replace
 * the rows with the state REMOVED. Only rows that differ are written. A sheet that the files lack removes nothing. The
 * product's rows of several groups are computed once and stored meanwhile.
 */
export function listCompareSteps(
  stagedImport: StagedImport,
  sheet: ImportSheet,
  groupEnds: readonly string[],
): readonly CheckStep[] {
  const { batch, scope, mode } = stagedImport;
  const canRemove = mode === 'REPLACE' && sheet.removable === true;
  if (groupEnds.length === 0 && !canRemove) return [];
  const ofSheet = sql`batch = ${batch} and sheet = ${sheet.id}`;
  const deleteRemoved = sql`delete from imports.staged_row where ${ofSheet} and number is null`;
  if (groupEnds.length <= 1)
    return [
      async (transaction) => {
        const today = selectCurrentRows(sheet, scope);
        await deleteRemoved.execute(transaction);
        await writeStates(transaction, sheet, { today, rows: ofSheet });
        if (canRemove) await sql`${insertRemoved(stagedImport, sheet, today)}`.execute(transaction);
      },
    ];
  const today = sql`select key, values from imports.current_row where ${ofSheet}`;
  return [
    async (transaction) => {
      await deleteRemoved.execute(transaction);
      await sql`delete from imports.current_row where ${ofSheet}`.execute(transaction);
      const { numAffectedRows = 0n } = await sql`
        insert into imports.current_row (batch, sheet, key, values)
        select ${batch}, ${sheet.id}, key, values from (${selectCurrentRows(sheet, scope)}) as present`.execute(
        transaction,
      );
      // Two transactions that each wait for the other's statistics would end in a deadlock.
      if (numAffectedRows > minRowsToAnalyze) await sql`analyze (skip_locked) imports.current_row`.execute(transaction);
    },
    ...listGroupConditions(groupEnds).map((condition): CheckStep => {
      const rows = sql`${ofSheet} and ${condition}`;
      const keys = sql`select ${computeKey(sheet.columns, sql`values`)} from imports.staged_row where ${rows}`;
      return (transaction) => writeStates(transaction, sheet, { today: sql`${today} and key in (${keys})`, rows });
    }),
    async (transaction) => {
      if (canRemove) await sql`${insertRemoved(stagedImport, sheet, today)}`.execute(transaction);
      await sql`delete from imports.current_row where ${ofSheet}`.execute(transaction);
    },
  ];
}

/** Sets key, `before` and state of the selected rows by `today`, a query with the columns `key` and `values`. */
export async function writeStates(
  transaction: QueryExecutorProvider,
  sheet: ImportSheet,
  { today, rows }: { readonly today: RawBuilder<unknown>; readonly rows: RawBuilder<unknown> },
): Promise<void> {
  const defaults = toDefaults(sheet);
  const hasPictures = sheet.columns.some(({ picture }) => picture !== undefined);
  await sql`
    with today as materialized (${today}),
    compared as (
      select row.id, row.key, today.values as before,
        case when today.values is null then ${defaults}::jsonb || row.values else row.values end as values,
        case when today.values is null
          then array(select name from jsonb_object_keys(${defaults}::jsonb) as name where not row.values ? name)
          else '{}' end as defaulted,
        case when row.left_out then 'LEFT_OUT' when today.values is null then 'ADDED'
          when today.values || row.values = today.values then 'UNCHANGED' else 'CHANGED' end as state
      from (
        select staged.id, staged.left_out, staged.key, ${replacePictureNames(sheet)} as values
        from (
          select id, left_out, values - defaulted as values, ${computeKey(sheet.columns, sql`values`)} as key
          from imports.staged_row where ${rows}
        ) as staged ${hasPictures ? sql`left join today on today.key = staged.key` : sql``}
      ) as row left join today on today.key = row.key
    )
    update imports.staged_row as target
    set key = compared.key, before = compared.before, values = compared.values, defaulted = compared.defaulted,
      state = compared.state
    from compared
    where target.id = compared.id
      and (target.key, target.before, target.values, target.defaulted, target.state)
        is distinct from (compared.key, compared.before, compared.values, compared.defaulted, compared.state)`.execute(
    transaction,
  );
}

/**
 * The staged values. A picture whose name differs from today's in the type alone gets today's name: pictures are stored
 * as WebP, but workbooks name the uploaded files.
 */
function replacePictureNames({ columns }: ImportSheet): RawBuilder<unknown> {
  const currentNames = columns
    .filter(({ picture }) => picture !== undefined)
    .map(
      ({ id }) => sql`
        case when ${toPictureStem(sql`staged.values ->> ${id}`)} = ${toPictureStem(sql`today.values ->> ${id}`)}
          then jsonb_build_object(${id}::text, today.values -> ${id}) else '{}' end`,
    );
  return sql.join([sql`staged.values`, ...currentNames], sql` || `);
}

/**
 * Inserts those of today's rows that the files lack. None while a person has left out rows of the sheet: a key that is
 * mistyped or given twice does not show which of today's rows is meant.
 */
export const insertRemoved = (
  { batch }: StagedImport,
  sheet: ImportSheet,
  today: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into imports.staged_row (batch, sheet, cells, values, key, before, state)
  select ${batch}, ${sheet.id}, '[]', today.values, today.key, today.values, 'REMOVED'
  from (${today}) as today
  where exists (select from imports.sheet where batch = ${batch} and sheet = ${sheet.id} and present)
    and not exists (
      select from imports.staged_row where batch = ${batch} and sheet = ${sheet.id} and left_out)
    and not exists (
      select from imports.staged_row as row
      where row.batch = ${batch} and row.sheet = ${sheet.id} and row.key = today.key
    )`;

const toDefaults = ({ columns }: ImportSheet): string =>
  JSON.stringify(
    Object.fromEntries(
      columns.flatMap((column) => (column.default === undefined ? [] : [[column.id, column.default]])),
    ),
  );

/** A row that was added, changed or removed since the preview. */
export interface OutdatedRow {
  readonly id: string;
  readonly key: string;
}

/** Finds staged rows whose `before` no longer equals the current row. */
export async function findOutdatedRows(
  transaction: QueryExecutorProvider,
  { batch, scope }: StagedImport,
  sheet: ImportSheet,
): Promise<readonly OutdatedRow[]> {
  const { rows } = await sql<OutdatedRow>`
    with today as materialized (${selectCurrentRows(sheet, scope)})
    select row.id::text as id, row.key from imports.staged_row as row left join today on today.key = row.key
    where row.batch = ${batch} and row.sheet = ${sheet.id} and row.state not in ('ERROR', 'LEFT_OUT')
      and row.before is distinct from today.values
    order by row.id`.execute(transaction);
  return rows;
}
