import { sql } from 'kysely';
import { validationMessages } from '#core';
import {
  finding,
  importedRows,
  unionAll,
  type ApplyContext,
  type ImportColumn,
  type ImportSheet,
  type LocalizedText,
} from '#plugins/imports';
import { lineKind, maxDn, maxNumberLength, npsPattern } from '../../../contract/values/tag-values.ts';
import type { TourTables } from '../../tables.ts';
import { selectPointsAfterImport } from './course-points.ts';
import { registerCodes, type EntityRows } from './entity-rows.ts';
import {
  findControlCharacters,
  findRowsInUse,
  findLocation,
  findTakenCodes,
  hasCorrections,
  createLocationColumn,
} from './sheet-parts.ts';
import {
  searchKeyExpression,
  coursesSheetId,
  descriptionColumn,
  findSimilarNumbers,
  findNumbersWithoutLetters,
  selectRowsWithSimilarNumbers,
  lines,
  lineViewsSheetId,
  createNumberColumn,
  tags,
} from './tag-rows.ts';

/** Columns of which all or none must be filled in. */
const dataColumns = ['service', 'nps', 'dn', 'outsideDiameter'] as const;
const endColumns = ['from', 'to'] as const;
const hasSize = sql`coalesce(
  values ->> 'service', values ->> 'nps', values ->> 'dn', values ->> 'outsideDiameter') is not null`;
const hasEnds = sql`coalesce(nullif(values ->> 'from', ''), nullif(values ->> 'to', '')) is not null`;
export const hasLineData = sql`(${hasSize} or ${hasEnds})`;

const checkLines: ImportSheet['check'] = (context) =>
  unionAll(
    findTakenCodes(context, lines.sheet, lines),
    findNumbersWithoutLetters(context, lines.sheet),
    findSimilarNumbers(context, lines.sheet),
    sql`
      select ${finding(sql`column_id`, validationMessages.mandatoryField)}
      from (${importedRows(context, lines.sheet)}) as row cross join unnest(${[...dataColumns]}::text[]) as column_id
      where values ->> column_id is null and ${hasSize}`,
    sql`
      select ${finding('service', 'tour.refused.endsNeedSize')}
      from (${importedRows(context, lines.sheet)}) as row where ${hasEnds} and not (${hasSize})`,
    sql`
      select ${finding('service', 'tour.refused.courseNeedsSize')}
      from (${importedRows(context, lines.sheet)}) as row
      where state = 'CHANGED' and not (${hasLineData}) and key in (
        select line from (${selectPointsAfterImport(context)}) as point)`,
    sql`
      select ${finding('nps', 'tour.refused.nps')} from (${context.rows(lines.sheet)}) as row
      where number is not null and values ->> 'nps' !~ ${npsPattern}`,
    findControlCharacters(context, lines.sheet, ['description', 'service', ...endColumns]),
    findRowsInUse(
      context,
      lines.sheet,
      lines.selectRowsInUse(context),
      finding('number', 'tour.refused.lineInUse', { name: sql`before ->> 'number'` }, 'WARNING'),
    ),
  );

const createEndColumn = (id: (typeof endColumns)[number], header: LocalizedText): ImportColumn => ({
  id,
  header,
  type: 'TEXT',
  maxLength: maxNumberLength,
  default: '',
  note: {
    en: 'As in the line list. It need not be a tag of the site.',
    fr: 'Comme dans la liste des lignes. Il n’est pas forcément un repère du site.',
  },
});

/** The lines of a site with their data. Courses and views have sheets of their own. */
export const linesSheet: ImportSheet = {
  id: lines.sheet,
  name: 'Lines',
  journalTable: 'tag',
  required: false,
  removable: true,
  columns: [
    createNumberColumn({ en: 'Line Number', fr: 'Numéro de ligne' }, [
      'Line',
      'Line No',
      'Line ID',
      'Ligne',
      'N° de ligne',
    ]),
    createLocationColumn(
      { en: 'Location Code', fr: 'Code d’emplacement' },
      { en: 'A location of the site.', fr: 'Un emplacement du site.' },
    ),
    descriptionColumn,
    {
      id: 'service',
      header: { en: 'Service', fr: 'Service' },
      type: 'TEXT',
      maxLength: maxNumberLength,
      note: {
        en: 'Service, NPS, DN and outside diameter are all given or all empty. From and To need them.',
        fr: 'Service, NPS, DN et diamètre extérieur sont tous donnés ou tous vides. De et À les demandent.',
      },
    },
    {
      id: 'nps',
      header: { en: 'NPS (in)', fr: 'NPS (po)' },
      type: 'TEXT',
      maxLength: 10,
      note: { en: 'Such as 6, 1/2 or 1 1/2.', fr: 'Comme 6, 1/2 ou 1 1/2.' },
    },
    { id: 'dn', header: { en: 'DN (mm)', fr: 'DN (mm)' }, type: 'INTEGER', min: 1, max: maxDn },
    {
      id: 'outsideDiameter',
      header: { en: 'Outside Diameter (mm)', fr: 'Diamètre extérieur (mm)' },
      type: 'NUMBER',
      min: 1,
      max: 10_000,
      decimals: 6,
    },
    createEndColumn('from', { en: 'From', fr: 'De' }),
    createEndColumn('to', { en: 'To', fr: 'À' }),
  ],
  // Diameters are stored in metres. They are rounded, because multiplying by 1000 is not exact.
  current: ({ site, locations }) => sql`
    select jsonb_build_object(
      'number', tag.code, 'location', tag.location, 'description', tag.description, 'service', pipe.service,
      'nps', pipe.nps, 'dn', pipe.dn, 'outsideDiameter', round((pipe.outside_diameter * 1000)::numeric, 6)::float8,
      'from', coalesce(pipe.from_tag, ''), 'to', coalesce(pipe.to_tag, '')) as values
    from tour.tag left join tour.pipe on pipe.line = tag.uid
    where tag.site = ${site} and tag.type = 'LINE' and tag.location = any(${[...locations]}::text[])`,
  check: checkLines,
  selectRowsToRecheck: (context) => sql`
    select id from (${context.rows(lines.sheet)}) as row
    where state in ('CHANGED', 'REMOVED') and (${sql.join(
      [tags.sheet, coursesSheetId, lineViewsSheetId].map((sheet) => hasCorrections(context, sheet, ['line'])),
      sql` or `,
    )})
    union all
    ${selectRowsWithSimilarNumbers(context, lines.sheet)}`,
};

/** Records the data of lines, and the views that are deleted with lines. */
export async function recordLines(
  { recordedTransaction: { lockAndRecord } }: ApplyContext<TourTables>,
  { uids, removed }: EntityRows,
): Promise<void> {
  await lockAndRecord('pipe', 'line', uids);
  await lockAndRecord('tag_view', 'tag', removed);
}

export async function writeLines(context: ApplyContext<TourTables>, rows: EntityRows): Promise<void> {
  const {
    scope,
    recordedTransaction: { tables },
  } = context;
  await registerCodes(context, lines, rows);
  const location = findLocation(scope, sql`values ->> 'location'`);
  await sql`
    insert into tour.tag (uid, site, code, type, kind, description, location, search_key)
    select uid, ${scope.site}, values ->> 'number', 'LINE', ${lineKind}, values ->> 'description', ${location},
      ${searchKeyExpression}
    from (${rows.toWrite}) as row where state = 'ADDED'`.execute(tables);
  await sql`
    update tour.tag as target set code = values ->> 'number', description = values ->> 'description',
      location = ${location}, search_key = ${searchKeyExpression}
    from (${rows.toWrite}) as row where target.uid = row.uid and state = 'CHANGED'`.execute(tables);
  await sql`
    delete from tour.pipe using (${rows.toWrite}) as row where line = row.uid and not (${hasLineData})`.execute(tables);
  await sql`
    insert into tour.pipe (line, service, nps, dn, outside_diameter, from_tag, to_tag, points)
    select uid, values ->> 'service', values ->> 'nps', (values ->> 'dn')::int,
      (values ->> 'outsideDiameter')::float8 / 1000, values ->> 'from', values ->> 'to', '[]'
    from (${rows.toWrite}) as row where ${hasLineData}
    on conflict (line) do update set service = excluded.service, nps = excluded.nps, dn = excluded.dn,
      outside_diameter = excluded.outside_diameter, from_tag = excluded.from_tag, to_tag = excluded.to_tag`.execute(
    tables,
  );
}
