import { sql, type RawBuilder } from 'kysely';
import { allowedParentTypes } from '#core';
import type { LocationWriter } from '#core/server';
import { importedRows, type CheckContext } from '#plugins/imports';

export const locationsSheetId = 'locations';

/**
 * Selects all locations after the import: `code` and `parent` in lower case, `type`, and the `uid` of existing
 * locations. Includes locations to be removed, because they stay if a row names them as its parent.
 */
export const selectLocationsAfterImport = (context: CheckContext): RawBuilder<unknown> => sql`
  select key as code, lower(values ->> 'parent') as parent, values ->> 'locationType' as type, before ->> 'code' as uid
  from (${importedRows(context, locationsSheetId)}) as row
  union all
  select lower(uid), lower(parent), location_type, uid from core.location
  where lower(uid) not in (select key from (${importedRows(context, locationsSheetId)}) as row)`;

/** Selects the pairs of a location type and an allowed type of its parent: `child, parent`. */
export const selectAllowedTypePairs = (): RawBuilder<unknown> => {
  const pairs = Object.entries(allowedParentTypes).flatMap(([child, parents]) =>
    parents.map((parent) => ({ child, parent })),
  );
  return sql`
    select * from unnest(${pairs.map(({ child }) => child)}::text[], ${pairs.map(({ parent }) => parent)}::text[])
      as pair (child, parent)`;
};

/**
 * Selects the ids of rows that a replacing import should remove but keeps, because the location or one below it has
 * contents, or because a row of the files is below it.
 */
export const selectKeptRows = (
  context: CheckContext,
  locationWriter: Pick<LocationWriter, 'selectLocationsWithContents'>,
): RawBuilder<unknown> => sql`
  select id from (
    with recursive kept as (
      select lower(location) as code from (${locationWriter.selectLocationsWithContents()}) as used
      union
      select lower(values ->> 'parent') from (${importedRows(context, locationsSheetId)}) as row
      union
      select lower(location.parent) from kept join core.location on lower(location.uid) = kept.code
      where location.parent is not null
    )
    select row.id from (${context.rows(locationsSheetId)}) as row join kept on kept.code = row.key
    where row.state = 'REMOVED'
  ) as found`;
