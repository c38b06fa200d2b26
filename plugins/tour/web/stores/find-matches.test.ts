import { describe, expect, it } from 'vitest';
import { filterBySearch, findMatches, isSimilar } from './find-matches.ts';

const readMatches = (text: string, searchText: string) =>
  findMatches(text, searchText)?.map(([start, end]) => text.slice(start, end));

describe('findMatches', () => {
  it.each([
    ['PT-1001A', 'pt1001', ['PT-1001']],
    ['PT1001A', 'pt-10', ['PT10']],
    ['6"-PG-10021-A1B', 'pg 100', ['PG-100']],
    ['Séparateur', 'separ', ['Sépar']],
    ['Pump room, north', 'pump*north', ['Pump', 'north']],
    ['PSV-1004', 'p*04', ['P', '04']],
    ['E-1101 coolers', 'coolers e1101', ['E-1101', 'coolers']],
    ['Pump room, north', 'nor pump', ['Pump', 'nor']],
    ['Pumps of the pump room', 'room pumps pump', ['Pumps', 'pump', 'room']],
  ])('finds in %s the search text %s', (text, searchText, matches) => {
    expect(readMatches(text, searchText)).toEqual(matches);
  });

  it.each([
    ['PT-1001', '1002'],
    ['Pump room', 'north*pump'],
    ['Pump room', 'room north'],
    ['Pump room', 'room ump'],
    ['Pump room', 'room pump pump'],
    ['PT-1001', ''],
    ['PT-1001', '*-'],
  ])('does not find in %s the search text %j', (text, searchText) => {
    expect(findMatches(text, searchText)).toBeUndefined();
  });
});

describe('isSimilar', () => {
  it.each(['separatr', 'seperator', 'sepparator', 'spearator', 'seprator'])(
    'finds "Separator area" by %s, which has one typing error',
    (searchText) => {
      expect(isSimilar('Separator area', searchText)).toBe(true);
    },
  );

  it('does not find "Separator area" by espartor, which has two typing errors', () => {
    expect(isSimilar('Separator area', 'espartor')).toBe(false);
  });

  it('allows an error in a short search text only at the beginning of the text, and none in three characters', () => {
    expect([isSimilar('V-101', 'V-1O1'), isSimilar('PV-101', 'V-1O1'), isSimilar('V-10', 'V1O')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe('filterBySearch', () => {
  it('lists texts that begin with the search text before those that contain it', () => {
    const names = ['North pump', 'Pump room', 'Roof'];
    expect(filterBySearch(names, 'pump', (name) => [name])).toEqual({
      items: ['Pump room', 'North pump'],
      similar: false,
    });
  });

  it('allows for a typing error only if nothing contains the search text', () => {
    const names = ['Pump room', 'Ramp'];
    expect(filterBySearch(names, 'pmup', (name) => [name])).toEqual({ items: ['Pump room'], similar: true });
    expect(filterBySearch(names, 'p*mup', (name) => [name])).toEqual({ items: [], similar: false });
  });
});
