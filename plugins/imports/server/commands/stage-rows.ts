import { sql, type Kysely } from 'kysely';
import { formatWallTime, type Cell } from '../../common/check-value.ts';
import { computeKey } from '../queries/key-of.ts';
import type { ImportsTables, Values } from '../tables.ts';
import { createRowMapper, type RowMapping } from './map-row.ts';

/** A row as a file or an API call contains it. */
export interface RawRow {
  readonly number: number;
  readonly cells: readonly Cell[];
}

/** Rows per transaction. Between transactions, others can write, also on the embedded database. */
export const rowsPerStep = 1000;

type Executor = Kysely<ImportsTables>;

/** Checks the values of new rows, and stores the rows with their findings. */
export async function insertRows(
  executor: Executor,
  batch: string,
  mapping: RowMapping,
  rows: readonly RawRow[],
): Promise<void> {
  const mapRow = createRowMapper(mapping);
  const mappedRows = rows.map(({ number, cells }) => {
    const storedCells = cells.map(toStoredCell);
    return { number, cells: storedCells, ...mapRow(storedCells, {}) };
  });
  await sql`
    with given as materialized (
      select number, cells, values, findings
      from jsonb_to_recordset(${JSON.stringify(mappedRows)}::jsonb) as row (number int, cells jsonb, values jsonb, findings jsonb)
    ),
    inserted as (
      insert into imports.staged_row (batch, sheet, number, cells, values, key)
      select ${batch}, ${mapping.sheet.id}, number, cells, values, ${computeKey(mapping.sheet.columns, sql`values`)}
      from given order by number
      returning id, number
    )
    insert into imports.finding (batch, row, sheet, column_id, message, values, severity, checked)
    select ${batch}, inserted.id, ${mapping.sheet.id}, finding ->> 'column', finding ->> 'message', finding -> 'values',
      finding ->> 'severity', false
    from inserted join (select number, findings from given where findings <> '[]') as wrong using (number)
      cross join lateral jsonb_array_elements(findings) as finding`.execute(executor);
}

/** JSON has no dates, so a date is stored as the text of its wall time. */
const toStoredCell = (cell: Cell): Cell =>
  cell instanceof Date
    ? formatWallTime(cell)
    : isDayCell(cell)
      ? { day: formatWallTime(cell.day) }
      : typeof cell === 'string'
        ? cell.replaceAll(/\p{Surrogate}|\0/gu, '\u{fffd}')
        : (cell ?? null);

const isDayCell = (cell: Cell): cell is { readonly day: Date } =>
  typeof cell === 'object' && cell !== null && 'day' in cell && cell.day instanceof Date;

interface StoredRow {
  readonly id: string;
  readonly cells: readonly Cell[];
  readonly edits: Values;
  readonly leftOut: boolean;
}

/**
 * Checks the values of the next stored rows again, after their columns were chosen or cells corrected. Returns the id
 * of the last one, from which the next call continues, and their number.
 *
 * @param after id of the row after which it begins
 * @param ids only these rows. Default: all rows
 */
export async function remapRows(
  executor: Executor,
  batch: string,
  mapping: RowMapping,
  after: string,
  ids?: readonly string[],
): Promise<{ readonly last: string; readonly rows: number }> {
  const { rows } = await sql<StoredRow>`
    select id::text as id, cells, edits, left_out as "leftOut" from imports.staged_row
    where batch = ${batch} and sheet = ${mapping.sheet.id} and number is not null and staged_row.id > ${after}::bigint
      and (${ids === undefined}::boolean or staged_row.id = any(${[...(ids ?? [])]}::bigint[]))
    order by staged_row.id limit ${rowsPerStep}`.execute(executor);
  if (rows.length === 0) return { last: after, rows: 0 };
  const mapRow = createRowMapper(mapping);
  const mappedRows = rows.map(({ id, cells, edits, leftOut }) => ({
    id,
    ...mapRow(cells, edits),
    ...(leftOut ? { findings: [] } : {}),
  }));
  const recordset = sql`jsonb_to_recordset(${JSON.stringify(mappedRows)}::jsonb) as given (id bigint, values jsonb, findings jsonb)`;
  await sql`
    delete from imports.finding where not checked and row = any(${rows.map(({ id }) => id)}::bigint[])`.execute(
    executor,
  );
  await sql`
    update imports.staged_row as target set values = given.values, defaulted = '{}' from ${recordset} where target.id = given.id`.execute(
    executor,
  );
  await sql`
    insert into imports.finding (batch, row, sheet, column_id, message, values, severity, checked)
    select ${batch}, given.id, ${mapping.sheet.id}, finding ->> 'column', finding ->> 'message', finding -> 'values',
      finding ->> 'severity', false
    from ${recordset} cross join lateral jsonb_array_elements(findings) as finding`.execute(executor);
  return { last: rows.at(-1)?.id ?? after, rows: rows.length };
}
