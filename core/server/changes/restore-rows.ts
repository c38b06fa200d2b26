import { sql, type QueryExecutorProvider } from 'kysely';
import type { RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';
import { toRecordset, matchesKey, toKeyText, type TargetTable } from './keyed-rows.ts';

/**
 * Rows per update, so that no statement of a large change exceeds its time limit. Inserts and deletions are not split,
 * because their rows may refer to each other.
 */
const rowsPerUpdate = 10_000;

function* splitIntoBatches<Row>(rows: readonly Row[]): Iterable<readonly Row[]> {
  for (let start = 0; start < rows.length; start += rowsPerUpdate) yield rows.slice(start, start + rowsPerUpdate);
}

/** Inserts rows. Columns that were added to the table after the rows were recorded get their defaults. */
export async function insertRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  rows: readonly JsonRow[],
): Promise<void> {
  const [firstRow] = rows;
  if (!firstRow) return;
  const { rows: tableColumns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${`${target.schema}.${target.table}`}::regclass and attnum > 0 and not attisdropped
    order by attnum`.execute(transaction);
  const columns = sql.join(tableColumns.filter(({ name }) => name in firstRow).map(({ name }) => sql.id(name)));
  await sql`
    insert into ${sql.id(target.schema, target.table)} (${columns})
    select ${columns} from ${toRecordset(target, rows)} as input`.execute(transaction);
}

/** Restores the changed columns. Each statement updates at most 10,000 rows, which have the same changed columns. */
export async function updateRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
): Promise<void> {
  const byColumns = new Map<string, RowChange[]>();
  for (const change of changes) {
    const columns = JSON.stringify(Object.keys(change.before ?? {}).toSorted());
    const group = byColumns.get(columns);
    if (group) group.push(change);
    else byColumns.set(columns, [change]);
  }
  for (const [columns, group] of byColumns) {
    const assignments = (JSON.parse(columns) as string[]).map(
      (column) => sql`${sql.id(column)} = ${sql.id('input', column)}`,
    );
    for (const batch of splitIntoBatches(group))
      await sql`
        update ${sql.id(target.schema, target.table)} as target set ${sql.join(assignments)}
        from ${toRecordset(
          target,
          batch.map(({ key, before }) => ({ ...before, ...key })),
        )} as input
        where ${matchesKey(target)}`.execute(transaction);
  }
}

export async function deleteRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
): Promise<void> {
  await sql`
    delete from ${sql.id(target.schema, target.table)} as target
    using ${toRecordset(
      target,
      changes.map(({ key }) => key),
    )} as input where ${matchesKey(target)}`.execute(transaction);
}

export async function incrementVersions(
  transaction: QueryExecutorProvider,
  target: TargetTable & { readonly version: string },
  changes: readonly RowChange[],
): Promise<void> {
  const version = sql.id('target', target.version);
  for (const batch of splitIntoBatches(changes))
    await sql`
      update ${sql.id(target.schema, target.table)} as target set ${sql.id(target.version)} = ${version} + 1
      from ${toRecordset(
        target,
        batch.map(({ key }) => key),
      )} as input where ${matchesKey(target)}`.execute(transaction);
}

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly referenced: string;
}

/** Lists the foreign keys that refer to a table and consist of one column. */
async function listReferences(transaction: QueryExecutorProvider, target: TargetTable): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select child.relname as table, child_column.attname as column, parent_column.attname as referenced
    from pg_constraint
    join pg_class child on child.oid = conrelid
    join pg_attribute child_column on child_column.attrelid = conrelid and child_column.attnum = conkey[1]
    join pg_attribute parent_column on parent_column.attrelid = confrelid and parent_column.attnum = confkey[1]
    where contype = 'f' and cardinality(conkey) = 1
      and confrelid = ${`${target.schema}.${target.table}`}::regclass`.execute(transaction);
  return rows;
}

/**
 * Returns the keys (`toKeyText`) of the rows that other rows refer to. Deleting such a row would delete or change the
 * other rows. Ignores references among these rows, and from `disposable` tables, whose rows may be deleted.
 */
export async function listReferencedKeys(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
  disposable: readonly string[],
): Promise<ReadonlySet<string>> {
  const ownKeys = new Set(changes.map(({ key }) => toKeyText(target, key)));
  const usedKeys = new Set<string>();
  for (const { table, column, referenced } of await listReferences(transaction, target)) {
    if (disposable.includes(table)) continue;
    const isSelfReference = table === target.table;
    const values = changes.map(({ key }) => String(key[referenced]));
    const child = isSelfReference ? sql`to_jsonb(child)` : sql`null::jsonb`;
    const { rows } = await sql<{ value: unknown; child: JsonRow | null }>`
      select distinct ${sql.id('child', column)} as value, ${child} as child
      from ${sql.id(target.schema, table)} as child where ${sql.id('child', column)} = any(${values}::text[])`.execute(
      transaction,
    );
    const usedValues = new Set(
      rows.flatMap((row) => (row.child && ownKeys.has(toKeyText(target, row.child)) ? [] : [String(row.value)])),
    );
    for (const { key } of changes) if (usedValues.has(String(key[referenced]))) usedKeys.add(toKeyText(target, key));
  }
  return usedKeys;
}
