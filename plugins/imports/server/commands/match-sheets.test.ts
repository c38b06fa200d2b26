import { expect, it } from 'vitest';
import type { ImportColumn } from '#plugins/imports';
import type { AnyKind } from '../kinds/kind-registry.ts';
import { SheetMatcher } from './match-sheets.ts';

const createSheet = (name: string, headers: readonly string[]) => ({
  id: name.toLowerCase(),
  name,
  columns: headers.map((header): ImportColumn => ({ id: header, header: { en: header, fr: header }, type: 'TEXT' })),
});
const kind = {
  sheets: [
    createSheet('Walls', ['Deck', 'East', 'North']),
    createSheet('Tags', ['Tag Number', 'East', 'North', 'Elevation']),
  ],
} as unknown as AnyKind;

it('proposes the sheet of which a file names the most columns, and none if two have as many', () => {
  const matcher = new SheetMatcher(kind, [], new Map());
  matcher.add('Instrumentos', 'theirs.xlsx', [['Etiqueta', 'East', 'North']]);
  matcher.add('Puntos', 'theirs.xlsx', [['Etiqueta', 'East', 'North', 'Elevation']]);
  matcher.add('Notas', 'theirs.xlsx', [['Etiqueta']]);
  expect(matcher.fileSheets.map(({ name, proposal }) => [name, proposal])).toEqual([
    ['Instrumentos', null],
    ['Puntos', 'tags'],
    ['Notas', null],
  ]);
});
