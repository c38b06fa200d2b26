import type { ParseConfig } from 'papaparse';
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

/** True also for numbers with separators of thousands, and for dates such as `12.10.2126`. */
const isNumeric = (cell: string): boolean => /^[+-]?[.,]?\d[\d.,\s]*(e[+-]?\d+)?$/i.test(cell);

const separators = [';', '\t', ',', ' ', '|'];
/** Lines in which the header row is expected, to detect the separator. */
const maxHeaderLine = 30;

interface Line {
  readonly line: number;
  readonly cells: readonly string[];
  readonly isComment: boolean;
}

/**
 * Reads separated values and detects the separator. Lines that begin with `#` are comments. Lines without numbers above
 * the header row, such as a title, are left out.
 */
export async function readPoseTable(fileText: string): Promise<PoseTable> {
  const { default: papaparse } = await loadChunk('papaparse', () => import('papaparse'));
  const text = fileText.replace(/^\uFEFF/, '');
  const parse = (options: ParseConfig) => papaparse.parse<string[]>(text, options);
  const separator =
    findSeparator((delimiter) => parse({ delimiter, preview: maxHeaderLine, skipEmptyLines: 'greedy' }).data) ??
    parse({ delimitersToGuess: separators, preview: maxHeaderLine, skipEmptyLines: 'greedy' }).meta.delimiter;
  const lines = parse({ delimiter: separator })
    .data.map((cells, index) => toLine(cells, index + 1, separator))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const headerRow = findHeaderRow(lines);
  const rows = lines.filter(
    ({ line, cells, isComment }) =>
      !isComment && (!headerRow || line > headerRow.line || (headerRow.isComment && cells.some(isNumeric))),
  );
  const width = Math.max(0, ...rows.map(({ cells }) => cells.length));
  const columns = Array.from({ length: width }, (_, index) => headerRow?.cells[index] ?? String(index + 1));
  return { columns, rows, hasCommaSeparator: separator === ',' };
}

function toLine(writtenCells: readonly string[], line: number, separator: string): Line {
  const [first = '', ...others] = writtenCells.map((cell) => cell.trim());
  const isComment = first.startsWith('#');
  // In `# name x y z`, the first space does not end a cell.
  const cells = isComment && first === '#' && separator === ' ' ? others : [first.replace(/^#\s*/, ''), ...others];
  return { line, cells, isComment };
}

const countKnownColumns = (cells: readonly string[]): number => Object.keys(matchColumns({ columns: cells })).length;
/** A line that names fewer columns may be a title. */
const minKnownColumns = 3;

/** Finds the separator with which a line names the most known columns. Undefined if there is no such line. */
function findSeparator(parse: (separator: string) => readonly string[][]): string | undefined {
  const counts = separators.map((separator) =>
    Math.max(0, ...parse(separator).map((cells, index) => countKnownColumns(toLine(cells, index, separator).cells))),
  );
  const max = Math.max(...counts);
  return max < minKnownColumns ? undefined : separators[counts.indexOf(max)];
}

/**
 * Finds the line that names the most known columns; the first one, if several name as many. It is above the numbers, or
 * a comment, as some vendors write it.
 */
function findHeaderRow(lines: readonly Line[]): Line | undefined {
  const body = lines.filter(({ isComment }) => !isComment);
  const findFirst = (minNumbers: number): number =>
    body.findIndex(({ cells }) => cells.filter(isNumeric).length >= minNumbers);
  const end = [findFirst(coordinates.length), findFirst(1)].find((index) => index >= 0) ?? body.length;
  const candidates = [
    ...body.slice(0, end).filter(({ cells }) => !cells.some(isNumeric)),
    ...lines.filter(({ isComment }) => isComment).toReversed(),
  ].filter(
    ({ cells }) => cells.filter((cell) => cell !== '').length > 3 || countKnownColumns(cells) >= minKnownColumns,
  );
  const counts = candidates.map(({ cells }) => countKnownColumns(cells));
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
