import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { readImportFile } from './read-import-file.ts';

describe('readImportFile', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'read-import-file-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const kind = {
    sheets: ['Rooms', 'Zones'].map((name) => ({ id: name.toLowerCase(), name, columns: [] })),
  } as unknown as AnyKind;

  it('splits a CSV file by the separator of the sheet that a person assigned to it', async () => {
    const file = { path: path.join(folder, 'file'), name: 'Salles.csv' };
    await writeFile(file.path, 'Room,short;Zone,short;Use\nR1;EX1;Store\n');
    const readCells = async (options: Parameters<typeof readImportFile>[3]) => {
      const rows: unknown[] = [];
      for await (const { sheet, cells } of readImportFile(file, kind, new AbortController().signal, options))
        rows.push([sheet, cells]);
      return rows;
    };
    const layouts = { rooms: { headerRow: null, separator: ',' as const } };
    const sheetChoices = new Map([['salles', { sheet: 'rooms', by: 'CHOSEN' as const }]]);
    expect(await readCells({ layouts, sheetChoices })).toEqual([
      ['Salles', ['Room', 'short;Zone', 'short;Use']],
      ['Salles', ['R1;EX1;Store']],
    ]);
    expect((await readCells({ layouts }))[1]).toEqual(['Salles', ['R1', 'EX1', 'Store']]);
  });
});
