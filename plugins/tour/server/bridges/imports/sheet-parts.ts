import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import {
  finding,
  importedRows,
  type CheckContext,
  type RecheckContext,
  type ImportColumn,
  type ImportScope,
  type LocalizedText,
} from '#plugins/imports';
import type { CodeKind } from '#plugins/tour';
import { translatedColumnNames } from '../../../common/translated-column-names.ts';

/** Selects the lower-case codes in a column of the files, including rows that a person left out. */
export const selectUsedCodes = (
  context: Pick<CheckContext, 'rows' | 'leftOut'>,
  sheet: string,
  column: string,
): RawBuilder<unknown> => sql`
  select lower(values ->> ${column}) from (
    select values from (${importedRows(context, sheet)}) as row
    union all
    select values from (${context.leftOut(sheet)}) as row
  ) as used where values ->> ${column} is not null`;

/** Finds new rows with a code that an entity of the site has or had, ignoring case. */
export const findTakenCodes = (
  { scope, rows }: CheckContext,
  sheet: string,
  { kind, column }: { readonly kind: CodeKind; readonly column: string },
): RawBuilder<unknown> => sql`
  select ${finding(column, validationMessages.duplicate, { value: sql`values ->> ${column}` })}
  from (${rows(sheet)}) as row
  where state = 'ADDED' and upper(values ->> ${column}) in (
    select upper(code) from tour.code where site = ${scope.site} and kind = ${kind})`;

/** Finds texts with control characters, which the forms for the same data refuse as well. */
export const findControlCharacters = (
  { rows }: CheckContext,
  sheet: string,
  columns: readonly string[],
): RawBuilder<unknown> => sql`
  select ${finding(sql`column_id`, validationMessages.characters)}
  from (${rows(sheet)}) as row cross join unnest(${[...columns]}::text[]) as column_id
  where number is not null and values ->> column_id ~ '[\\u0001-\\u001f\\u007f]'`;

/** True if corrected rows of a sheet have another key or other values in these columns, or were added or removed. */
export const hasCorrections = (
  { corrected }: Pick<RecheckContext, 'corrected'>,
  sheet: string,
  columns: readonly string[],
): RawBuilder<boolean> => sql<boolean>`exists (
  select from (${corrected(sheet)}) as version group by id
  having count(*) = 1 or count(distinct jsonb_build_array(key, array(
    select (coalesce(before, '{}') || values) ->> name from unnest(${[...columns]}::text[]) as name))) > 1)`;

/** Selects all rows of a sheet if one of the conditions holds, else none. */
export const selectAllRowsIf = (
  { rows }: Pick<CheckContext, 'rows'>,
  sheet: string,
  ...conditions: readonly RawBuilder<boolean>[]
): RawBuilder<unknown> => sql`select id from (${rows(sheet)}) as row where ${sql.join(conditions, sql` or `)}`;

/** Finds rows that would move an existing entity to another parent, which imports do not do. */
export const findMovedRows = (
  { rows }: CheckContext,
  sheet: string,
  { parentColumn, labelColumn }: { readonly parentColumn: string; readonly labelColumn: string },
): RawBuilder<unknown> => sql`
  select ${finding(parentColumn, 'tour.refused.staysThere', {
    name: sql`before ->> ${labelColumn}`,
    place: sql`before ->> ${parentColumn}`,
  })}
  from (${rows(sheet)}) as row
  where number is not null and before is not null
    and lower(values ->> ${parentColumn}) <> lower(before ->> ${parentColumn})`;

/**
 * Warns about rows that a replacing import should remove but keeps, because they are in use. `rowsInUse` is a query
 * with the column `id`. `warning` is the finding for each row.
 */
export const findRowsInUse = (
  { rows }: CheckContext,
  sheet: string,
  rowsInUse: RawBuilder<unknown>,
  warning: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select ${warning}
  from (${rows(sheet)}) as row where state = 'REMOVED' and id in (${rowsInUse})`;

/** Selects the location code of the site that equals `writtenCode`, ignoring case. */
export const findLocation = ({ locations }: ImportScope, writtenCode: RawBuilder<unknown>): RawBuilder<string> =>
  sql<string>`(select min(code) from unnest(${[...locations]}::text[]) as code where lower(code) = lower(${writtenCode}))`;

export const createCodeColumn = (
  header: LocalizedText,
  note: LocalizedText,
  synonymHeaders: readonly string[] = [],
): ImportColumn => ({
  id: 'code',
  header,
  synonymHeaders,
  type: 'CODE',
  required: true,
  key: true,
  maxLength: 50,
  note,
});

export const createNameColumn = (en: string, fr: string): ImportColumn => ({
  id: 'name',
  header: { en, fr },
  synonymHeaders: ['Designation', 'Title', 'Titre', 'Intitulé'],
  type: 'TEXT',
  required: true,
  maxLength: 200,
});

export const createLocationColumn = (header: LocalizedText, note: LocalizedText): ImportColumn => ({
  id: 'location',
  header,
  synonymHeaders: ['Area', 'Area Code', 'Unit', 'Unit Code', 'Emplacement', 'Unité', 'Code unité'],
  type: 'REFERENCE',
  required: true,
  reference: {
    entity: { en: 'locations', fr: 'emplacements' },
    find: ({ locations }) => sql`select code, true as active from unnest(${[...locations]}::text[]) as code`,
  },
  note,
});

/** A code of another sheet, or of an existing entity of the site. */
export const createCodeReference = (
  column: Pick<ImportColumn, 'id' | 'header' | 'synonymHeaders' | 'note' | 'key' | 'required'>,
  {
    table,
    sheet,
    entity,
  }: { readonly table: 'tour' | 'deck' | 'node'; readonly sheet: string; readonly entity: LocalizedText },
): ImportColumn => ({
  ...column,
  type: 'REFERENCE',
  maxLength: 50,
  reference: {
    entity,
    find: ({ site }) => sql`select code, true as active from ${sql.id('tour', table)} where site = ${site}`,
    within: { sheet, column: 'code' },
  },
});

/** A column with ordinal numbers from 1, which is part of the key. */
export const createOrdinalColumn = (
  id: string,
  en: string,
  fr: string,
  max: number,
  note: ImportColumn['note'],
): ImportColumn => ({
  id,
  header: { en, fr },
  type: 'NUMBER',
  required: true,
  key: true,
  min: 1,
  max,
  decimals: 0,
  ...(note && { note }),
});

/**
 * A coordinate in the site frame, metres. Synonym headers must be confirmed, because files also use these names for
 * coordinates of other systems.
 */
export const createCoordinateColumn = (
  id: string,
  header: LocalizedText,
  note: LocalizedText,
  synonymHeaders: readonly string[] = [],
): ImportColumn => ({
  id,
  header,
  synonymHeaders,
  confirmsSynonyms: true,
  type: 'NUMBER',
  min: -1e8,
  max: 1e8,
  note,
});

export const coordinateColumns: readonly ImportColumn[] = [
  createCoordinateColumn(
    'x',
    { en: 'X (m)', fr: 'X (m)' },
    { en: 'East, in the site frame.', fr: 'Est, dans le repère du site.' },
    ['Easting', 'Easting (m)', 'East', 'Est', 'X Coordinate', 'Coordonnée X', ...translatedColumnNames.east],
  ),
  createCoordinateColumn(
    'y',
    { en: 'Y (m)', fr: 'Y (m)' },
    { en: 'North, in the site frame.', fr: 'Nord, dans le repère du site.' },
    ['Northing', 'Northing (m)', 'North', 'Nord', 'Y Coordinate', 'Coordonnée Y', ...translatedColumnNames.north],
  ),
  createCoordinateColumn(
    'z',
    { en: 'Z (m)', fr: 'Z (m)' },
    { en: 'Height, in the site frame.', fr: 'Altitude, dans le repère du site.' },
    [
      ...['Elevation', 'Elevation (m)', 'Elev', 'Height', 'Height (m)', 'Altitude', 'Altitude (m)', 'Coordonnée Z'],
      ...translatedColumnNames.height,
    ],
  ),
];
