import { sql, type RawBuilder } from 'kysely';
import { importedRows, type CheckContext } from '#plugins/imports';
import { coursesSheetId as sheetId } from './tag-rows.ts';

/** Selects the points of the current courses: `code` of the line, `point`, `x`, `y`, `z`, `location`. */
export const selectCurrentPoints = ({ scope: { site } }: Pick<CheckContext, 'scope'>): RawBuilder<unknown> => sql`
  select tag.code, tag.location, ordinal::float8 as point, (point ->> 0)::float8 as x, (point ->> 1)::float8 as y,
    (point ->> 2)::float8 as z
  from tour.pipe join tour.tag on tag.uid = pipe.line
    cross join jsonb_array_elements(pipe.points) with ordinality as points (point, ordinal)
  where tag.site = ${site} and tag.type = 'LINE'`;

/** Selects points of the files whose coordinates are numbers: `id`, `line` in lower case, `point`, `x`, `y`, `z`. */
const selectImportedPoints = (context: CheckContext): RawBuilder<unknown> => sql`
  select id, lower(values ->> 'line') as line, (values ->> 'point')::float8 as point,
    (values ->> 'x')::float8 as x, (values ->> 'y')::float8 as y, (values ->> 'z')::float8 as z
  from (${importedRows(context, sheetId)}) as row
  where 'number' = all (array(select jsonb_typeof(values -> name) from unnest(array['point', 'x', 'y', 'z']) as name))`;

/** Selects all points after the import. Points that are not in the files have no `id`. */
export const selectPointsAfterImport = (context: CheckContext): RawBuilder<unknown> => sql`
  select id, line, point, x, y, z from (${selectImportedPoints(context)}) as imported
  union all
  select null, lower(code), point, x, y, z from (${selectCurrentPoints(context)}) as current_point
  where not exists (
    select from (${context.rows(sheetId)}) as row
    where key = lower(code) || chr(31) || point and (state = 'REMOVED' or number is not null))`;
