import { isDeepStrictEqual } from 'node:util';
import type { QueryExecutorProvider } from 'kysely';
import type { JsonRow } from './change-tables.ts';
import type { RecordedTable } from './content-changes.ts';
import { loadRowsByKey, readRowsByColumn, toKeyText, type TargetTable } from './keyed-rows.ts';

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
  /** Columns whose value differs. Undefined if the row was created or deleted. */
  readonly columns: readonly string[] | undefined;
}

/** Rows of a table with one of these values in a column. */
interface ColumnSelection {
  readonly table: string;
  readonly column: string;
  readonly values: ReadonlySet<string>;
}

/** The recorded tables by name. */
export type RecordedTables = ReadonlyMap<string, RecordedTable & { readonly schema: string }>;

/** Compares the rows of one transaction before and after they are changed. */
export class ChangeRecorder {
  readonly #transaction: QueryExecutorProvider;
  readonly #tables: RecordedTables;
  readonly #before = new Map<string, Map<string, JsonRow>>();
  /** The keys that `lockAndRecordKeys` got, by table and text, including those of rows that did not exist. */
  readonly #keys = new Map<string, Map<string, JsonRow>>();
  readonly #selections: ColumnSelection[] = [];
  /** Lists of changed columns, by their joined names. Rows with the same changed columns share one list. */
  readonly #columnLists = new Map<string, readonly string[]>();

  constructor(transaction: QueryExecutorProvider, tables: RecordedTables) {
    this.#transaction = transaction;
    this.#tables = tables;
  }

  async lockAndRecord(table: string, column: string, values: readonly string[]): Promise<void> {
    if (values.length === 0) return;
    const target = this.#find(table);
    this.#selections.push({ table, column, values: new Set(values) });
    for await (const rows of readRowsByColumn(this.#transaction, target, column, values, { lock: true }))
      this.#saveBefore(target, rows);
  }

  /** Locks the rows with these keys, and records how they change from now on. */
  async lockAndRecordKeys(table: string, keys: readonly JsonRow[]): Promise<void> {
    if (keys.length === 0) return;
    const target = this.#find(table);
    const tableKeys = this.#keys.get(table) ?? new Map<string, JsonRow>();
    this.#keys.set(table, tableKeys);
    for (const key of keys) tableKeys.set(toKeyText(target, key), key);
    this.#saveBefore(target, await loadRowsByKey(this.#transaction, target, keys, { lock: true }));
  }

  /** A recorded row as it was before it was changed. Undefined if it did not exist. */
  findBefore(table: string, key: JsonRow): JsonRow | undefined {
    return this.#before.get(table)?.get(toKeyText(this.#find(table), key));
  }

  /** The changed rows, parents before children. Ends the recording, and frees its memory. */
  async findChanges(): Promise<readonly FullChange[]> {
    const changes: FullChange[] = [];
    for (const table of this.#tables.keys()) {
      const target = this.#find(table);
      const rowsBefore = this.#before.get(table) ?? new Map<string, JsonRow>();
      const comparedKeys = new Set<string>();
      // Rows are compared as they are read, so that equal values of many rows are in memory only once.
      for await (const rows of this.#readAfter(target, rowsBefore)) {
        for (const rowAfter of rows) {
          const key = toKeyText(target, rowAfter);
          if (comparedKeys.has(key)) continue;
          comparedKeys.add(key);
          const rowBefore = rowsBefore.get(key);
          const columns = rowBefore && this.#compareRows(table, rowBefore, rowAfter);
          if (columns?.length !== 0) changes.push({ table, before: rowBefore, after: rowAfter, columns });
        }
      }
      for (const [key, row] of rowsBefore)
        if (!comparedKeys.has(key)) changes.push({ table, before: row, after: undefined, columns: undefined });
      this.#before.delete(table);
      this.#keys.delete(table);
    }
    this.#selections.length = 0;
    return changes;
  }

  /**
   * Reads the recorded rows of a table as they are now, and the rows that now have selected values. Some come twice.
   */
  async *#readAfter(target: TargetTable, before: ReadonlyMap<string, JsonRow>): AsyncGenerator<readonly JsonRow[]> {
    // The keys also find recorded rows that no longer have the selected value.
    const keys = new Map([...before, ...(this.#keys.get(target.table) ?? [])]);
    const byColumn = this.#groupSelections(target.table);
    // Rows that were selected by their key are not read a second time.
    const selectedByKey = target.key.length === 1 ? byColumn.get(target.key[0] ?? '') : undefined;
    const otherKeys = [...keys.values()].filter((key) => !selectedByKey?.has(String(key[target.key[0] ?? ''])));
    yield await loadRowsByKey(this.#transaction, target, pickKeys(target, otherKeys), { lock: false });
    for (const [column, values] of byColumn)
      yield* readRowsByColumn(this.#transaction, target, column, [...values], { lock: false });
  }

  /** Returns the selected values of a table by their column. */
  #groupSelections(table: string): ReadonlyMap<string, ReadonlySet<string>> {
    const byColumn = new Map<string, Set<string>>();
    for (const selection of this.#selections) {
      if (selection.table !== table) continue;
      const values = byColumn.get(selection.column) ?? new Set();
      byColumn.set(selection.column, values);
      for (const value of selection.values) values.add(value);
    }
    return byColumn;
  }

  #saveBefore({ table, ...target }: TargetTable, rows: readonly JsonRow[]): void {
    const tableRows = this.#before.get(table) ?? new Map<string, JsonRow>();
    this.#before.set(table, tableRows);
    for (const row of rows) {
      const key = toKeyText(target, row);
      if (!tableRows.has(key)) tableRows.set(key, row);
    }
  }

  /** The values of a changed row that the journal stores. */
  toRowChange({ table, before, after, columns }: FullChange): RowChange {
    const [key = {}] = pickKeys(this.#find(table), [after ?? before ?? {}]);
    if (!before || !after || !columns) return { table, key, before: before ?? null, after: after ?? null };
    const pick = (row: JsonRow): JsonRow => Object.fromEntries(columns.map((column) => [column, row[column]]));
    return { table, key, before: pick(before), after: pick(after) };
  }

  /**
   * Lists the columns whose value differs. Makes equal values share memory, because a change can have 100,000 rows.
   */
  #compareRows(table: string, before: JsonRow, after: Record<string, unknown>): readonly string[] {
    const { derived = [], version } = this.#find(table);
    const columns: string[] = [];
    for (const column of Object.keys(after)) {
      if (isDeepStrictEqual(before[column], after[column])) after[column] = before[column];
      else if (column !== version && !derived.includes(column)) columns.push(column);
    }
    const names = columns.join();
    const sharedColumns = this.#columnLists.get(names) ?? columns;
    this.#columnLists.set(names, sharedColumns);
    return sharedColumns;
  }

  #find(table: string): RecordedTable & TargetTable {
    const recordedTable = this.#tables.get(table);
    if (!recordedTable) throw new Error(`Changes of the table '${table}' are not recorded: register it.`);
    return { ...recordedTable, table };
  }
}

const pickKeys = ({ key }: TargetTable, rows: readonly JsonRow[]): readonly JsonRow[] =>
  rows.map((row) => Object.fromEntries(key.map((column) => [column, row[column]])));
