import { sql, type RawBuilder } from 'kysely';
import type { ImportSheet } from '#plugins/imports';
import { selectFinding } from './finding-sql.ts';
import { stagedRows, type StagedImport } from './sheet-rows.ts';

/** The name of a picture without its type. */
export const toPictureStem = (name: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`lower(regexp_replace(${name}, '\\.[^.]*$', ''))`;

/**
 * The pictures that rows of a sheet name: `id, column_id, name, changed` (from today's), `file` (null if it is not in
 * the upload), `width, height` (null if it is damaged), and the size that the column asks for as `wide, high`. An
 * unchanged one is also in the upload if a file differs in its type alone.
 */
export const namedPictures = (stagedImport: StagedImport, sheet: ImportSheet): RawBuilder<unknown> => {
  const columns = sheet.columns.flatMap(({ id, picture }) => (picture ? [{ id, ...picture }] : []));
  return sql`
    select row.id, row.values, row.before, asked.column_id, row.values ->> asked.column_id as name,
      row.values ->> asked.column_id is distinct from row.before ->> asked.column_id as changed,
      case when upload.file is null and row.values ->> asked.column_id = row.before ->> asked.column_id
        then similar_upload.file else upload.file end as file,
      upload.width, upload.height, asked.wide, asked.high
    from (${stagedRows(stagedImport, sheet.id)}) as row
    cross join unnest(
      ${columns.map(({ id }) => id)}::text[], ${columns.map(({ width }) => width)}::int[],
      ${columns.map(({ height }) => height)}::int[]
    ) as asked (column_id, wide, high)
    left join (
      select distinct on (lower(name)) lower(name) as name, file, width, height from imports.file
      where batch = ${stagedImport.batch} and picture order by lower(name), position desc
    ) as upload on upload.name = lower(row.values ->> asked.column_id)
    left join (
      select distinct on (stem) stem, file
      from (select ${toPictureStem(sql`name`)} as stem, file, position from imports.file
        where batch = ${stagedImport.batch} and picture) as named
      order by stem, position desc
    ) as similar_upload on similar_upload.stem = ${toPictureStem(sql`row.values ->> asked.column_id`)}
    where row.number is not null and row.values ->> asked.column_id is not null`;
};

/** Pictures that are not in the upload, damaged or of another size, and a warning at those that would not replace any. */
export const findPictureProblems = (stagedImport: StagedImport, sheet: ImportSheet): readonly RawBuilder<unknown>[] => {
  const pictureRows = sql`(${namedPictures(stagedImport, sheet)}) as named`;
  const error = sql`id, column_id, 'ERROR'::text as severity`;
  const name = sql`name`;
  return [
    sql`
      select ${error}, ${selectFinding('imports.refused.fileMissing', { file: name })}
      from ${pictureRows} where changed and file is null`,
    sql`
      select ${error}, ${selectFinding('imports.refused.imageUnreadable', { file: name })}
      from ${pictureRows} where changed and file is not null and width is null`,
    sql`
      select ${error}, ${selectFinding('imports.refused.imageSize', {
        width: sql`wide`,
        height: sql`high`,
        foundWidth: sql`width`,
        foundHeight: sql`height`,
      })}
      from ${pictureRows} where changed and (width <> wide or height <> high)`,
    sql`
      select id, column_id, 'WARNING'::text as severity, ${selectFinding('imports.refused.imageKept', { file: name })}
      from ${pictureRows} where not changed and file is not null`,
  ];
};
