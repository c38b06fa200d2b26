import { sql } from 'kysely';
import type { ContentChanges } from '#core/server';
import { createOutlineRule, type ImportColumn, type ImportKind, type ImportSheet } from '#plugins/imports';
import { maxZoneCorners } from '../../../common/permit-rules.ts';
import { zoneClassesOfKind, type ZoneKind } from '../../../contract/index.ts';
import english from '../../../contract/messages/en.json' with { type: 'json' };
import french from '../../../contract/messages/fr.json' with { type: 'json' };
import type { PermitsTables } from '../../tables.ts';
import { checkZones, zonesSheetId } from './check-zones.ts';
import { toChoices } from './labels.ts';
import { selectValuesOfCorrectedRows, locationReference, toInstantText } from './sheet-sql.ts';
import { writeZones } from './write-zones.ts';

const titles = {
  HAC: { en: 'HAC zones', fr: 'Zones ATEX' },
  H2S: { en: 'H2S zones', fr: 'Zones H2S' },
} as const;

const createZoneColumns = (kind: ZoneKind): readonly ImportColumn[] => [
  {
    id: 'code',
    header: { en: 'Zone Code', fr: 'Code de la zone' },
    type: 'CODE',
    required: true,
    key: true,
    note: {
      en: 'Unique among the zones of this kind at the site, ignoring case.',
      fr: 'Unique parmi les zones de ce type du site, sans tenir compte de la casse.',
    },
  },
  {
    id: 'zone',
    header: { en: 'Zone', fr: 'Zone' },
    type: 'ENUM',
    required: true,
    values: toChoices(zoneClassesOfKind[kind]),
  },
  { id: 'name', header: { en: 'Name', fr: 'Nom' }, type: 'NAME', maxLength: 100 },
  {
    ...locationReference,
    id: 'location',
    header: { en: 'Location Code', fr: 'Code d’emplacement' },
    required: true,
    note: {
      en: 'Code of the location that the zone belongs to.',
      fr: 'Code de l’emplacement auquel la zone appartient.',
    },
  },
  {
    id: 'map',
    header: { en: 'Map Code', fr: 'Code du plan' },
    type: 'CODE',
    required: true,
    note: {
      en: 'Code of the location on whose picture the zone is drawn.',
      fr: 'Code de l’emplacement sur l’image duquel la zone est tracée.',
    },
  },
  { id: 'level', header: { en: 'Level', fr: 'Niveau' }, type: 'CODE' },
  {
    id: 'points',
    header: { en: 'Points', fr: 'Points' },
    type: 'TEXT',
    dependsOn: ['map', 'level', 'elevationFrom', 'elevationTo', 'validFrom', 'validTo', 'active'],
    required: true,
    maxLength: 5000,
    rules: [createOutlineRule(maxZoneCorners)],
    note: {
      en: 'Corners in percent of the picture from its top left: x,y; x,y; x,y. At least 3. The outline is closed automatically.',
      fr: 'Coins en pourcentage de l’image depuis le haut à gauche : x,y; x,y; x,y. Au moins 3. Le contour se ferme de lui-même.',
    },
  },
  ...(
    [
      ['elevationFrom', 'Elevation From (m)', 'Altitude basse (m)'],
      ['elevationTo', 'Elevation To (m)', 'Altitude haute (m)'],
    ] as const
  ).map(([id, en, fr]): ImportColumn => ({
    id,
    header: { en, fr },
    type: 'NUMBER',
    min: -100_000,
    max: 100_000,
    decimals: 2,
  })),
  {
    id: 'validFrom',
    header: { en: 'Valid From', fr: 'Valide du' },
    type: 'DATETIME',
    periodEdge: 'START',
    note: { en: 'For temporary zones.', fr: 'Pour les zones temporaires.' },
  },
  { id: 'validTo', header: { en: 'Valid To', fr: 'Valide jusqu’au' }, type: 'DATETIME', periodEdge: 'END' },
  {
    id: 'sourceDocument',
    header: { en: 'Source Document', fr: 'Document source' },
    type: 'TEXT',
    maxLength: 200,
  },
  { id: 'revision', header: { en: 'Revision', fr: 'Révision' }, type: 'TEXT', maxLength: 60 },
  { id: 'active', header: { en: 'Active', fr: 'Active' }, type: 'BOOLEAN', default: true },
];

const createZonesSheet = (kind: ZoneKind): ImportSheet => ({
  id: zonesSheetId,
  name: 'Zones',
  journalTable: 'zone',
  removable: true,
  columns: createZoneColumns(kind),
  current: ({ site, locations }) => sql`
    select jsonb_build_object('code', code, 'zone', zone, 'name', name, 'location', location, 'map', map,
      'level', level, 'points', outline, 'elevationFrom', elevation_from, 'elevationTo', elevation_to,
      'validFrom', ${toInstantText(sql`valid_from`)}, 'validTo', ${toInstantText(sql`valid_to`)},
      'sourceDocument', source_document, 'revision', revision, 'active', active) as values
    from permits.zone
    cross join lateral (
      select string_agg((point ->> 0) || ',' || (point ->> 1), '; ' order by position) as outline
      from jsonb_array_elements(points) with ordinality as corner (point, position)
    ) as corners
    where site = ${site} and kind = ${kind} and location = any(${[...locations]}::text[])`,
  check: checkZones(kind),
  selectRowsToRecheck: (context) => sql`
    select id from (${context.rows(zonesSheetId)}) as row
    where lower(coalesce(before, '{}') || values ->> 'map') in (
      ${selectValuesOfCorrectedRows(context, zonesSheetId, 'map')})`,
});

/** Creates the import kind for a site's HAC or H2S zones. */
export const createZoneImportKind = (
  kind: ZoneKind,
  changes: ContentChanges<PermitsTables>,
): ImportKind<PermitsTables> => ({
  id: kind === 'HAC' ? 'permits.hac' : 'permits.h2s',
  title: titles[kind],
  order: kind === 'HAC' ? 61 : 62,
  access: 'permitAccess',
  scope: 'SITE',
  fileName: (code) => `${code}_${kind}_IMPORT_FILE.xlsx`,
  files: [{ title: { en: 'Workbook', fr: 'Classeur' }, kind: 'EXCEL', required: true }],
  sheets: [createZonesSheet(kind)],
  readme: [
    {
      en: 'Zones on the pictures of a site. A row with a known code changes that zone. Any other row adds a zone. Where zones overlap, the most severe one applies.',
      fr: 'Zones sur les images d’un site. Une ligne dont le code existe modifie cette zone, une autre l’ajoute. Là où des zones se chevauchent, la plus sévère s’applique.',
    },
  ],
  messages: { en: english, fr: french },
  changes,
  apply: (context) => writeZones(context, kind),
});
