import { expect, it } from 'vitest';
import { splitHeaderUnit } from './header-units.ts';

it('finds the unit at the end of a header, however it is written', () => {
  const find = (header: string) => splitHeaderUnit(header)?.unit;
  for (const [unit, headers] of Object.entries({
    ft: [
      'Elev (ft)',
      'ELEV [Feet]',
      'elev_ft',
      'Elev. ft.*',
      'Elev (′)',
      'Altitude (pieds)',
      'Elev international feet',
      'Elev [intl ft]',
      'Z (pieds internationaux)',
    ],
    ftUS: ['Elev (ftUS)', 'Elev (US survey ft)', 'ELEV_US_FT', 'Elev US survey feet', 'Elev (U.S. ft)', 'Z (pieds US)'],
    mm: ['Elev, mm', 'OD (mm)'],
    km: ['Distance km'],
    m: ['Elev (m)', 'Elevation metres', 'X-M'],
  }))
    for (const header of headers) expect(find(header), header).toBe(unit);
  for (const header of ['Elev', 'Elev (site datum)', 'Z', 'ft', 'US ft (site)', 'Speed m/s'])
    expect(find(header), header).toBeUndefined();
  expect(splitHeaderUnit('Deck ELEV_US_FT')?.name).toBe('deck elev');
});

it('reads a foot without further words as the foot of the site, if its unit is a foot', () => {
  const find = (header: string) =>
    ([undefined, 'm', 'ft', 'ftUS'] as const).map((siteUnit) => splitHeaderUnit(header, siteUnit)?.unit);
  for (const header of ['east[ft]', 'Elev (feet)', 'Z (pi)', 'Z ′', 'NORTH_FT'])
    expect(find(header), header).toEqual(['ft', 'ft', 'ft', 'ftUS']);
  expect(find('east (international ft)')).toEqual(['ft', 'ft', 'ft', 'ft']);
  expect(find('Z (pieds internationaux)')).toEqual(['ft', 'ft', 'ft', 'ft']);
  expect(find('east (US ft)')).toEqual(['ftUS', 'ftUS', 'ftUS', 'ftUS']);
});
