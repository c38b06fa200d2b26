import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import {
  finding,
  importedRows,
  unionAll,
  type CheckContext,
  type RecheckContext,
  type ImportColumn,
  type LocalizedText,
} from '#plugins/imports';
import { maxDescriptionLength, maxNumberLength } from '../../../contract/values/tag-values.ts';
import { joinEntities, selectRemovedUids, type EntitySheet } from './entity-rows.ts';
import { selectUsedCodes } from './sheet-parts.ts';

/** Selects the tags and lines with documents, which are never removed. */
const documentedTags = sql`select tag from tour.document_link`;

export const tags: EntitySheet = {
  sheet: 'tags',
  table: 'tag',
  kind: 'TAG',
  column: 'number',
  selectRowsInUse: (context) => sql`
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
  selectRowsInUse: (context) => sql`
    select id from (${joinEntities(context, lines)}) as line
    where state = 'REMOVED' and (
      uid in (${documentedTags})
      or key in (${unionAll(
        ...['tags', coursesSheetId, lineViewsSheetId].map((sheet) => selectUsedCodes(context, sheet, 'line')),
      )})
      or uid in (select line from tour.tag where line is not null and uid not in (${selectRemovedUids(context, tags)})))`,
};

/** Finds numbers without a letter or digit. Search could not find them, because it ignores all other characters. */
export const findNumbersWithoutLetters = ({ rows }: CheckContext, sheet: string): RawBuilder<unknown> => sql`
  select ${finding('number', validationMessages.format)} from (${rows(sheet)}) as row
  where number is not null and values ->> 'number' !~ '[A-Za-z0-9]'`;

/**
 * Finds new tags with the number of a new line, because tags and lines share one set of numbers. `is true` prevents a
 * join, which would compare each tag with each line.
 */
export const findNumbersTakenByLines = (context: CheckContext): RawBuilder<unknown> => sql`
  select ${finding('number', validationMessages.duplicate, { value: sql`values ->> 'number'` })}
  from (${context.rows(tags.sheet)}) as row
  where state = 'ADDED' and (key in (
    select key from (${importedRows(context, lines.sheet)}) as line where state = 'ADDED')) is true`;

/** Computes in SQL what `toSearchKey` computes. */
export const searchKeyExpression = sql<string>`regexp_replace(upper(values ->> 'number'), '[^A-Z0-9]', '', 'g')`;

/** Selects the new rows of both sheets with their search keys, in the collation of the index of tags. */
const selectNewNumbers = (context: CheckContext): RawBuilder<unknown> =>
  unionAll(
    ...[tags.sheet, lines.sheet].map(
      (sheet) => sql`
        select id, ${sheet}::text as sheet, key, values ->> 'number' as code,
          ${searchKeyExpression} collate "C" as search_key
        from (${importedRows(context, sheet)}) as row where state = 'ADDED'`,
    ),
  );

/**
 * Finds new numbers that differ from another number of the site or the files only by separators, such as `P 1` and
 * `P-1`.
 * Sorts all numbers by search key once, because a join would compare every pair. `is true` prevents a join with the
 * tags.
 */
export const findSimilarNumbers = (context: CheckContext, sheet: string): RawBuilder<unknown> => sql`
  select * from (
    with new_number as materialized (${selectNewNumbers(context)}),
    all_numbers as (
      select * from new_number where search_key <> ''
      union all
      select null, null, lower(code), code, search_key collate "C" from tour.tag
      where site = ${context.scope.site} and (search_key collate "C" in (select search_key from new_number)) is true
    )
    select ${finding('number', 'tour.refused.equalNumber', { other: sql`case when key = first_key then last_code else first_code end` }, 'WARNING')}
    from (
      select *, first_value(key) over equal as first_key, first_value(code) over equal as first_code,
        last_value(key) over equal as last_key, last_value(code) over equal as last_code
      from all_numbers window equal as (
        partition by search_key order by key rows between unbounded preceding and unbounded following)
    ) as compared
    where sheet = ${sheet} and first_key <> last_key
  ) as found`;

/** Selects the rows of a sheet whose number equals that of a corrected row, ignoring separators. */
export const selectRowsWithSimilarNumbers = (
  { rows, corrected }: RecheckContext,
  sheet: string,
): RawBuilder<unknown> => sql`
  select id from (${rows(sheet)}) as row where ${searchKeyExpression} in (
    select ${searchKeyExpression} from (${corrected(tags.sheet)}) as version
    union all
    select ${searchKeyExpression} from (${corrected(lines.sheet)}) as version)`;

export const createNumberColumn = (header: LocalizedText, synonymHeaders: readonly string[]): ImportColumn => ({
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
export const createLineReference = (required: boolean): ImportColumn => ({
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
