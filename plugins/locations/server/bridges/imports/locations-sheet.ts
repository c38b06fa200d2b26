import { sql } from 'kysely';
import { locationLimits, locationTypes, type LocationType } from '#core';
import type { LocationWriter } from '#core/server';
import type { ApplyContext, ImportColumn, ImportSheet } from '#plugins/imports';
import { checkLocations } from './check-locations.ts';
import type { ImportedTables } from './imported-tables.ts';
import { pictureColumns } from './picture-columns.ts';
import { siteColumns, toSiteRecord, type SiteValues } from './site-columns.ts';
import { selectKeptRows, locationsSheetId } from './tree-after-import.ts';

const typeLabels = {
  PRIMARY_LOCATION: { en: 'Site', fr: 'Site' },
  PLATFORM_UNIT: { en: 'Unit', fr: 'Unité' },
  LOC_LEVEL: { en: 'Level', fr: 'Niveau' },
  LOC_GROUP: { en: 'Group', fr: 'Groupe' },
} as const;

const columns: readonly ImportColumn[] = [
  {
    id: 'code',
    header: { en: 'Code', fr: 'Code' },
    synonymHeaders: ['Location', 'Location Code', 'Location ID', 'Emplacement', 'Code d’emplacement', 'Repère'],
    type: 'CODE',
    required: true,
    key: true,
    maxLength: locationLimits.uid,
    note: {
      en: 'Unique codes are required, ignoring case. A code never changes.',
      fr: 'Les codes doivent être uniques, sans tenir compte de la casse. Un code ne change jamais.',
    },
  },
  {
    id: 'name',
    header: { en: 'Name', fr: 'Nom' },
    synonymHeaders: ['Location Name', 'Designation', 'Title', 'Intitulé'],
    type: 'TEXT',
    required: true,
    maxLength: locationLimits.name,
  },
  {
    id: 'label',
    header: { en: 'Label', fr: 'Libellé' },
    type: 'TEXT',
    maxLength: locationLimits.label,
    default: '',
    note: { en: 'A second line, such as an elevation.', fr: 'Une seconde ligne, comme une altitude.' },
  },
  {
    id: 'locationType',
    header: { en: 'Location Type', fr: 'Type d’emplacement' },
    synonymHeaders: ['Type', 'Level Type', 'Niveau'],
    type: 'ENUM',
    required: true,
    values: locationTypes.map((value) => ({ value, label: typeLabels[value] })),
    note: {
      en: 'Units are below sites or groups, levels below units or groups, groups below anything.',
      fr: 'Les unités sont sous un site ou un groupe, les niveaux sous une unité ou un groupe, les groupes partout.',
    },
  },
  {
    id: 'parent',
    header: { en: 'Parent Code', fr: 'Code du parent' },
    synonymHeaders: ['Parent Location', 'Parent ID', 'Emplacement parent', 'Belongs To'],
    type: 'REFERENCE',
    dependsOn: ['locationType'],
    maxLength: locationLimits.uid,
    reference: {
      entity: { en: 'locations', fr: 'emplacements' },
      find: ({ locations }) => sql`
        select uid as code, true as active from core.location where uid = any(${[...locations]}::text[])
        union select parent, true from core.location
        where uid = any(${[...locations]}::text[]) and parent is not null`,
      within: { sheet: locationsSheetId, column: 'code' },
    },
    note: {
      en: 'Empty for sites only. It may be a row of the same workbook, in any order.',
      fr: 'Vide pour les sites seulement. Il peut s’agir d’une ligne du même classeur, dans tout ordre.',
    },
  },
  {
    id: 'sequence',
    header: { en: 'Sequence', fr: 'Ordre' },
    synonymHeaders: ['Order', 'Position', 'Rang'],
    type: 'NUMBER',
    min: -1e9,
    max: 1e9,
    note: {
      en: 'Orders the locations below the same parent; 2.5 is between 2 and 3. Empty: after the others.',
      fr: 'Ordonne les emplacements d’un même parent ; 2.5 se place entre 2 et 3. Vide : après les autres.',
    },
  },
  ...siteColumns.map((column) => ({ ...column, dependsOn: ['locationType'] })),
  ...pictureColumns,
];

/** SQL of a file name with single spaces, because cells are read with single spaces. */
const normalizedFileName = (table: 'icon' | 'image') => sql`
  regexp_replace(${sql.id(table, 'name')}, '[\\s\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000]+', ' ', 'g')`;

/** Creates the sheet with the sites, units, levels and groups that a person can access. */
export const createLocationsSheet = (
  locationWriter: Pick<LocationWriter, 'selectLocationsWithContents'>,
): ImportSheet => ({
  id: locationsSheetId,
  name: 'Locations',
  journalTable: 'location',
  required: false,
  removable: true,
  columns,
  current: ({ locations }) => sql`
    select jsonb_build_object(
      'code', uid, 'name', location.name, 'label', label, 'locationType', location_type, 'parent', parent,
      'sequence', position, 'timeZone', time_zone, 'crs', crs, 'originEast', origin_east, 'originNorth', origin_north,
      'originUp', origin_up, 'rotation', rotation, 'unit', unit, 'verticalDatum', vertical_datum,
      'icon', ${normalizedFileName('icon')}, 'navigationImage', ${normalizedFileName('image')}) as values
    from core.location left join core.site on site.location = uid
    left join locations.location_picture as picture on picture.location = uid
    left join core.file as icon on icon.id = picture.icon
    left join core.file as image on image.id = picture.navigation_image
    where uid = any(${[...locations]}::text[])`,
  check: (context) => checkLocations(context, locationWriter),
});

interface StagedLocation {
  readonly state: 'ADDED' | 'CHANGED' | 'REMOVED';
  readonly values: Partial<SiteValues> & {
    readonly code: string;
    readonly name: string;
    readonly label: string;
    readonly locationType: LocationType;
    readonly parent: string | null;
    readonly sequence: number | null;
  };
}

export async function writeLocations(
  context: ApplyContext<ImportedTables>,
  locationWriter: LocationWriter,
): Promise<void> {
  const { rows, recordedTransaction } = context;
  const { rows: stagedLocations } = await sql<StagedLocation>`
    select state, coalesce(before, '{}') || coalesce(values, '{}') as values
    from (${rows(locationsSheetId)}) as row
    where state in ('ADDED', 'CHANGED') or state = 'REMOVED' and id not in (${selectKeptRows(context, locationWriter)})
    order by number`.execute(recordedTransaction.tables);
  const codesToRemove = stagedLocations.filter(({ state }) => state === 'REMOVED').map(({ values }) => values.code);
  const locationsToSave = stagedLocations
    .filter(({ state }) => state !== 'REMOVED')
    .map(({ values }) => ({
      uid: values.code,
      name: values.name,
      label: values.label,
      locationType: values.locationType,
      parent: values.parent ?? null,
      position: values.sequence ?? null,
      site: values.locationType === 'PRIMARY_LOCATION' ? toSiteRecord(values) : null,
    }));
  await locationWriter.save(recordedTransaction, { saved: locationsToSave, removed: codesToRemove });
}
