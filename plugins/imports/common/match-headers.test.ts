import { expect, it } from 'vitest';
import type { ImportColumn } from '../contract/index.ts';
import { findAmbiguousTexts, findOtherUnit, matchHeaders, mustConfirm } from './match-headers.ts';

const build = (id: string, en: string, fr: string, synonymHeaders: readonly string[] = []): ImportColumn => ({
  id,
  header: { en, fr },
  synonymHeaders,
  type: 'TEXT',
});
const columns = [
  build('number', 'Tag Number', 'Repère', ['Tag No', 'Équipement']),
  build('deck', 'Deck Code', 'Code du pont', ['Étage', 'Niveau']),
  build('z', 'Z (m)', 'Z (m)', ['Elevation', 'Elevation (m)']),
];
const match = (headers: readonly string[], remembered: Readonly<Record<string, string | null>> = {}) =>
  matchHeaders(columns, { headers, rows: [] }, new Map(Object.entries(remembered))).map(
    ({ column, by }) => `${column ?? '-'} ${by ?? '-'}`,
  );

it('finds columns by usual names, whatever their case, accents and dots, after all other ways', () => {
  expect(match(['TAG_NO.', 'etage', 'Elevation (m)', 'Remarks'])).toEqual([
    'number SYNONYM',
    'deck SYNONYM',
    'z SYNONYM',
    '- -',
  ]);
  expect(match(['Niveau', 'Étage', 'Deck Code'])).toEqual(['- -', '- -', 'deck HEADER']);
  expect(match(['Étage', 'Niveau'])).toEqual(['deck SYNONYM', '- -']);
  expect(match(['Étage', 'Floor'], { floor: 'deck', étage: null })).toEqual(['- REMEMBERED', 'deck REMEMBERED']);
});

it('lets a person confirm a usual name without the unit of its column, and any of a coordinate', () => {
  const check = (header: string, rest: Partial<ImportColumn> = {}) =>
    mustConfirm({ header, by: 'SYNONYM' }, { ...columns[2]!, ...rest });
  expect([check('Elevation'), check('Elevation (m)')]).toEqual([true, false]);
  expect(check('Elevation (m)', { confirmsSynonyms: true })).toBe(true);
  expect(mustConfirm({ header: 'Z (m)', by: 'HEADER' }, { ...columns[2]!, confirmsSynonyms: true })).toBe(false);
  expect(match(['Elevation (ft)'])).toEqual(['- -']);
});

it('finds a unit of a header that is not that of the column, however it is written', () => {
  const find = (header: string, column = columns[2]!) => findOtherUnit(header, column)?.unit;
  expect(
    ['Elev (ft)', 'ELEV [Feet]', 'elev_ft', 'Elev, mm', 'Elev. ft.*', 'Elev (′)'].map((each) => find(each)),
  ).toEqual(['ft', 'ft', 'ft', 'mm', 'ft', 'ft']);
  expect(['Elev', 'Elev (m)', 'Elevation metres', 'Elev (site datum)', 'Z', 'ft'].map((each) => find(each))).toEqual(
    Array.from({ length: 6 }),
  );
  expect(find('Deck (ft)', columns[1])).toBeUndefined();
});

it('finds usual names of two columns, and words of two values', () => {
  expect(findAmbiguousTexts(columns)).toEqual([]);
  expect(findAmbiguousTexts([...columns, build('level', 'Level', 'NIVEAU')])).toEqual(['niveau']);
  const label = { en: 'Open', fr: 'Ouvert' };
  const values = ['A', 'B'].map((value) => ({ value, label }));
  expect(findAmbiguousTexts([{ ...build('state', 'State', 'État'), values }])).toEqual(['open', 'ouvert']);
});
