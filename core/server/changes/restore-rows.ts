import { sql, type QueryExecutorProvider } from 'kysely';
import type { RowChange } from './change-recorder.ts';
import type { JsonRow } from './change-tables.ts';
import { fromJson, onKey, toKeyText, type TargetTable } from './keyed-rows.ts';

/**
 * Rows per update, so that none of a large change takes longer than a statement may. Inserts and deletions stay whole:
 * their rows may refer to each other.
 */
const rowsPerUpdate = 10_000;

function* listParts<Row>(rows: readonly Row[]): Iterable<readonly Row[]> {
  for (let start = 0; start < rows.length; start += rowsPerUpdate) yield rows.slice(start, start + rowsPerUpdate);
}

/** Inserts rows. Columns that were added to the table after the rows were recorded get their defaults. */
export async function insertRows(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  rows: readonly JsonRow[],
): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const { rows: tableColumns } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${`${target.schema}.${target.table}`}::regclass and attnum > 0 and not attisdropped
    order by attnum`.execute(transaction);
  const columns = sql.join(tableColumns.filter(({ name }) => name in first).map(({ name }) => sql.id(name)));
  await sql`
    insert into ${sql.id(target.schema, target.table)} (${columns})
    select ${columns} from ${fromJson(target, rows)} as given`.execute(transaction);
}

/** Sets the changed columns to what they were before, by one statement for each set of columns and 10,000 rows. */
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
      (column) => sql`${sql.id(column)} = ${sql.id('given', column)}`,
    );
    for (const part of listParts(group))
      await sql`
        update ${sql.id(target.schema, target.table)} as target set ${sql.join(assignments)}
        from ${fromJson(
          target,
          part.map(({ key, before }) => ({ ...before, ...key })),
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
    using ${fromJson(
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
  for (const part of listParts(changes))
    await sql`
      update ${sql.id(target.schema, target.table)} as target set ${sql.id(target.version)} = ${version} + 1
      from ${fromJson(
        target,
        part.map(({ key }) => key),
      )} as given where ${onKey(target)}`.execute(transaction);
}

interface Reference {
  readonly table: string;
  readonly column: string;
  readonly referenced: string;
}

/** Foreign keys of one column that refer to a table. */
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
 * The keys, as texts, of the rows that others refer to, so that those would be deleted or changed with them. References
 * among these rows and from `disposable` tables, whose rows may be deleted, do not count.
 */
export async function listDependedOn(
  transaction: QueryExecutorProvider,
  target: TargetTable,
  changes: readonly RowChange[],
  disposable: readonly string[],
): Promise<ReadonlySet<string>> {
  const ownKeys = new Set(changes.map(({ key }) => toKeyText(target, key)));
  const usedKeys = new Set<string>();
  for (const { table, column, referenced } of await listReferences(transaction, target)) {
    if (disposable.includes(table)) continue;
    const isSelf = table === target.table;
    const values = changes.map(({ key }) => String(key[referenced]));
    const child = isSelf ? sql`to_jsonb(child)` : sql`null::jsonb`;
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
