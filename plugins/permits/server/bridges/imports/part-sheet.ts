import { sql, type RawBuilder } from 'kysely';
import {
  finding,
  importedRows,
  unionAll,
  type ApplyContext,
  type CheckContext,
  type ImportColumn,
  type ImportScope,
  type ImportSheet,
} from '#plugins/imports';
import type { PartTable } from '../../commands/write-events.ts';
import type { PermitsTables } from '../../tables.ts';
import {
  analyzeIfLarge,
  deriveNewUid,
  selectNoRows,
  selectRowsReferringToCorrected,
  textValue,
  toInstantText,
} from './sheet-sql.ts';

export const permitsSheetId = 'permits';

/** A column of a sheet and the table column that stores it. */
export interface PartField {
  readonly column: ImportColumn;
  readonly tableColumn: string;
  /** Expression that converts the row `part` of the table to a sheet value. Default: the value of `tableColumn`. */
  readonly read?: (scope: ImportScope) => RawBuilder<unknown>;
  /** Expression that converts the sheet `values` to the value of `tableColumn`. Default: a cast by the column type. */
  readonly write?: (scope: ImportScope) => RawBuilder<unknown>;
}

interface PartSheetOptions {
  readonly id: string;
  readonly name: string;
  readonly table: PartTable;
  readonly fields: readonly PartField[];
  /** The expressions of the table's unique index. */
  readonly uniqueKey: RawBuilder<unknown>;
  readonly check?: (context: CheckContext) => RawBuilder<unknown>;
}

/** A sheet with parts of permits, and the function that writes its rows. */
export interface PartSheet {
  readonly sheet: ImportSheet;
  readonly table: PartTable;
  readonly write: (context: ApplyContext<PermitsTables>) => Promise<void>;
}

/** Rows can refer to permits of the file and to permits of the site that the person can access. */
export const permitReference: ImportColumn['reference'] = {
  entity: { en: 'permits', fr: 'permis' },
  find: ({ site, locations }) => sql`
    select number as code, true as active from permits.permit
    where site = ${site} and location = any(${[...locations]}::text[])`,
  within: { sheet: permitsSheetId, column: 'number' },
};

const permitColumn: ImportColumn = {
  id: 'permit',
  header: { en: 'Permit Number', fr: 'Numéro du permis' },
  synonymHeaders: ['Permit No', 'PTW No', 'PTW Number', 'N° de permis', 'N° du permis', 'Permis'],
  type: 'REFERENCE',
  required: true,
  key: true,
  maxLength: 50,
  reference: permitReference,
};

/**
 * Finds rows that refer to a permit that a replacing import removes. The removed permits are collected into one JSON
 * object, because a join would read all permits for each row.
 */
export const findRemovedPermits = (context: CheckContext, sheetId: string, column: string): RawBuilder<unknown> => sql`
  select ${finding(column, 'permits.refused.permitRemoved', { value: textValue(column) })}
  from (${importedRows(context, sheetId)}) as row where jsonb_exists((
    select jsonb_object_agg(key, true) from (${context.rows(permitsSheetId)}) as removed
    where number is null and key is not null), lower(values ->> ${column}))`;

const selectPermits = ({ site, locations }: ImportScope): RawBuilder<unknown> => sql`
  select uid, number, lower(number) as key from permits.permit
  where site = ${site} and location = any(${[...locations]}::text[])`;

const readField =
  (scope: ImportScope) =>
  ({ column, tableColumn, read }: PartField): RawBuilder<unknown> => {
    const value = sql`part.${sql.ref(tableColumn)}`;
    return read?.(scope) ?? (column.type === 'DATETIME' ? toInstantText(value) : value);
  };

const writeField =
  (scope: ImportScope) =>
  ({ column: { id, type }, write }: PartField): RawBuilder<unknown> => {
    if (write) return write(scope);
    const value = sql`values ->> ${id}`;
    if (type === 'DATETIME') return sql`(${value})::timestamptz`;
    return type === 'INTEGER' ? sql`(${value})::integer` : value;
  };

/** Creates a sheet whose rows are parts of permits, identified by the permit number and the key columns. */
export function createPartSheet({ id, name, table, fields, uniqueKey, check }: PartSheetOptions): PartSheet {
  const keyFields = fields.filter(({ column }) => column.key === true);
  const source = sql.id('permits', table);
  const current = (scope: ImportScope): RawBuilder<unknown> => {
    const pairs = fields.flatMap((field) => [sql`${field.column.id}::text`, readField(scope)(field)]);
    return sql`
      select jsonb_build_object('permit', permit.number, ${sql.join(pairs)}) as values
      from ${source} as part join (${selectPermits(scope)}) as permit on permit.uid = part.permit`;
  };
  const write: PartSheet['write'] = async ({ scope, rows, recordedTransaction: { tables, lockAndRecord } }) => {
    // The checks refuse rows of permits that the caller cannot access. `offset 0` prevents merging the values twice.
    const stagedRows = sql`
      select staged.id, state, staged.values, permit.uid as permit
      from (
        select id, state, coalesce(before, '{}') || values as values from (${rows(id)}) as staged_row
        where state in ('ADDED', 'CHANGED', 'REMOVED') offset 0
      ) as staged
      join (${selectPermits(scope)}) as permit on permit.key = lower(staged.values ->> 'permit')`;
    const { rows: permits } = await sql<{ permit: string }>`select distinct permit from (${stagedRows}) as row`.execute(
      tables,
    );
    if (permits.length === 0) return;
    await lockAndRecord(
      table,
      'permit',
      permits.map(({ permit }) => permit),
    );
    const isSame = keyFields.map(
      (field) => sql`
        lower(coalesce((${readField(scope)(field)})::text, '')) = lower(coalesce(row.values ->> ${field.column.id}, ''))`,
    );
    await sql`
      delete from ${source} as part using (${stagedRows}) as row
      where row.state = 'REMOVED' and part.permit = row.permit and ${sql.join(isSame, sql` and `)}`.execute(tables);
    const storedColumns = fields.map((field) => sql.ref(field.tableColumn));
    const updates = fields.map((field) => sql`${sql.ref(field.tableColumn)} = excluded.${sql.ref(field.tableColumn)}`);
    const { numAffectedRows = 0n } = await sql`
      insert into ${source} (uid, permit, ${sql.join(storedColumns)})
      select ${deriveNewUid('row')}, permit, ${sql.join(fields.map(writeField(scope)))}
      from (${stagedRows}) as row where state in ('ADDED', 'CHANGED')
      on conflict (${uniqueKey}) do update set ${sql.join(updates)}`.execute(tables);
    await analyzeIfLarge(tables, table, numAffectedRows);
  };
  return {
    table,
    write,
    sheet: {
      id,
      name,
      required: false,
      removable: true,
      columns: [permitColumn, ...fields.map(({ column }) => column)],
      current,
      check: (context) => unionAll(findRemovedPermits(context, id, 'permit'), ...(check ? [check(context)] : [])),
      selectRowsToRecheck: (context) =>
        unionAll(
          selectNoRows,
          selectRowsReferringToCorrected(context, id, 'permit', { sheet: permitsSheetId, column: 'number' }),
        ),
    },
  };
}
