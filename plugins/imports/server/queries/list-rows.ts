import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { QueryOf } from '#core';
import type { Page } from '#core/api';
import type { ImportRow } from '#plugins/imports';
import type { listImportRows } from '../../contract/api.ts';
import type { Finding } from '../../contract/api/shapes.ts';
import type { AnyKind } from '../kinds/kind-registry.ts';
import type { ImportsTables, Values } from '../tables.ts';

interface StoredRow {
  readonly id: string;
  readonly sheet: string;
  readonly number: number | null;
  readonly state: ImportRow['state'];
  readonly values: Values;
  readonly before: Values | null;
  readonly findings: readonly Finding[];
}

const selectRows = (rows: RawBuilder<unknown>): RawBuilder<StoredRow> => sql<StoredRow>`
  select row.id::text as id, row.sheet, row.number, row.state, row.values, row.before, coalesce((
    select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
      'message', message, 'values', finding.values, 'severity', severity))
      || jsonb_build_object('column', column_id) order by column_id)
    from imports.finding where finding.row = row.id
  ), '[]') as findings
  from (${rows}) as row`;

/** Lists a page of the rows in the order of the kind's sheets. */
export async function listRows(
  tables: Kysely<ImportsTables>,
  batch: string,
  kind: AnyKind,
  { sheet, state, severity, find, offset = 0, limit = 200 }: QueryOf<typeof listImportRows>,
): Promise<Page<ImportRow>> {
  const conditions = [
    sql`batch = ${batch}`,
    ...(sheet === undefined ? [] : [sql`sheet = ${sheet}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(severity === undefined
      ? []
      : [sql`exists (select from imports.finding where finding.row = staged_row.id and severity = ${severity})`]),
    ...(find === undefined || find.trim() === ''
      ? []
      : [
          sql`exists (
            select from jsonb_each_text(values) as each where position(lower(${find.trim()}) in lower(each.value)) > 0
          )`,
        ]),
  ];
  const filteredRows = sql`imports.staged_row where ${sql.join(conditions, sql` and `)}`;
  const order = sql`array_position(${kind.sheets.map(({ id }) => id)}::text[], sheet), number nulls last, id`;
  const { rows: totals } = await sql<{ total: string }>`select count(*) as total from ${filteredRows}`.execute(tables);
  const { rows } = await sql<StoredRow>`
    ${selectRows(sql`select * from ${filteredRows} order by ${order} offset ${offset} limit ${limit}`)}
    order by ${order}`.execute(tables);
  return { total: Number(totals[0]?.total ?? 0), offset, rows: rows.map(toRow) };
}

export async function findRow(
  tables: Kysely<ImportsTables>,
  batch: string,
  id: string,
): Promise<ImportRow | undefined> {
  const { rows } = await selectRows(
    sql`select * from imports.staged_row where batch = ${batch} and id = ${id}::bigint`,
  ).execute(tables);
  return rows[0] && toRow(rows[0]);
}

function toRow({ id, sheet, number, state, values, before, findings }: StoredRow): ImportRow {
  const changedColumns =
    before === null || number === null
      ? []
      : Object.keys(values).filter(
          (column) => JSON.stringify(values[column]) !== JSON.stringify(before[column] ?? null),
        );
  return { id, sheet, row: number, state, values, before, changed: changedColumns, findings: [...findings] };
}
