import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import {
  finding,
  importedRows,
  unionAll,
  type CheckContext,
  type DependentsContext,
  type ImportColumn,
  type LocalizedText,
} from '#plugins/imports';
import { maxDescriptionLength, maxNumberLength } from '../../../contract/values/tag-values.ts';
import { joinEntities, removedEntities, type EntitySheet } from './entity-rows.ts';
import { usedCodes } from './sheet-parts.ts';

/** Tags and lines with documents, which are never removed. */
const documentedTags = sql`select tag from tour.document_link`;

export const tags: EntitySheet = {
  sheet: 'tags',
  table: 'tag',
  kind: 'TAG',
  column: 'number',
  inUse: (context) => sql`
    select id from (${joinEntities(context, tags)}) as tag where state = 'REMOVED' and uid in (${documentedTags})`,
};

/** The sheets of the courses and views of lines. */
export const coursesSheetId = 'courses';
export const lineViewsSheetId = 'lineViews';

export const lines: EntitySheet = {
  sheet: 'lines',
  table: 'tag',
  kind: 'TAG',
  column: 'number',
  inUse: (context) => sql`
    select id from (${joinEntities(context, lines)}) as line
    where state = 'REMOVED' and (
      uid in (${documentedTags})
      or key in (${unionAll(
        ...['tags', coursesSheetId, lineViewsSheetId].map((sheet) => usedCodes(context, sheet, 'line')),
      )})
      or uid in (select line from tour.tag where line is not null and uid not in (${removedEntities(context, tags)})))`,
};

/** A number without a letter or digit cannot be found: search ignores all other characters. */
export const findNumbersWithoutLetters = ({ rows }: CheckContext, sheet: string): RawBuilder<unknown> => sql`
  select ${finding('number', validationMessages.format)} from (${rows(sheet)}) as row
  where number is not null and values ->> 'number' !~ '[A-Za-z0-9]'`;

/** Tags and lines share one set of numbers. `is true` prevents a join, which would compare each tag with each line. */
export const findNumbersOfLines = (context: CheckContext): RawBuilder<unknown> => sql`
  select ${finding('number', validationMessages.duplicate, { value: sql`values ->> 'number'` })}
  from (${context.rows(tags.sheet)}) as row
  where state = 'ADDED' and (key in (
    select key from (${importedRows(context, lines.sheet)}) as line where state = 'ADDED')) is true`;

/** The same as `toSearchKey`. */
export const computeSearchKey = sql<string>`regexp_replace(upper(values ->> 'number'), '[^A-Z0-9]', '', 'g')`;

/** New rows of both sheets with their search keys, in the collation of the index of tags. */
const newNumbers = (context: CheckContext): RawBuilder<unknown> =>
  unionAll(
    ...[tags.sheet, lines.sheet].map(
      (sheet) => sql`
        select id, ${sheet}::text as sheet, key, values ->> 'number' as code,
          ${computeSearchKey} collate "C" as search_key
        from (${importedRows(context, sheet)}) as row where state = 'ADDED'`,
    ),
  );

/**
 * New numbers that differ from another one of the site or of the files only by separators, such as `P 1` and `P-1`.
 * Sorts all numbers by search key once, because a join would compare every pair. `is true` prevents a join with the
 * tags.
 */
export const findEqualNumbers = (context: CheckContext, sheet: string): RawBuilder<unknown> => sql`
  select * from (
    with given as materialized (${newNumbers(context)}),
    known as (
      select * from given where search_key <> ''
      union all
      select null, null, lower(code), code, search_key collate "C" from tour.tag
      where site = ${context.scope.site} and (search_key collate "C" in (select search_key from given)) is true
    )
    select ${finding('number', 'tour.refused.equalNumber', { other: sql`case when key = first_key then last_code else first_code end` }, 'WARNING')}
    from (
      select *, first_value(key) over equal as first_key, first_value(code) over equal as first_code,
        last_value(key) over equal as last_key, last_value(code) over equal as last_code
      from known window equal as (
        partition by search_key order by key rows between unbounded preceding and unbounded following)
    ) as compared
    where sheet = ${sheet} and first_key <> last_key
  ) as found`;

/** The rows of a sheet whose number equals that of a corrected row, ignoring separators. */
export const findRowsOfEqualNumbers = ({ rows, changed }: DependentsContext, sheet: string): RawBuilder<unknown> => sql`
  select id from (${rows(sheet)}) as row where ${computeSearchKey} in (
    select ${computeSearchKey} from (${changed(tags.sheet)}) as version
    union all
    select ${computeSearchKey} from (${changed(lines.sheet)}) as version)`;

export const numberColumn = (header: LocalizedText, synonymHeaders: readonly string[]): ImportColumn => ({
  id: 'number',
  header,
  synonymHeaders,
  type: 'TAGNO',
  required: true,
  key: true,
  maxLength: maxNumberLength,
  note: {
    en: 'Unique among the tags and lines of the site, ignoring case.',
    fr: 'Unique parmi les repères et lignes du site, sans tenir compte de la casse.',
  },
});

/** A line of another sheet, or of the site. */
export const lineReference = (required: boolean): ImportColumn => ({
  id: 'line',
  header: { en: 'Line Number', fr: 'Numéro de ligne' },
  synonymHeaders: ['Line No', 'Line ID', 'Ligne', 'N° de ligne'],
  type: 'REFERENCE',
  required,
  key: required,
  maxLength: maxNumberLength,
  reference: {
    entity: { en: 'lines', fr: 'lignes' },
    find: ({ site }) => sql`
      select code, true as active from tour.tag where site = ${site} and type = 'LINE'`,
    within: { sheet: lines.sheet, column: 'number' },
  },
});

export const descriptionColumn: ImportColumn = {
  id: 'description',
  header: { en: 'Description', fr: 'Description' },
  synonymHeaders: ['Designation', 'Libellé', 'Title', 'Titre', 'Name', 'Nom'],
  type: 'TEXT',
  maxLength: maxDescriptionLength,
  default: '',
};
