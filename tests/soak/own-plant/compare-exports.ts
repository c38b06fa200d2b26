import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as xlsx from 'xlsx';

/** Degrees. */
const maxAngle = 0.1;
/** Metres, of positions and distances. */
const maxDistance = 0.01;
const angles: ReadonlySet<string> = new Set(['pan', 'tilt', 'heading', 'pitch', 'roll']);
/** Fields that identify an object within a list. */
const keyFields = ['code', 'name', 'deck', 'location', 'kind', 'tag', 'line', 'viewpoint', 'from', 'to', 'capturedAt'];
/** Fields whose values depend on the installation or on its admin. `file` is a path derived from other fields. */
const ownFields: ReadonlySet<string> = new Set([
  'uid',
  'posedAt',
  'file',
  'picture',
  'capturedAt',
  'author',
  'updatedAt',
]);
/** File extensions of pictures. They may differ, because pictures of locations are encoded again. */
const encoding = /\.(?:jpg|webp)(?=")/g;
/** Length of the date in `capturedAt`. Only the date identifies a panorama, because the screens ask for no time. */
const dayLength = 10;

/** The contents of an export to compare, by path. */
type Contents = ReadonlyMap<string, unknown>;

/** Lists the differences of two exports, one line each. Ignores uids, times of the installation and file names. */
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
    (list) => new Map(list.map((item, index) => [toKey(item, index), item])),
  );
  return [...new Set([...left!.keys(), ...right!.keys()])].flatMap((key) =>
    compare(left!.get(key), right!.get(key), `${place} [${key}]`),
  );
}

/** The key of an object in a list. Rows of workbooks without key fields are identified by all their texts. */
function getKey(value: Fields): string {
  const keyNames = keyFields.filter((name) => name in value);
  return (keyNames.length > 0 ? keyNames : Object.keys(value).filter((name) => typeof value[name] === 'string'))
    .map((name) => (name === 'capturedAt' ? String(value[name]).slice(0, dayLength) : String(value[name])))
    .join(' ');
}
