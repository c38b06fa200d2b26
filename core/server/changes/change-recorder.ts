import { isDeepStrictEqual } from 'node:util';
import { sql, type QueryExecutorProvider } from 'kysely';
import type { JsonRow } from './change-tables.ts';
import type { RecordedTable } from './content-changes.ts';

/** A row that a change created, changed or deleted; see `ChangeTables`. */
export interface RowChange {
  readonly table: string;
  readonly key: JsonRow;
  readonly before: JsonRow | null;
  readonly after: JsonRow | null;
}

/** A changed row with all its columns. */
interface FullChange {
  readonly table: string;
  readonly before: JsonRow | undefined;
  readonly after: JsonRow | undefined;
}

/** Rows of a table with one of these values in a column. */
interface Selection {
  readonly table: string;
  readonly column: string;
  readonly values: ReadonlySet<string>;
}

export type RecordedTables = ReadonlyMap<string, RecordedTable>;

/** Compares the rows of one transaction before and after they are changed. */
export class ChangeRecorder {
  readonly #transaction: QueryExecutorProvider;
  readonly #schema: string;
  readonly #tables: RecordedTables;
  readonly #before = new Map<string, Map<string, JsonRow>>();
  readonly #selections: Selection[] = [];

  constructor(transaction: QueryExecutorProvider, schema: string, tables: RecordedTables) {
    this.#transaction = transaction;
    this.#schema = schema;
    this.#tables = tables;
  }

  async record(table: string, column: string, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    const known = this.#before.get(table) ?? new Map<string, JsonRow>();
    this.#before.set(table, known);
    this.#selections.push({ table, column, values: new Set(values) });
    for (const row of await this.#select(table, column, values, true)) {
      const key = this.#toKey(table, row);
      if (!known.has(key)) known.set(key, row);
    }
  }

  /** The changed rows, parents before children. */
  async findChanges(): Promise<readonly FullChange[]> {
    const changes: FullChange[] = [];
    for (const [table, { key: keyColumns }] of this.#tables) {
      const before = this.#before.get(table);
      if (!before) continue;
      const after = new Map<string, JsonRow>();
      const selections = this.#selections.filter((selection) => selection.table === table);
      const [firstKey = ''] = keyColumns;
      // Finds rows whose selecting column was changed, too.
      const recordedKeys = [...before.values()].map((row) => String(row[firstKey]));
      const known = { column: firstKey, values: new Set(recordedKeys) };
      for (const { column, values } of [...selections, known])
        for (const row of await this.#select(table, column, [...values], false))
          after.set(this.#toKey(table, row), row);
      for (const key of new Set([...before.keys(), ...after.keys()])) {
        const change = { table, before: before.get(key), after: after.get(key) };
        // A selection by the first key column alone may find rows that were not recorded.
        const isRecorded = before.has(key) || selections.some((each) => isSelected(each, change.after));
        if (isRecorded && !this.#isEqual(change)) changes.push(change);
      }
    }
    return changes;
  }

  /** What the journal keeps of a changed row. */
  toRowChange({ table, before, after }: FullChange): RowChange {
    const { key: keyColumns } = this.#find(table);
    const row = after ?? before ?? {};
    const key = Object.fromEntries(keyColumns.map((column) => [column, row[column]]));
    if (!before || !after) return { table, key, before: before ?? null, after: after ?? null };
    const changed = this.#listChangedColumns(table, before, after);
    const pick = (each: JsonRow): JsonRow => Object.fromEntries(changed.map((column) => [column, each[column]]));
    return { table, key, before: pick(before), after: pick(after) };
  }

  #isEqual({ table, before, after }: FullChange): boolean {
    if (!before || !after) return before === after;
    return this.#listChangedColumns(table, before, after).length === 0;
  }

  #listChangedColumns(table: string, before: JsonRow, after: JsonRow): readonly string[] {
    const { derived = [], version } = this.#find(table);
    return Object.keys(after).filter(
      (column) => column !== version && !derived.includes(column) && !isDeepStrictEqual(before[column], after[column]),
    );
  }

  async #select(table: string, column: string, values: readonly string[], lock: boolean): Promise<readonly JsonRow[]> {
    const { key } = this.#find(table);
    const { rows } = await sql<{ row: JsonRow }>`
      select to_jsonb(recorded) as row from ${sql.id(this.#schema, table)} as recorded
      where ${sql.id('recorded', column)} = any(${[...values]}::text[])
      order by ${sql.join(key.map((each) => sql.id('recorded', each)))} ${sql.raw(lock ? 'for update' : '')}
    `.execute(this.#transaction);
    return rows.map(({ row }) => row);
  }

  #toKey(table: string, row: JsonRow): string {
    return JSON.stringify(this.#find(table).key.map((column) => row[column]));
  }

  #find(table: string): RecordedTable {
    const found = this.#tables.get(table);
    if (!found) throw new Error(`Changes of the table '${table}' are not recorded: register it.`);
    return found;
  }
}

const isSelected = ({ column, values }: Pick<Selection, 'column' | 'values'>, row: JsonRow | undefined): boolean =>
  row !== undefined && values.has(String(row[column]));
