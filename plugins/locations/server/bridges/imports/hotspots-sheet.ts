import { sql, type RawBuilder } from 'kysely';
import { locationLimits } from '#core';
import {
  finding,
  importedRows,
  createOutlineRule,
  parseOutline,
  type ApplyContext,
  type CheckContext,
  type ImportColumn,
  type ImportSheet,
} from '#plugins/imports';
import { maxAreas, maxCorners } from '../../../contract/picture-kinds.ts';
import type { NavigationArea } from '../../../contract/index.ts';
import type { ImportedTables } from './imported-tables.ts';
import { selectLocationsAfterImport, locationsSheetId } from './tree-after-import.ts';

const sheetId = 'hotspots';
/** Maximum number of levels between a target and the location of the image. */
const maxLevels = 100;

const createLocationColumn = ({ id, header, note }: Pick<ImportColumn, 'id' | 'header' | 'note'>): ImportColumn => ({
  id,
  header,
  type: 'REFERENCE',
  required: true,
  key: true,
  maxLength: locationLimits.uid,
  reference: {
    entity: { en: 'locations', fr: 'emplacements' },
    find: ({ locations }) => sql`select code, true as active from unnest(${[...locations]}::text[]) as code`,
    within: { sheet: locationsSheetId, column: 'code' },
  },
  ...(note ? { note } : {}),
});

/** Finds targets that are neither the location of the image nor below it, and images with too many hotspots. */
const checkHotspots = (context: CheckContext): RawBuilder<unknown> => sql`
  select * from (
    with recursive location as materialized (${selectLocationsAfterImport(context)}),
    row as materialized (${importedRows(context, sheetId)}),
    above as (
      select distinct lower(values ->> 'target') as target, lower(values ->> 'target') as code, 0 as level from row
      union all
      select above.target, location.parent, level + 1 from above join location on location.code = above.code
      where location.parent is not null and level < ${maxLevels}::integer
    ),
    below_site as materialized (
      select distinct target from above join location on location.code = above.code where location.type = 'PRIMARY_LOCATION'
    )
    select ${finding('target', 'locations.refused.targetElsewhere', { code: sql`values ->> 'target'` })} from row
    where state in ('ADDED', 'CHANGED') and lower(values ->> 'map') in (select code from location)
      and lower(values ->> 'target') in (select target from below_site)
      and not exists (
        select from above where target = lower(values ->> 'target') and code = lower(values ->> 'map'))
    union all
    select ${finding('map', 'locations.refused.tooManyHotspots', { max: sql`${maxAreas}::integer` })}
    from (select *, row_number() over (partition by lower(values ->> 'map') order by number) as rank from row) as row
    where rank > ${maxAreas}::integer and state = 'ADDED'
  ) as found`;

/** The map hotspots of locations' images. */
export const hotspotsSheet: ImportSheet = {
  id: sheetId,
  name: 'Hotspots',
  required: false,
  removable: true,
  columns: [
    createLocationColumn({
      id: 'map',
      header: { en: 'Map Code', fr: 'Code du plan' },
      note: {
        en: 'The location whose navigation image has the hotspot.',
        fr: 'L’emplacement dont l’image de navigation porte la zone cliquable.',
      },
    }),
    createLocationColumn({
      id: 'target',
      header: { en: 'Target Location Code', fr: 'Code de l’emplacement cible' },
      note: {
        en: 'The location that the hotspot opens: that of the image or one below it.',
        fr: 'L’emplacement qu’ouvre la zone : celui de l’image ou un emplacement au-dessous.',
      },
    }),
    {
      id: 'points',
      header: { en: 'Points (%)', fr: 'Points (%)' },
      type: 'TEXT',
      required: true,
      maxLength: 2000,
      rules: [createOutlineRule(maxCorners)],
      note: {
        en: 'Corners in percent of the image from its top left: x,y; x,y; x,y. At least 3, at most 64.',
        fr: 'Coins en pourcentage de l’image depuis le haut à gauche : x,y; x,y; x,y. De 3 à 64.',
      },
    },
  ],
  current: ({ locations }) => sql`
    select jsonb_build_object('map', location, 'target', area ->> 'location', 'points', points) as values
    from locations.location_picture
    cross join lateral jsonb_array_elements(areas) as area
    cross join lateral (
      select string_agg(${percent(0)} || ',' || ${percent(1)}, '; ' order by ordinal) as points
      from jsonb_array_elements(area -> 'polygon') with ordinality as corner (point, ordinal)
    ) as outline
    where location = any(${[...locations]}::text[]) and area ->> 'location' = any(${[...locations]}::text[])`,
  check: checkHotspots,
};

function percent(axis: 0 | 1): RawBuilder<unknown> {
  return sql`trim_scale(round((point ->> ${sql.lit(axis)})::numeric * 100, 4))::text`;
}

/** Converts percent to a fraction, without the rounding error of the division. */
const toFraction = (value: number): number => Number((value / 100).toFixed(8));

interface StagedHotspot {
  readonly map: string;
  readonly target: string;
  readonly points: string;
  readonly state: 'ADDED' | 'CHANGED' | 'REMOVED';
}

/** Writes the areas of images after the locations. Keeps areas whose targets the person cannot access. */
export async function writeHotspots({ rows, recordedTransaction }: ApplyContext<ImportedTables>): Promise<void> {
  const { tables, lockAndRecord } = recordedTransaction;
  const { rows: stagedHotspots } = await sql<StagedHotspot>`
    select map.uid as map, coalesce(target.uid, values ->> 'target') as target, values ->> 'points' as points, state
    from (select state, number, coalesce(before, '{}') || coalesce(values, '{}') as values
      from (${rows(sheetId)}) as staged where state in ('ADDED', 'CHANGED', 'REMOVED')) as row
    join core.location as map on lower(map.uid) = lower(values ->> 'map')
    left join core.location as target on lower(target.uid) = lower(values ->> 'target')
    order by number`.execute(tables);
  const maps = [...new Set(stagedHotspots.map(({ map }) => map))];
  if (maps.length === 0) return;
  // Insert missing rows first: an undo then resets them instead of deleting them, so their versions keep increasing.
  await sql`
    insert into locations.location_picture (location, version)
    select location, 0 from unnest(${maps}::text[]) as location on conflict (location) do nothing`.execute(tables);
  await lockAndRecord('location_picture', 'location', maps);
  const { rows: pictures } = await sql<{ location: string; areas: readonly NavigationArea[] }>`
    select location, areas from locations.location_picture where location = any(${maps}::text[])`.execute(tables);
  const areasByMap = new Map(
    pictures.map((picture) => [picture.location, new Map(picture.areas.map((area) => [area.location, area]))]),
  );
  for (const { map, target, points, state } of stagedHotspots) {
    if (state === 'REMOVED') areasByMap.get(map)?.delete(target);
    else
      areasByMap.get(map)?.set(target, {
        location: target,
        polygon: (parseOutline(points) ?? []).map(([x, y]) => [toFraction(x), toFraction(y)]),
      });
  }
  const changedAreas = [...areasByMap].map(([location, byTarget]) => ({ location, areas: [...byTarget.values()] }));
  await sql`
    update locations.location_picture as picture set areas = changed.areas
    from jsonb_to_recordset(${JSON.stringify(changedAreas)}::jsonb) as changed (location text, areas jsonb)
    where picture.location = changed.location`.execute(tables);
}
