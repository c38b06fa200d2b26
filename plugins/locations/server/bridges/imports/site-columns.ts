import { maxEpsgCode, minEpsgCode, siteUnits, timeZoneName, type SiteRecord } from '#core';
import type { ImportColumn, LocalizedText } from '#plugins/imports';

const unitLabels = {
  m: { en: 'Metre', fr: 'Mètre' },
  ft: { en: 'International foot', fr: 'Pied international' },
  ftUS: { en: 'US survey foot', fr: 'Pied topographique US' },
} as const;

const sitesOnlyNote = { en: 'For sites only. Empty: 0.', fr: 'Pour les sites seulement. Vide : 0.' };

const createCoordinateColumn = (
  id: string,
  header: LocalizedText,
  synonymHeaders: readonly string[],
): ImportColumn => ({
  id,
  header,
  synonymHeaders,
  type: 'NUMBER',
  min: -1e8,
  max: 1e8,
  note: sitesOnlyNote,
});

/** The record of a site: time zone, frame and vertical datum. */
export const siteColumns: readonly ImportColumn[] = [
  {
    id: 'timeZone',
    header: { en: 'Time Zone', fr: 'Fuseau horaire' },
    synonymHeaders: ['TZ', 'Fuseau'],
    type: 'TEXT',
    maxLength: 64,
    rules: [timeZoneName],
    note: {
      en: 'IANA name, such as Europe/Oslo. Every site has one, other locations have none.',
      fr: 'Nom IANA, comme Europe/Oslo. Chaque site en a un, et rien d’autre.',
    },
  },
  {
    id: 'crs',
    header: { en: 'EPSG Code', fr: 'Code EPSG' },
    synonymHeaders: [
      'EPSG',
      'SRID',
      'Coordinate System',
      'Coordinate Reference System',
      'Système de coordonnées',
      'SCR',
    ],
    type: 'INTEGER',
    min: minEpsgCode,
    max: maxEpsgCode,
    note: { en: 'For sites only. Empty: a local grid.', fr: 'Pour les sites seulement. Vide : repère local.' },
  },
  createCoordinateColumn('originEast', { en: 'Origin East', fr: 'Origine est' }, [
    'Origin Easting',
    'Easting',
    'Origin X',
    'Origine X',
  ]),
  createCoordinateColumn('originNorth', { en: 'Origin North', fr: 'Origine nord' }, [
    'Origin Northing',
    'Northing',
    'Origin Y',
    'Origine Y',
  ]),
  createCoordinateColumn('originUp', { en: 'Origin Height', fr: 'Altitude de l’origine' }, [
    'Origin Elevation',
    'Elevation',
    'Origin Z',
    'Origine Z',
  ]),
  {
    id: 'rotation',
    header: { en: 'Rotation (°)', fr: 'Rotation (°)' },
    synonymHeaders: [
      'Rotation (deg)',
      'Rotation (degrees)',
      'Rotation (degrés)',
      'True North',
      'True North (deg)',
      'Nord vrai',
      'Nord géographique',
    ],
    type: 'NUMBER',
    min: -179.999_999,
    max: 180,
    note: {
      en: 'Clockwise from true north to the north of the site. For sites only. Empty: 0.',
      fr: 'Dans le sens horaire du nord vrai au nord du site. Pour les sites seulement. Vide : 0.',
    },
  },
  {
    id: 'unit',
    header: { en: 'Unit', fr: 'Unité' },
    type: 'ENUM',
    values: siteUnits.map((value) => ({
      value,
      label: unitLabels[value],
      ...(value === 'ftUS' && { words: ['Pied d’arpentage américain', 'Pied géodésique américain'] }),
    })),
    note: { en: 'For sites only. Empty: metre.', fr: 'Pour les sites seulement. Vide : mètre.' },
  },
  {
    id: 'verticalDatum',
    header: { en: 'Vertical Datum', fr: 'Système d’altitude' },
    synonymHeaders: ['Datum', 'Height Datum', 'Height System', 'Référence altimétrique'],
    type: 'TEXT',
    maxLength: 80,
    note: { en: 'As you name it. For sites only.', fr: 'Comme vous le nommez. Pour les sites seulement.' },
  },
];

/** The values of `siteColumns` in a row. */
export interface SiteValues {
  readonly timeZone: string | null;
  readonly crs: number | null;
  readonly originEast: number | null;
  readonly originNorth: number | null;
  readonly originUp: number | null;
  readonly rotation: number | null;
  readonly unit: SiteRecord['frame']['unit'] | null;
  readonly verticalDatum: string | null;
}

/** Converts the values of a row to a site record. Null if the row has none, which keeps the current record. */
export function toSiteRecord(values: Partial<SiteValues>): SiteRecord | null {
  const { timeZone } = values;
  if (timeZone === undefined || timeZone === null) return null;
  return {
    timeZone,
    frame: {
      crs: values.crs ?? 'local',
      origin: { east: values.originEast ?? 0, north: values.originNorth ?? 0, up: values.originUp ?? 0 },
      rotation: values.rotation ?? 0,
      unit: values.unit ?? 'm',
    },
    verticalDatum: values.verticalDatum ?? null,
  };
}
