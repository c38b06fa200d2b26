import { sql, type RawBuilder } from 'kysely';
import { validationMessages } from '#core';
import { finding, importedRows, unionAll, type ApplyContext, type ImportSheet } from '#plugins/imports';
import { tagKinds } from '../../../contract/values/tag-values.ts';
import type { TourTables } from '../../tables.ts';
import { registerCodes, type EntityRows } from './entity-rows.ts';
import { findFarPositions } from './far-positions.ts';
import { tagKindLabels } from './tag-kind-labels.ts';
import {
  coordinateColumns,
  findControlCharacters,
  findRowsInUse,
  findLocation,
  findTakenCodes,
  createLocationColumn,
} from './sheet-parts.ts';
import {
  searchKeyExpression,
  descriptionColumn,
  findSimilarNumbers,
  findNumbersTakenByLines,
  findNumbersWithoutLetters,
  selectRowsWithSimilarNumbers,
  createLineReference,
  lines,
  createNumberColumn,
  tags,
} from './tag-rows.ts';

/** Checks that new numbers are free and can be searched, and that positions have three coordinates or none. */
const checkTags: ImportSheet['check'] = (context) =>
  unionAll(
    findTakenCodes(context, tags.sheet, tags),
    findNumbersTakenByLines(context),
    findNumbersWithoutLetters(context, tags.sheet),
    findSimilarNumbers(context, tags.sheet),
    sql`
      select ${finding(sql`coordinate`, validationMessages.mandatoryField)}
      from (${importedRows(context, tags.sheet)}) as row cross join unnest(array['x', 'y', 'z']) as coordinate
      where values ->> coordinate is null
        and num_nonnulls(values ->> 'x', values ->> 'y', values ->> 'z') between 1 and 2`,
    findFarPositions(context, tags.sheet),
    findControlCharacters(context, tags.sheet, ['description']),
    findRowsInUse(
      context,
      tags.sheet,
      tags.selectRowsInUse(context),
      finding('number', 'tour.refused.tagInUse', { name: sql`before ->> 'number'` }, 'WARNING'),
    ),
  );

/** The tags of a site. The viewpoints that see them are computed from their positions. */
export const tagsSheet: ImportSheet = {
  id: tags.sheet,
  name: 'Tags',
  journalTable: 'tag',
  required: false,
  removable: true,
  columns: [
    createNumberColumn({ en: 'Tag Number', fr: 'Repère' }, [
      'Tag',
      'Tag No',
      'Tag ID',
      'Tag Name',
      'Equipment',
      'Equipment No',
      'Equipment Number',
      'Item No',
      'N° d’équipement',
      'Numéro de repère',
    ]),
    {
      id: 'kind',
      header: { en: 'Kind', fr: 'Famille' },
      synonymHeaders: ['Type', 'Tag Type', 'Equipment Type', 'Category', 'Type d’équipement', 'Catégorie'],
      type: 'ENUM',
      required: true,
      values: tagKinds.map((value) => ({ value, label: tagKindLabels[value] })),
    },
    createLocationColumn(
      { en: 'Location Code', fr: 'Code d’emplacement' },
      { en: 'A location of the site.', fr: 'Un emplacement du site.' },
    ),
    descriptionColumn,
    createLineReference(false),
    ...coordinateColumns,
  ],
  current: ({ site, locations }) => sql`
    select jsonb_build_object(
      'number', tag.code, 'kind', tag.kind, 'location', tag.location, 'description', tag.description,
      'line', line.code, 'x', tag.x, 'y', tag.y, 'z', tag.z) as values
    from tour.tag left join tour.tag as line on line.uid = tag.line
    where tag.site = ${site} and tag.type = 'TAG' and tag.location = any(${[...locations]}::text[])`,
  check: checkTags,
  selectRowsToRecheck: (context) => sql`
    select id from (${context.rows(tags.sheet)}) as row
    where key in (select key from (${context.corrected(lines.sheet)}) as corrected_line)
    union all
    ${selectRowsWithSimilarNumbers(context, tags.sheet)}`,
};

/** Records the views that are deleted with tags. */
export const recordViewsOfRemovedTags = (
  { recordedTransaction: { lockAndRecord } }: ApplyContext<TourTables>,
  { removed }: EntityRows,
): Promise<void> => lockAndRecord('tag_view', 'tag', removed);

/** Writes tags after their lines. At the end of the change, the views of its tags are computed again. */
export async function writeTags(context: ApplyContext<TourTables>, rows: EntityRows): Promise<void> {
  const {
    scope,
    recordedTransaction: { tables },
  } = context;
  await registerCodes(context, tags, rows);
  const selectTagRows = (chunk: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    with line as materialized (
      select uid, lower(code) as key from tour.tag where site = ${scope.site} and type = 'LINE'
    )
    select row.uid, row.state, values ->> 'number' as code, values ->> 'kind' as kind,
      values ->> 'description' as description, (values ->> 'x')::float8 as x, (values ->> 'y')::float8 as y,
      (values ->> 'z')::float8 as z, ${findLocation(scope, sql`values ->> 'location'`)} as location, line.uid as line,
      ${searchKeyExpression} as search_key
    from (${chunk}) as row left join line on line.key = lower(values ->> 'line')`;
  for (const chunk of rows.toWriteInChunks) {
    await sql`
      insert into tour.tag (uid, site, code, type, kind, description, x, y, z, location, line, search_key)
      select uid, ${scope.site}, code, 'TAG', kind, description, x, y, z, location, line, search_key
      from (${selectTagRows(chunk)}) as row where state = 'ADDED'`.execute(tables);
    await sql`
      update tour.tag as target set code = row.code, kind = row.kind, description = row.description, x = row.x,
        y = row.y, z = row.z, location = row.location, line = row.line, search_key = row.search_key
      from (${selectTagRows(chunk)}) as row where target.uid = row.uid and state = 'CHANGED'`.execute(tables);
  }
}
