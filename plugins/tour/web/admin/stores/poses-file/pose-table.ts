import { isLengthUnit, splitHeaderUnit, type SiteUnit } from '#core';
import { loadChunk } from '#core/web';
import { translatedColumnNames } from '../../../../common/translated-column-names.ts';

/** A text file with one pose per row. */
export interface PoseTable {
  /** Column names. Numbers from 1 if the file has no header row. */
  readonly columns: readonly string[];
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** Whether commas separate cells. If not, a comma in a number is a decimal comma unless a number contradicts it. */
  readonly hasCommaSeparator: boolean;
}

const quaternion = ['qw', 'qx', 'qy', 'qz'] as const;
export const coordinates = ['east', 'north', 'up'] as const;
export const angles = ['heading', 'pitch', 'roll'] as const;
export const poseFields = ['name', ...coordinates, ...angles, 'time', ...quaternion] as const;
export type PoseField = (typeof poseFields)[number];
/** The column of each field. */
export type PoseColumns = Readonly<Partial<Record<PoseField, number>>>;

/** Also with separators of thousands, and dates. */
const isNumeric = (cell: string): boolean => /^[+-]?\d[\d.,\s]*(e[+-]?\d+)?$/i.test(cell);

/**
 * Reads separated values and detects the separator. Lines that begin with `#` are comments. Lines without numbers above
 * the header row, such as a title, are left out.
 */
export async function readPoseTable(text: string): Promise<PoseTable> {
  const { default: papaparse } = await loadChunk('papaparse', () => import('papaparse'));
  const { data, meta } = papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), {
    delimitersToGuess: [';', '\t', ',', ' ', '|'],
  });
  const lines = data
    .map((cells, index) => ({ line: index + 1, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(({ line, cells: [first = '', ...cells] }) => ({
      line,
      cells: [first.replace(/^#\s*/, ''), ...cells],
      isComment: first.startsWith('#'),
    }));
  const body = lines.filter(({ isComment }) => !isComment);
  const firstNumeric = body.findIndex(({ cells }) => cells.some(isNumeric));
  // Some vendors write the header row as a comment.
  const headerRow = findHeaderRow([
    ...body.slice(0, firstNumeric < 0 ? body.length : firstNumeric),
    ...lines.filter(({ isComment }) => isComment).toReversed(),
  ]);
  const rows = headerRow ? body.slice(body.indexOf(headerRow) + 1) : body;
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, index) => headerRow?.cells[index] ?? String(index + 1));
  return { columns, rows, hasCommaSeparator: meta.delimiter === ',' };
}

/** Finds the line that names the most known columns; the first one, if several name as many. */
function findHeaderRow<T extends { readonly cells: readonly string[] }>(lines: readonly T[]): T | undefined {
  const candidates = lines.filter(({ cells }) => cells.filter((cell) => cell !== '').length > 3);
  const counts = candidates.map(({ cells }) => Object.keys(matchColumns({ columns: cells })).length);
  return candidates[counts.indexOf(Math.max(...counts))];
}

const lengthSuffix = '(_?(m|ft))?';
const angleSuffix = '(_?(deg|rad|gon))?';
const toPattern = (names: readonly string[], suffix = ''): RegExp =>
  new RegExp(`^(${names.join('|').toLowerCase()})${suffix}$`);

/** Names of columns by field in the exports of scanners and photogrammetry programs, most specific first. */
const knownNames: Readonly<Record<PoseField, readonly RegExp[]>> = {
  name: [
    /^(image_?|img_?|file_?|photo_?)(file_?)?name$/,
    /^nom_(du_fichier|de_fichier|fichier|de_l[’']image|image)$/,
    /^(image|img|file|fichier|photo|label|panorama|pano)$/,
    toPattern(translatedColumnNames.picture),
    /^(name|nom|code|id)$/,
  ],
  east: [
    /^(pano_)?pos_?x$/,
    /^(x|east|easting|est|tx)(_?(m|ft))?$/,
    toPattern(translatedColumnNames.east, lengthSuffix),
  ],
  north: [
    /^(pano_)?pos_?y$/,
    /^(y|north|northing|nord|ty)(_?(m|ft))?$/,
    toPattern(translatedColumnNames.north, lengthSuffix),
  ],
  up: [
    /^(pano_)?pos_?z$/,
    /^(z|up|[eé]l[eé]vation|height|hauteur|altitude|alt|haut|tz)(_?(m|ft))?$/,
    toPattern(translatedColumnNames.height, lengthSuffix),
  ],
  heading: [
    /^(heading|yaw|azimuth|cap|bearing)(_?(deg|rad|gon))?$/,
    toPattern(translatedColumnNames.heading, angleSuffix),
  ],
  pitch: [/^(pitch|tangage|assiette)(_?(deg|rad|gon))?$/],
  roll: [/^(roll|roulis)(_?(deg|rad|gon))?$/],
  time: [
    /^(gps_?)?(time_?stamp|date_?time|time|utc|horodatage|heure)(_?utc|_?s|_?sec)?$/,
    toPattern(translatedColumnNames.time, '(_?utc|_?s|_?sec)?'),
  ],
  qw: [/^(pano_)?(ori|q|quat|rot)_?w$/],
  qx: [/^(pano_)?(ori|q|quat|rot)_?x$/],
  qy: [/^(pano_)?(ori|q|quat|rot)_?y$/],
  qz: [/^(pano_)?(ori|q|quat|rot)_?z$/],
};

/** False for a coordinate whose header names a unit that is no length. */
function isSuitable(field: PoseField, header: string): boolean {
  const unit = splitHeaderUnit(header)?.unit;
  return unit === undefined || isLengthUnit(unit) || !coordinates.some((coordinate) => coordinate === field);
}

/** The unit that the column of a field names in its header, such as `ft` or `rad`. `ft` can be the foot of `siteUnit`. */
export const findHeaderUnit = (
  { columns: names }: Pick<PoseTable, 'columns'>,
  columns: PoseColumns,
  field: PoseField,
  siteUnit: SiteUnit,
): string | undefined => splitHeaderUnit(names[columns[field] ?? -1] ?? '', siteUnit)?.unit;

/**
 * Lists the fields from which the orientation is read: a whole quaternion, if there is no column of headings, else the
 * assigned angles.
 */
export const listOrientationFields = (columns: PoseColumns): readonly PoseField[] =>
  hasQuaternion(columns) ? quaternion : angles.filter((field) => columns[field] !== undefined);

/** True if the orientation is read from a quaternion. */
export const hasQuaternion = ({ heading, ...columns }: PoseColumns): boolean =>
  heading === undefined && quaternion.every((field) => columns[field] !== undefined);

/** Lists the names of columns that are not read. */
export function listUnusedColumns({ columns }: Pick<PoseTable, 'columns'>, assigned: PoseColumns): readonly string[] {
  const unreadFields = new Set<PoseField>([...angles, ...quaternion]);
  for (const field of listOrientationFields(assigned)) unreadFields.delete(field);
  const used = new Set(poseFields.filter((field) => !unreadFields.has(field)).map((field) => assigned[field]));
  return columns.filter((_, index) => !used.has(index));
}

const photogrammetricAngle = /^(omega|phi|kappa|ω|φ|ϕ|κ)(_?(deg|rad|gon|grad))?$/;

/** Lists the columns of the angles omega, phi and kappa, which are not read unless they are assigned. */
export const listPhotogrammetricAngles = (
  table: Pick<PoseTable, 'columns'>,
  assigned: PoseColumns,
): readonly string[] =>
  listUnusedColumns(table, assigned).filter((name) => photogrammetricAngle.test(toPlainName(name)));

const toPlainName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/\s*[([].*$/g, '')
    .replaceAll(/[\s.-]+/g, '_');

/**
 * Finds the columns of a table by their names. Coordinates in a unit that is no length, such as degrees, are left to
 * the person.
 */
export function matchColumns({ columns }: Pick<PoseTable, 'columns'>): PoseColumns {
  const names = columns.map(toPlainName);
  const columnByField: Partial<Record<PoseField, number>> = {};
  for (const field of poseFields) {
    const index = knownNames[field]
      .map((pattern) => names.findIndex((name, at) => pattern.test(name) && isSuitable(field, columns[at] ?? '')))
      .find((at) => at >= 0);
    if (index !== undefined) columnByField[field] = index;
  }
  return columnByField;
}
