import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { RecheckContext, ImportColumn, ImportScope } from '#plugins/imports';
import type { PermitsTables } from '../../tables.ts';

/** Selects the text of a column. */
export const textValue = (column: string): RawBuilder<string | null> => sql<string | null>`(values ->> ${column})`;

/** Converts JSON to a number. Null if it is none, which another check reports. */
export const toNumber = (json: RawBuilder<unknown>): RawBuilder<number | null> => sql<number | null>`
  (case when jsonb_typeof(${json}) = 'number' then (${json})::float8 end)`;

/** Selects the number of a column. */
export const numberValue = (column: string): RawBuilder<number | null> => toNumber(sql`values -> ${column}`);

const instantPattern = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$';

/** Converts a text to an instant. Null if it is none, which another check reports. */
export const toInstant = (text: RawBuilder<unknown>): RawBuilder<Date | null> => sql<Date | null>`
  (case when ${text} ~ ${instantPattern} then (${text})::timestamptz end)`;

/** Selects the instant of a column. */
export const instantValue = (column: string): RawBuilder<Date | null> => toInstant(textValue(column));

/** Formats an instant like the staged values. */
export const toInstantText = (value: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Selects rows of `sheet` whose `column` has the current or former value of `referencedColumn` in a corrected row. */
export const selectRowsReferringToCorrected = (
  { rows, corrected }: RecheckContext,
  sheet: string,
  column: string,
  referencedColumn: { readonly sheet: string; readonly column: string },
): RawBuilder<unknown> => sql`
  select id from (${rows(sheet)}) as row where lower(coalesce(before, '{}') || values ->> ${column}) in (
    ${selectValuesOfCorrectedRows({ corrected }, referencedColumn.sheet, referencedColumn.column)})`;

/** Selects the current and former values of a column in the corrected rows of a sheet, in lower case. */
export const selectValuesOfCorrectedRows = (
  { corrected }: Pick<RecheckContext, 'corrected'>,
  sheet: string,
  column: string,
): RawBuilder<unknown> => sql`
  select lower(version ->> ${column}) from (${corrected(sheet)}) as corrected_row
  cross join lateral unnest(array[values, before]) as version where version ->> ${column} is not null`;

export const selectNoRows = sql`select null::bigint as id where false`;

export const locationReference: Pick<ImportColumn, 'type' | 'reference'> = {
  type: 'REFERENCE',
  reference: {
    entity: { en: 'locations', fr: 'emplacements' },
    find: ({ locations }) => sql`select code, true as active from unnest(${[...locations]}::text[]) as code`,
  },
};

/** Selects `uid` and `key` (the code in lower case) of the locations of an import. */
export const selectLocations = ({ locations }: ImportScope): RawBuilder<unknown> =>
  sql`select distinct on (lower(uid)) uid, lower(uid) as key from unnest(${[...locations]}::text[]) as uid`;

/** If more rows are inserted, the query planner needs new statistics. It would otherwise join row by row. */
const minRowsToAnalyze = 2000;

export async function analyzeIfLarge(
  tables: QueryExecutorProvider,
  table: keyof PermitsTables & string,
  rows: number | bigint,
): Promise<void> {
  if (rows > minRowsToAnalyze) await sql`analyze ${sql.id('permits', table)}`.execute(tables);
}

/** Derives the uid of a new row from its staged row, so that it is known before the insert. */
export const deriveNewUid = (row: string): RawBuilder<string> =>
  sql<string>`md5('imports.staged_row ' || ${sql.ref(`${row}.id`)})::uuid::text`;
