import { sql, type RawBuilder } from 'kysely';
import {
  finding,
  importedRows,
  unionAll,
  type ApplyContext,
  type CheckContext,
  type ImportSheet,
} from '#plugins/imports';
import { maxCoursePoints } from '../../../contract/values/content-values.ts';
import type { TourTables } from '../../tables.ts';
import { selectPointsAfterImport, selectCurrentPoints } from './course-points.ts';
import { findFarPositions } from './far-positions.ts';
import { hasLineData } from './lines-sheet.ts';
import { selectAllRowsIf, coordinateColumns, hasCorrections, createOrdinalColumn } from './sheet-parts.ts';
import { coursesSheetId as sheetId, createLineReference, lines } from './tag-rows.ts';

/** Selects the lower-case numbers of lines that have line data after the import. Only these can have a course. */
const selectLinesWithData = (context: CheckContext): RawBuilder<unknown> => sql`
  select key from (${importedRows(context, lines.sheet)}) as row where ${hasLineData}
  union all
  select lower(code) from tour.pipe join tour.tag on tag.uid = pipe.line
  where site = ${context.scope.site} and lower(code) not in (
    select key from (${importedRows(context, lines.sheet)}) as row)`;

const checkCourses: ImportSheet['check'] = (context) => sql`
  ${findFarPositions(context, sheetId)}
  union all
  select * from (
    with course_point as materialized (
      select *, count(*) over course as count, max(point) over course as last,
        lag(array[x, y, z]) over (partition by line order by point) = array[x, y, z] as stays
      from (${selectPointsAfterImport(context)}) as point_after window course as (partition by line)
    )
    ${unionAll(
      sql`select ${finding('point', 'tour.refused.coursePoints')} from course_point
        where id is not null and (count <> last or count < 2)`,
      sql`select ${finding('x', 'tour.refused.pointTwice')} from course_point where id is not null and stays`,
      sql`select ${finding('line', 'tour.refused.courseWithoutSize')} from course_point
        where id is not null and line not in (${selectLinesWithData(context)})`,
    )}
  ) as found`;

/** The courses of lines, with one row for each point. */
export const coursesSheet: ImportSheet = {
  id: sheetId,
  name: 'Line Courses',
  journalTable: 'pipe',
  required: false,
  removable: true,
  columns: [
    createLineReference(true),
    createOrdinalColumn('point', 'Point', 'Point', maxCoursePoints, {
      en: 'Points of the centre line in order: 1, 2, 3 and so on.',
      fr: 'Points de l’axe dans l’ordre : 1, 2, 3, etc.',
    }),
    ...coordinateColumns.map((column) => ({ ...column, required: true })),
  ],
  current: (scope) => sql`
    select jsonb_build_object('line', code, 'point', point, 'x', x, 'y', y, 'z', z) as values
    from (${selectCurrentPoints({ scope })}) as current_point where location = any(${[...scope.locations]}::text[])`,
  check: checkCourses,
  selectRowsToRecheck: (context) =>
    selectAllRowsIf(
      context,
      sheetId,
      hasCorrections(context, sheetId, ['line', 'point', 'x', 'y', 'z']),
      hasCorrections(context, lines.sheet, ['number', 'service', 'nps', 'dn', 'outsideDiameter', 'from', 'to']),
    ),
};

/** Selects the lower-case numbers of the lines whose courses change. */
const selectChangedLines = ({ rows }: CheckContext): RawBuilder<unknown> => sql`
  select lower((coalesce(before, '{}') || coalesce(values, '{}')) ->> 'line') from (${rows(sheetId)}) as row
  where state in ('ADDED', 'CHANGED', 'REMOVED')`;

/** Records the lines whose courses change. `recordLines` records the rows of the sheet of lines. */
export async function recordCourses(context: ApplyContext<TourTables>): Promise<void> {
  const {
    scope: { site },
    recordedTransaction: { tables, lockAndRecord },
  } = context;
  const { rows } = await sql<{ uid: string }>`
    select uid from tour.tag
    where site = ${site} and type = 'LINE' and lower(code) in (${selectChangedLines(context)})`.execute(tables);
  await lockAndRecord(
    'pipe',
    'line',
    rows.map(({ uid }) => uid),
  );
}

/** Writes courses after the lines. The courses of removed lines are deleted with them. */
export async function writeCourses(context: ApplyContext<TourTables>): Promise<void> {
  const { site } = context.scope;
  await sql`
    with course as materialized (
      select line, jsonb_agg(jsonb_build_array(x, y, z) order by point) as points
      from (${selectPointsAfterImport(context)}) as point_after group by line
    )
    update tour.pipe set points = coalesce(course.points, '[]')
    from tour.tag left join course on course.line = lower(tag.code)
    where tag.uid = pipe.line and tag.site = ${site} and lower(tag.code) in (${selectChangedLines(context)})`.execute(
    context.recordedTransaction.tables,
  );
}
