import { expect, it } from 'vitest';
import type { SiteUnit } from '#core';
import type { ImportColumn } from '../contract/index.ts';
import { findHeaderRow } from './find-header-row.ts';
import { findAmbiguousTexts, matchHeaders, mustConfirmSynonym } from './match-headers.ts';

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
const match = (headers: readonly string[], rememberedColumns: Readonly<Record<string, string | null>> = {}) =>
  matchHeaders(columns, { headers, rows: [] }, new Map(Object.entries(rememberedColumns))).map(
    ({ column, by }) => `${column ?? '-'} ${by ?? '-'}`,
  );

it('finds columns by synonyms, whatever their case, accents and dots, after headers and remembered choices', () => {
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

it('requires a person to confirm a synonym without the unit of its column, and any synonym of a column that demands it', () => {
  const check = (header: string, rest: Partial<ImportColumn> = {}) =>
    mustConfirmSynonym({ header, by: 'SYNONYM' }, { ...columns[2]!, ...rest });
  expect([check('Elevation'), check('Elevation (m)')]).toEqual([true, false]);
  expect(check('Elevation (m)', { confirmsSynonyms: true })).toBe(true);
  expect(mustConfirmSynonym({ header: 'Z (m)', by: 'HEADER' }, { ...columns[2]!, confirmsSynonyms: true })).toBe(false);
  expect(match(['Elevation (ft)'])).toEqual(['- -']);
});

it('finds length columns also by headers with another unit, only in files and after all other ways', () => {
  const lengths = [columns[0]!, { ...columns[2]!, type: 'NUMBER' as const }];
  const find = (headers: readonly string[], siteUnit?: SiteUnit, rememberedColumns: [string, string | null][] = []) =>
    matchHeaders(lengths, { headers, rows: [] }, new Map(rememberedColumns), siteUnit).map(
      ({ column, by }) => `${column ?? '-'} ${by ?? '-'}`,
    );
  for (const header of ['Z (ft)', 'z_usft', 'Z [US survey feet]', 'Z*, cm'])
    expect(find([header], 'm'), header).toEqual(['z HEADER']);
  expect(find(['Elevation US ft'], 'm')).toEqual(['z SYNONYM']);
  expect(find(['Elevation (ft)', 'Z (m)'], 'm')).toEqual(['- -', 'z HEADER']);
  expect(find(['Z (ft)'], 'm', [['z (ft)', null]])).toEqual(['- REMEMBERED']);
  for (const header of ['Z (km)', 'Z (rad)', 'Tag Number (ft)']) expect(find([header], 'm'), header).toEqual(['- -']);
  expect(find(['Z (ft)'])).toEqual(['- -']);
  const [first] = matchHeaders(lengths, { headers: ['Z'], rows: [] }, new Map(), 'ft');
  expect(first).toMatchObject({ column: 'z', siteUnit: 'ft' });
});

it('finds the row with the headers below titles, and never takes a row of values for it', () => {
  const find = (rows: readonly (readonly (string | number | null)[])[], rememberedColumns = {}) =>
    findHeaderRow(columns, rows, new Map(Object.entries(rememberedColumns)));
  const header = ['Tag Number', 'Étage', 'Remarks'];
  expect(find([['Tag list'], [null, 'Unit 100', 'Rev. B'], header, ['V-1', 'D1', 'Tag Number']])).toBe(2);
  expect(find([header, ['Tag Number', 'Deck Code', 'Z (m)']])).toBe(1);
  expect(find([header, ['Repère', 'Code du pont']])).toBe(0);
  // One known header is too few to be told from a value, unless it was chosen before.
  expect(
    find([
      ['Item', 'Place'],
      ['Tag Number', 'D1'],
    ]),
  ).toBe(0);
  expect(find([['Tag list'], ['Item', 'Place'], ['V-1', 'D1']])).toBe(1);
  expect(
    find(
      [
        ['Rev', 'B'],
        ['Item', 'Place'],
        ['V-1', 'D1'],
      ],
      { item: 'number', place: 'deck' },
    ),
  ).toBe(1);
  expect(
    findHeaderRow(
      [{ ...columns[0]!, required: true }],
      [
        ['List', 'B'],
        ['Tag No', 'C'],
      ],
      new Map(),
    ),
  ).toBe(1);
  expect(
    find([
      ['Survey', '2126'],
      ['Tag Number', 'ELEVATION_USFT'],
    ]),
  ).toBe(1);
  expect(find([['Item'], ['V-1']])).toBe(0);
  expect(find([[]])).toBe(0);
});

it('finds unknown headers by the rows below them, and takes no title of two cells for headers', () => {
  const find = (rows: readonly (readonly (string | number | Date | null)[])[]) =>
    findHeaderRow(columns, rows, new Map());
  const title = ['Kontaktliste', 'Rev. 3'];
  const header = ['Navn', 'Firma', 'Telefon', 'E-post'];
  const values = [
    ['Kari', 'Kestrel AS', '+47 1', 'kari@kestrel.test'],
    ['Ola', 'Kestrel AS', '+47 2', 'ola@kestrel.test'],
  ];
  expect(find([title, [], header, ...values])).toBe(2);
  expect(find([title, ['Stand', new Date('2126-05-01')], header, ...values])).toBe(2);
  expect(find([header, ...values])).toBe(0);
  // A header is missing above one of four columns.
  expect(find([title, [null, ...header.slice(1)], ...values])).toBe(1);
  const points = [
    ['A', 1.5, 2, 3],
    ['B', 2.5, 3, 4],
  ];
  expect(find([['Vermessung', 'Mai'], ['Punkt', 'Ost', 'Nord', 'Hoch'], ...points])).toBe(1);
  // Rows of an API call always begin with their headers.
  expect(
    find([
      ['a', 'b', 'c'],
      ['x', null, null],
      ['y', 'z', 'w'],
    ]),
  ).toBe(0);
});

it('finds synonyms that two columns share, and words that two values share', () => {
  expect(findAmbiguousTexts(columns)).toEqual([]);
  expect(findAmbiguousTexts([...columns, build('level', 'Level', 'NIVEAU')])).toEqual(['niveau']);
  const label = { en: 'Open', fr: 'Ouvert' };
  const values = ['A', 'B'].map((value) => ({ value, label }));
  expect(findAmbiguousTexts([{ ...build('state', 'State', 'État'), values }])).toEqual(['open', 'ouvert']);
});
