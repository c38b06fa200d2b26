import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Papa from 'papaparse';
import { read, utils } from 'xlsx';
import type { Manifest } from '../../plugins/imports/server/site-transfers/manifest.ts';

/** Differences of derived values, in degrees and metres, that count as equal. */
const tolerances: Readonly<Record<string, number>> = { pan: 0.1, tilt: 0.1, heading: 0.1, distance: 0.01, visible: 1 };

export async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8')) as Manifest;
}

/** Lists what differs between two exports, apart from times of the export and the order of rows. */
export async function compareExports(firstFolder: string, secondFolder: string): Promise<string[]> {
  const [firstManifest, secondManifest] = [await readManifest(firstFolder), await readManifest(secondFolder)];
  const names = new Set([...firstManifest.files, ...secondManifest.files].map((file) => file.path));
  const differences: string[] = [];
  for (const name of [...names].toSorted()) {
    const [firstFile, secondFile] = [firstManifest, secondManifest].map(({ files }) =>
      files.find((file) => file.path === name),
    );
    if (!firstFile || !secondFile) differences.push(`${name} is only in ${firstFile ? 'the first' : 'the second'}`);
    else if (firstFile.sha256 !== secondFile.sha256)
      differences.push(
        ...compareRows(
          name,
          await readRows(path.join(firstFolder, name)),
          await readRows(path.join(secondFolder, name)),
        ),
      );
  }
  return differences;
}

type Row = Readonly<Record<string, unknown>>;

/** The rows of a workbook, a CSV file or a JSON list. Undefined for pictures and other files. */
async function readRows(file: string): Promise<readonly Row[] | undefined> {
  const content = await readFile(file);
  if (file.endsWith('.xlsx')) {
    const { Sheets } = read(content);
    return Object.entries(Sheets).flatMap(([sheet, cells]) =>
      utils.sheet_to_json<Row>(cells).map((row) => ({ ...row, sheet })),
    );
  }
  if (file.endsWith('.csv')) return Papa.parse<Row>(content.toString(), { header: true, skipEmptyLines: true }).data;
  if (!file.endsWith('.json')) return undefined;
  const value = JSON.parse(content.toString()) as Row | Row[];
  return Array.isArray(value) ? value : [value];
}

function compareRows(name: string, a: readonly Row[] | undefined, b: readonly Row[] | undefined): string[] {
  if (!a || !b) return [`${name} has other bytes`];
  const missingRows = a.filter((row) => !b.some((other) => isEqual(row, other)));
  const addedRows = b.filter((row) => !a.some((other) => isEqual(row, other)));
  return [
    ...missingRows.map((row) => `${name} lacks ${JSON.stringify(row)}`),
    ...addedRows.map((row) => `${name} has also ${JSON.stringify(row)}`),
  ];
}

function isEqual(a: unknown, b: unknown, key = ''): boolean {
  if (typeof a === 'object' && a !== null && typeof b === 'object' && b !== null) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((name) => isEqual((a as Row)[name], (b as Row)[name], name));
  }
  if (a === b) return true;
  const tolerance = tolerances[key];
  if (tolerance === undefined || a === '' || b === '') return false;
  const difference = Math.abs(Number(a) - Number(b));
  return difference <= tolerance || (key !== 'distance' && 360 - difference <= tolerance);
}
