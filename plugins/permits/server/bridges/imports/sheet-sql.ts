import { sql, type QueryExecutorProvider, type RawBuilder } from 'kysely';
import type { DependentsContext, ImportColumn, ImportScope } from '#plugins/imports';
import type { PermitsTables } from '../../tables.ts';

/** The text of a column. */
export const text = (column: string): RawBuilder<string | null> => sql<string | null>`(values ->> ${column})`;

/** The number of a column. Null if it is none, which has its own finding. */
export const numeric = (column: string): RawBuilder<number | null> => sql<number | null>`
  (case when jsonb_typeof(values -> ${column}) = 'number' then (values ->> ${column})::float8 end)`;

const instantPattern = '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$';

/** The instant of a column. Null if it is none, which has its own finding. */
export const instant = (column: string): RawBuilder<Date | null> => sql<Date | null>`
  (case when values ->> ${column} ~ ${instantPattern} then (values ->> ${column})::timestamptz end)`;

/** An instant as staged values have it. */
export const toInstantText = (value: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<string | null>`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Rows of a sheet whose column has the key of a corrected row of another one, as it was or is. */
export const rowsNaming = (
  { rows, changed }: DependentsContext,
  sheet: string,
  column: string,
  other: { readonly sheet: string; readonly column: string },
): RawBuilder<unknown> => sql`
  select id from (${rows(sheet)}) as row where lower(coalesce(before, '{}') || values ->> ${column}) in (
    ${changedTexts({ changed }, other.sheet, other.column)})`;

/** The present or former values of a column in corrected rows of a sheet: texts in lower case. */
export const changedTexts = (
  { changed }: Pick<DependentsContext, 'changed'>,
  sheet: string,
  column: string,
): RawBuilder<unknown> => sql`
  select lower(each ->> ${column}) from (${changed(sheet)}) as version
  cross join lateral unnest(array[values, before]) as each where each ->> ${column} is not null`;

export const noRows = sql`select null::bigint as id where false`;

export const locationReference: Pick<ImportColumn, 'type' | 'reference'> = {
  type: 'REFERENCE',
  reference: {
    entity: { en: 'locations', fr: 'emplacements' },
    find: ({ locations }) => sql`select code, true as active from unnest(${[...locations]}::text[]) as code`,
  },
};

/** The locations of an import with their codes in lower case: a query with the columns `uid` and `key`. */
export const selectLocations = ({ locations }: ImportScope): RawBuilder<unknown> =>
  sql`select distinct on (lower(uid)) uid, lower(uid) as key from unnest(${[...locations]}::text[]) as uid`;

/** After so many new rows, the planner joins row by row unless it knows of them. */
const manyRows = 2000;

export async function analyzeMany(
  tables: QueryExecutorProvider,
  table: keyof PermitsTables & string,
  rows: number | bigint,
): Promise<void> {
  if (rows > manyRows) await sql`analyze ${sql.id('permits', table)}`.execute(tables);
}

/** The uid of a staged row: known before the row is inserted. */
export const newUid = (row: string): RawBuilder<string> =>
  sql<string>`md5('imports.staged_row ' || ${sql.ref(`${row}.id`)})::uuid::text`;
