import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { LengthUnit } from '#core';
import type { ImportColumn, ImportScope, ImportSheet, ImportValue, ReadFormat } from '#plugins/imports';
import type { SheetChoices } from '../commands/match-sheets.ts';
import type { ValueChoices } from '../commands/map-row.ts';
import type { ImportsTables } from '../tables.ts';

export interface HeaderChoices {
  /** Column ids by the key of the header. */
  readonly columns: ReadonlyMap<string, string | null>;
  /** The units in which these columns were read, as far as a person has seen them. */
  readonly units: ReadonlyMap<string, LengthUnit | null>;
}

/** The columns that were chosen for headers of a sheet in earlier imports. */
export async function loadHeaderChoices(
  tables: Kysely<ImportsTables>,
  kind: string,
  sheet: string,
): Promise<HeaderChoices> {
  const rows = await tables
    .selectFrom('header_choice')
    .select(['header', 'column_id', 'unit'])
    .where('kind', '=', kind)
    .where('sheet', '=', sheet)
    .execute();
  return {
    columns: new Map(rows.map(({ header, column_id }) => [header, column_id])),
    units: new Map(rows.map(({ header, unit }) => [header, unit])),
  };
}

/** The sheets that were chosen for names of sheets of files, in the import or in earlier ones. */
export async function loadSheetChoices(
  tables: Kysely<ImportsTables>,
  kind: string,
  batch: string,
): Promise<SheetChoices> {
  const rows = await tables
    .selectFrom('sheet_choice')
    .select(['name', 'sheet', 'chosen_in'])
    .where('kind', '=', kind)
    .execute();
  return new Map(
    rows.map(({ name, sheet, chosen_in: chosenIn }) => [
      name,
      { sheet, by: chosenIn === batch ? 'CHOSEN' : 'REMEMBERED' },
    ]),
  );
}

/**
 * The values that replaced words in earlier imports. References are replaced only in imports without a site, because
 * each site has its own codes, and only if the word does not exist by now. In rows of API calls, neither references nor
 * words that were corrected in single cells are replaced.
 */
export async function loadValueChoices(
  tables: Kysely<ImportsTables>,
  kind: string,
  { id: sheet, columns }: ImportSheet,
  scope: ImportScope,
  api: boolean,
): Promise<ValueChoices> {
  const rows = await tables
    .selectFrom('value_choice')
    .select(['column_id', 'written', 'value'])
    .where('kind', '=', kind)
    .where('sheet', '=', sheet)
    .$if(api, (query) => query.where('corrected_in', 'is', null))
    .execute();
  const choices = new Map<string, Map<string, string>>();
  for (const { column_id, written, value } of rows)
    choices.set(column_id, (choices.get(column_id) ?? new Map<string, string>()).set(written, value));
  for (const { id, reference } of columns) {
    const words = choices.get(id);
    if (!words || !reference) continue;
    if (scope.site !== null || api) choices.delete(id);
    else if (reference.find) await removeExisting(tables, reference.find(scope), words);
  }
  return choices;
}

async function removeExisting(
  tables: Kysely<ImportsTables>,
  knownCodes: RawBuilder<unknown>,
  words: Map<string, string>,
): Promise<void> {
  const { rows } = await sql<{ code: string }>`
    select lower(code) as code from (${knownCodes}) as known where lower(code) = any(${[...words.keys()]}::text[])`.execute(
    tables,
  );
  for (const { code } of rows) words.delete(code);
}

/** The values that were chosen for all rows of a column in earlier imports, by column id. */
export async function loadConstantChoices(
  tables: Kysely<ImportsTables>,
  kind: string,
  { id: sheet, columns }: ImportSheet,
  scope: ImportScope,
): Promise<ReadonlyMap<string, ImportValue>> {
  const rows = await tables
    .selectFrom('constant_choice')
    .select(['column_id', 'site', 'value'])
    .where('kind', '=', kind)
    .where('sheet', '=', sheet)
    .where('site', 'in', ['', scope.site ?? ''])
    .execute();
  const isOwn = ({ column_id: id, site }: (typeof rows)[number]): boolean =>
    columns.some((column) => column.id === id && toSiteOfValue(column, scope) === site);
  return new Map(rows.filter(isOwn).map(({ column_id, value }) => [column_id, value]));
}

/** The site to which the values of a column belong: codes are codes of one site. Empty for other values. */
export const toSiteOfValue = ({ reference }: ImportColumn, { site }: ImportScope): string =>
  reference ? (site ?? '') : '';

/** How columns with a header were read in earlier imports of the kind, where their values did not decide it. */
export async function loadFormatChoices(
  tables: Kysely<ImportsTables>,
  kind: string,
  sheet: string,
): Promise<ReadonlyMap<string, ReadFormat>> {
  const rows = await tables
    .selectFrom('format_choice')
    .select(['header', 'format'])
    .where('kind', '=', kind)
    .where('sheet', '=', sheet)
    .execute();
  return new Map(rows.map(({ header, format }) => [header, format]));
}
