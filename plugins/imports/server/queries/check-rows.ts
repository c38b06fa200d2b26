import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import { planEachStatement } from '#core/server';
import type { ImportColumn, ImportSheet } from '#plugins/imports';
import { findPictureProblems } from './check-pictures.ts';
import { listCompareSteps, listGroupConditions, loadGroupEnds } from './compare-rows.ts';
import { isOfUnreadColumn, selectFinding } from './finding-sql.ts';
import { createCheckContext, stagedRows, type CheckStep, type StagedImport } from './sheet-rows.ts';

/**
 * Lists the steps that compare all rows with the product's, check them, and compute their states. They may run in one
 * transaction, or in one each: until the last one, the states are incomplete. Their number depends on the kind, and
 * grows by at most two per 10,000 rows. No rows may be staged after the call.
 */
export async function listCheckSteps(
  tables: QueryExecutorProvider,
  stagedImport: StagedImport,
): Promise<readonly CheckStep[]> {
  const { batch, kind } = stagedImport;
  const groupEnds = await loadGroupEnds(tables, batch);
  return [
    async (transaction) => {
      await sql`delete from imports.finding where batch = ${batch} and checked`.execute(transaction);
    },
    ...kind.sheets.flatMap((sheet) => listCompareSteps(stagedImport, sheet, groupEnds.get(sheet.id) ?? [])),
    ...kind.sheets.flatMap((sheet) =>
      listSheetChecks(stagedImport, sheet, listGroupConditions(groupEnds.get(sheet.id) ?? [])).map(
        (findingQuery): CheckStep =>
          (transaction) =>
            addFindings(transaction, stagedImport, sheet, findingQuery),
      ),
    ),
    async (transaction) => {
      await sql`
        update imports.staged_row set state = 'ERROR'
        where batch = ${batch} and id in (
          select row from imports.finding where batch = ${batch} and severity = 'ERROR')`.execute(transaction);
    },
    (transaction) => countRows(transaction, batch),
  ];
}

/** Checks all rows in the transaction of the caller. */
export async function checkRows(transaction: QueryExecutorProvider, stagedImport: StagedImport): Promise<void> {
  await planEachStatement(transaction);
  for (const step of await listCheckSteps(transaction, stagedImport)) await step(transaction);
}

/** Adds the findings of all checks of these rows of a sheet. They must have no checked findings. */
export async function checkSheetRows(
  transaction: QueryExecutorProvider,
  stagedImport: StagedImport,
  sheet: ImportSheet,
  ids: readonly string[],
): Promise<void> {
  const only = sql`${[...ids]}::bigint[]`;
  for (const findingQuery of listSheetChecks(stagedImport, sheet, [sql`id = any(${only})`], only))
    await addFindings(transaction, stagedImport, sheet, findingQuery, only);
}

/** The checks of a sheet as queries of findings, in the order in which they are applied. */
const listSheetChecks = (
  stagedImport: StagedImport,
  sheet: ImportSheet,
  groupConditions: readonly RawBuilder<unknown>[],
  only?: RawBuilder<unknown>,
): readonly RawBuilder<unknown>[] => [
  findDuplicates(stagedImport, sheet, only),
  findMissingValues(stagedImport, sheet),
  ...sheet.columns.filter(({ reference }) => reference).map((column) => findUnknown(stagedImport, sheet, column, only)),
  ...(sheet.columns.some(({ picture }) => picture) ? findPictureProblems(stagedImport, sheet) : []),
  ...groupConditions.flatMap((condition) =>
    sheet.checkEach
      ? [omitUnread(sheet, sheet.checkEach(createCheckContext(stagedImport, { sheet: sheet.id, condition })))]
      : [],
  ),
  ...(sheet.check ? [omitUnread(sheet, sheet.check(createCheckContext(stagedImport)))] : []),
];

/**
 * Omits findings that only follow from a wrong value of the same row: those of columns that depend on its column, and
 * all of the row if its column is not read.
 */
function omitUnread({ columns }: ImportSheet, findingQuery: RawBuilder<unknown>): RawBuilder<unknown> {
  const dependencies = Object.fromEntries(columns.flatMap(({ id, dependsOn }) => (dependsOn ? [[id, dependsOn]] : [])));
  const isDependency = sql`jsonb_exists(${JSON.stringify(dependencies)}::jsonb -> each.column_id, unread.column_id)`;
  return sql`
    select * from (${findingQuery}) as each where not exists (
      select from imports.finding as unread
      where unread.row = each.id and unread.severity = 'ERROR'
        and (${isDependency} or ${isOfUnreadColumn(sql`unread`)}))`;
}

/** Stores how many rows are in which state and how many cells were corrected, so that replies need not count them. */
export async function countRows(transaction: QueryExecutorProvider, batch: string): Promise<void> {
  const count = (state: string) => sql`count(*) filter (where state = ${state}::text)`;
  await sql`
    update imports.batch set counts = coalesce((
      select jsonb_object_agg(sheet, counts) from (
        select sheet, jsonb_build_object(
          'rows', count(number), 'added', ${count('ADDED')}, 'changed', ${count('CHANGED')},
          'unchanged', ${count('UNCHANGED')}, 'removed', ${count('REMOVED')}, 'withErrors', ${count('ERROR')},
          'leftOut', ${count('LEFT_OUT')},
          'correctedCells', coalesce(
            sum((select count(*) from jsonb_object_keys(edits))) filter (where edits <> '{}'), 0),
          'withWarnings', count(*) filter (where id in (
            select row from imports.finding where batch = ${batch} and severity = 'WARNING'))
        ) as counts
        from imports.staged_row where batch = ${batch} group by sheet
      ) as each
    ), '{}') where uid = ${batch}`.execute(transaction);
}

/** After so many new findings, the planner needs to know of them. */
const manyFindings = 2000;

/**
 * `findingQuery` has the columns of `ImportSheet.check`. A cell that has an error gets no further finding, and no cell
 * gets a message twice.
 */
async function addFindings(
  transaction: QueryExecutorProvider,
  { batch }: StagedImport,
  sheet: ImportSheet,
  findingQuery: RawBuilder<unknown>,
  only?: RawBuilder<unknown>,
): Promise<void> {
  // Sorted, so that all findings are compared with the present ones before the first is inserted.
  const { numAffectedRows = 0n } = await sql`
    insert into imports.finding (batch, row, sheet, column_id, message, values, severity, checked)
    select ${batch}, found.id, ${sheet.id}, found.column_id, found.message, found.values, found.severity, true
    from (${findingQuery}) as found
    where ${only ? sql`found.id = any(${only})` : sql`true`} and not exists (
      select from imports.finding as own
      where own.row = found.id and own.column_id = found.column_id
        and (own.severity = 'ERROR' or own.message = found.message)
    )
    order by found.id`.execute(transaction);
  if (numAffectedRows > manyFindings) await sql`analyze (skip_locked) imports.finding`.execute(transaction);
}

/** The last required column of a key distinguishes the rows, such as the name in its type. */
const getKeyColumn = ({ columns }: ImportSheet): ImportColumn | undefined =>
  columns.filter(({ key, required }) => key === true && required === true).at(-1);

/** The written values of all key columns that are not empty, with commas between them. */
const formatKey = ({ columns }: ImportSheet): RawBuilder<unknown> => {
  const texts = columns
    .filter(({ key }) => key === true)
    .map(({ id, default: absent }) => sql`nullif(coalesce(values ->> ${id}, ${String(absent ?? '')}), '')`);
  return sql`concat_ws(', ', ${sql.join(texts)})`;
};

function findDuplicates(
  stagedImport: StagedImport,
  sheet: ImportSheet,
  only: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  const column = getKeyColumn(sheet)?.id ?? '';
  return sql`
    select id, ${column}::text as column_id, 'ERROR'::text as severity,
      ${selectFinding('imports.refused.duplicateRow', { value: formatKey(sheet), row: sql`first_row` })}
    from (
      select id, values, number, min(number) over (partition by key) as first_row
      from (${stagedRows(stagedImport, sheet.id)}) as row where key is not null and number is not null
        ${only ? sql`and key in (select key from imports.staged_row where id = any(${only}))` : sql``}
    ) as row where number > first_row`;
}

/** A new row needs also the required columns that the file lacks. */
function findMissingValues(stagedImport: StagedImport, sheet: ImportSheet): RawBuilder<unknown> {
  const requiredColumns = sheet.columns.filter((column) => column.required === true && column.default === undefined);
  return sql`
    select id, column_id, 'ERROR'::text as severity, ${selectFinding('core.validation.mandatoryField')}
    from (${stagedRows(stagedImport, sheet.id)}) as row
    cross join unnest(${requiredColumns.map(({ id }) => id)}::text[]) as column_id
    where state = 'ADDED' and coalesce(values -> column_id, 'null') = 'null'`;
}

/** What a row has today may stay, also if it is inactive by now: an export is imported again without errors. */
function findUnknown(
  stagedImport: StagedImport,
  sheet: ImportSheet,
  { id, reference, type }: ImportColumn,
  only: RawBuilder<unknown> | undefined,
): RawBuilder<unknown> {
  const { find, within, entity } = reference ?? { entity: { en: '', fr: '' } };
  const codeQueries = [
    ...(find ? [sql`select lower(code) as code, active from (${find(stagedImport.scope)}) as known`] : []),
    ...(within
      ? [
          sql`
            select lower(values ->> ${within.column}) as code, true as active from (${stagedRows(stagedImport, within.sheet)}) as row
            where number is not null`,
        ]
      : []),
  ];
  const columns = sql`id, ${id}::text as column_id, 'ERROR'::text as severity`;
  return sql`
    with known as materialized (
      select code, bool_or(active) as active from (${sql.join(codeQueries, sql` union all `)}) as each group by code
    ),
    used as (
      select id, item, before from (${stagedRows(stagedImport, sheet.id)}) as row
      cross join lateral ${listItems({ id, type })} as item
      where number is not null and item is not null ${only ? sql`and id = any(${only})` : sql``}
    )
    select distinct on (id) * from (
      select ${columns}, ${selectFinding('imports.refused.reference', { value: sql`item`, entity: entity.en })}
      from used where not exists (select from known where code = lower(item))
      union all
      select ${columns}, ${selectFinding('imports.refused.referenceInactive', { value: sql`item` })}
      from used where exists (select from known where code = lower(item) and not active)
        and not exists (
          select from (select before as values) as present cross join lateral ${listItems({ id, type })} as former
          where lower(former) = lower(item))
    ) as found order by id`;
}

/** The values of a column of a row that refer to others: a set of texts. */
export const listItems = ({ id, type }: Pick<ImportColumn, 'id' | 'type'>): RawBuilder<unknown> =>
  type === 'LIST'
    ? sql`jsonb_array_elements_text(case jsonb_typeof(values -> ${id}) when 'array' then values -> ${id} else '[]' end)`
    : sql`jsonb_array_elements_text(jsonb_build_array(values -> ${id}))`;
