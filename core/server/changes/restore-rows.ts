import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';

export interface TargetTable {
  readonly schema: string;
  readonly table: string;
  readonly key: readonly string[];
}

const toJson = (rows: readonly JsonRow[]): string => JSON.stringify(rows);

const from = ({ schema, table }: TargetTable, rows: readonly JsonRow[]): RawBuilder<unknown> =>
  sql`jsonb_populate_recordset(null::${sql.id(schema, table)}, ${toJson(rows)}::jsonb)`;

const onKey = ({ key }: TargetTable): RawBuilder<unknown> =>
  sql.join(
    key.map((column) => sql`${sql.id('target', column)} = ${sql.id('given', column)}`),
    sql` and `,
  );

/** The present rows with the keys of these changes, locked, by the JSON of their keys. */
export async function loadRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
): Promise<ReadonlyMap<string, JsonRow>> {
  const { rows } = await sql<{ row: JsonRow }>`
    select to_jsonb(target) as row from ${sql.id(target.schema, target.table)} as target
    join ${from(
      target,
      changes.map(({ key }) => key),
    )} as given on ${onKey(target)}
    for update of target`.execute(transaction);
  return new Map(rows.map(({ row }) => [JSON.stringify(target.key.map((column) => row[column])), row]));
}

export async function insertRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  rows: readonly JsonRow[],
): Promise<void> {
  if (rows.length > 0)
    await sql`insert into ${sql.id(target.schema, target.table)} select * from ${from(target, rows)}`.execute(
      transaction,
    );
}

/** Sets the changed columns to what they were before, by one statement for each set of columns. */
export async function updateRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
): Promise<void> {
  const byColumns = new Map<string, RowChange[]>();
  for (const change of changes) {
    const columns = JSON.stringify(Object.keys(change.before ?? {}).toSorted());
    byColumns.set(columns, [...(byColumns.get(columns) ?? []), change]);
  }
  for (const [columns, group] of byColumns) {
    const assignments = (JSON.parse(columns) as string[]).map(
      (column) => sql`${sql.id(column)} = ${sql.id('given', column)}`,
    );
    await sql`
      update ${sql.id(target.schema, target.table)} as target set ${sql.join(assignments)}
      from ${from(
        target,
        group.map(({ key, before }) => ({ ...before, ...key })),
      )} as given
      where ${onKey(target)}`.execute(transaction);
  }
}

export async function deleteRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
): Promise<void> {
  await sql`
    delete from ${sql.id(target.schema, target.table)} as target
    using ${from(
      target,
      changes.map(({ key }) => key),
    )} as given where ${onKey(target)}`.execute(transaction);
}

export async function incrementVersions(
  transaction: QueryExecutorProvider,
  target: TargetTable & { readonly version: string },
  changes: readonly RowChange[],
): Promise<void> {
  const version = sql.id('target', target.version);
  await sql`
    update ${sql.id(target.schema, target.table)} as target set ${sql.id(target.version)} = ${version} + 1
    from ${from(
      target,
      changes.map(({ key }) => key),
    )} as given where ${onKey(target)}`.execute(transaction);
}

/**
 * Whether other rows refer to these ones, so that they would be deleted or changed with them. `disposable` are tables
 * whose rows may be deleted.
 */
export async function findDependant(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
  disposable: readonly string[],
): Promise<boolean> {
  const { rows: references } = await sql<{ table: string; column: string; referenced: string }>`
    select child.relname as table, child_column.attname as column, parent_column.attname as referenced
    from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_attribute child_column on child_column.attrelid = conrelid and child_column.attnum = conkey[1]
    join pg_attribute parent_column on parent_column.attrelid = confrelid and parent_column.attnum = confkey[1]
    where contype = 'f' and cardinality(conkey) = 1
      and confrelid = ${`${target.schema}.${target.table}`}::regclass`.execute(transaction);
  for (const { table, column, referenced } of references) {
    if (disposable.includes(table)) continue;
    const values = changes.map(({ key }) => String(key[referenced]));
    const { rows } = await sql`
      select 1 from ${sql.id(target.schema, table)} where ${sql.id(column)} = any(${values}::text[]) limit 1
    `.execute(transaction);
    if (rows.length > 0) return true;
  }
  return false;
}
