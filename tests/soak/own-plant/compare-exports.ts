import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as xlsx from 'xlsx';

/** Degrees. */
const maxAngle = 0.1;
/** Metres, of positions and distances. */
const maxDistance = 0.01;
const angles: ReadonlySet<string> = new Set(['pan', 'tilt', 'heading', 'pitch', 'roll']);
/** Fields by which the objects of a list are told apart. */
const keyFields = ['code', 'name', 'deck', 'location', 'kind', 'tag', 'line', 'viewpoint', 'from', 'to', 'capturedAt'];
/** Fields that an installation or the person who sets it up gives. `file` is a path that follows from other fields. */
const ownFields: ReadonlySet<string> = new Set([
  'uid',
  'posedAt',
  'file',
  'picture',
  'capturedAt',
  'author',
  'updatedAt',
]);
/** The end of a picture's file name: pictures of locations are encoded anew. */
const encoding = /\.(?:jpg|webp)(?=")/g;
/** The day of a capture tells panoramas apart. Screens ask for the day alone. */
const dayLength = 10;

/** Parts of an export that are compared, each by its path and what is in it. */
type Contents = ReadonlyMap<string, unknown>;

/** What two exports of a site differ in, in a line each. Uids, times of the installation and file names are left out. */
export function compareExports(expected: string, actual: string): readonly string[] {
  const [left, right] = [readExport(expected), readExport(actual)];
  return [...new Set([...left.keys(), ...right.keys()])]
    .toSorted()
    .flatMap((name) => compare(left.get(name), right.get(name), name));
}

function readExport(folder: string): Contents {
  const contents = new Map<string, unknown>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file);
    if (/^(?:manifest\.json|README\.txt|site\.json)$/.test(name)) continue;
    if (name.endsWith('.xlsx')) for (const [sheet, rows] of readWorkbook(file)) contents.set(`${name}#${sheet}`, rows);
    else if (name.endsWith('.json'))
      contents.set(name, JSON.parse(readFileSync(file, 'utf8').replaceAll(encoding, '')));
    else if (name.endsWith('.csv'))
      contents.set(name, readRows(xlsx.read(readFileSync(file, 'utf8'), { type: 'string' })));
    else contents.set(name, createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 12));
  }
  return contents;
}

function readWorkbook(file: string): readonly (readonly [sheet: string, rows: readonly object[]])[] {
  const workbook = xlsx.read(readFileSync(file));
  return workbook.SheetNames.filter((name) => name !== 'README' && !name.startsWith('_')).map((name) => [
    name,
    xlsx.utils.sheet_to_json<object>(workbook.Sheets[name] ?? {}),
  ]);
}

const readRows = ({ Sheets, SheetNames }: xlsx.WorkBook): readonly object[] =>
  xlsx.utils.sheet_to_json<object>(Sheets[SheetNames[0] ?? ''] ?? {});

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function compare(expected: unknown, actual: unknown, place: string): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(actual)) return compareLists(expected, actual, place);
  if (isFields(expected) && isFields(actual))
    return [...new Set([...Object.keys(expected), ...Object.keys(actual)])]
      .filter((name) => !ownFields.has(name))
      .flatMap((name) => compare(expected[name], actual[name], `${place} ${name}`));
  if (isClose(expected, actual, place.slice(place.lastIndexOf(' ') + 1))) return [];
  return [`${place}: ${describe(expected)} is ${describe(actual)}`];
}

const describe = (value: unknown): string => (value === undefined ? 'missing' : JSON.stringify(value).slice(0, 200));

function isClose(expected: unknown, actual: unknown, name: string): boolean {
  if (typeof expected !== 'number' || typeof actual !== 'number') return expected === actual;
  const difference = Math.abs(expected - actual);
  return angles.has(name) ? Math.min(difference, 360 - difference) <= maxAngle : difference <= maxDistance;
}

function compareLists(expected: readonly unknown[], actual: readonly unknown[], place: string): readonly string[] {
  const isOrdered = ![...expected, ...actual].every(isFields);
  const toKey = (value: unknown, index: number): string => (isOrdered ? String(index) : getKey(value as Fields));
  const [left, right] = [expected, actual].map(
    (list) => new Map(list.map((each, index) => [toKey(each, index), each])),
  );
  return [...new Set([...left!.keys(), ...right!.keys()])].flatMap((key) =>
    compare(left!.get(key), right!.get(key), `${place} [${key}]`),
  );
}

/** Rows of workbooks are told apart by all of their texts. */
function getKey(value: Fields): string {
  const keyNames = keyFields.filter((name) => name in value);
  return (keyNames.length > 0 ? keyNames : Object.keys(value).filter((name) => typeof value[name] === 'string'))
    .map((name) => (name === 'capturedAt' ? String(value[name]).slice(0, dayLength) : String(value[name])))
    .join(' ');
}
