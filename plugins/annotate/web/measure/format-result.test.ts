import { describe, expect, it } from 'vitest';
import { defaultSiteRecord, type SiteRecord } from '#core';
import { formatDatum } from './format-result.ts';

const site = (verticalDatum: string | null, up: number, unit: SiteRecord['frame']['unit'] = 'm'): SiteRecord => {
  const record = defaultSiteRecord('UTC');
  return { ...record, verticalDatum, frame: { ...record.frame, unit, origin: { east: 0, north: 0, up } } };
};
const said = (record: SiteRecord): string =>
  formatDatum(record, { language: 'en', unit: 'm' }, (id, values) => [id, ...Object.values(values)].join(' '));

describe('what heights count from', () => {
  it('is the datum where the zero of the site lies on it', () => {
    expect(said(site('NN2000', 0))).toBe('annotate.detail.datum NN2000');
  });

  it('is the zero of the site where it lies elsewhere, and says how high that is', () => {
    expect(said(site('MSL', 26))).toBe('annotate.detail.datumOfZero MSL 26\u00a0m');
    expect(said(site('MSL', -10, 'ft'))).toBe('annotate.detail.datumOfZero MSL -3.048\u00a0m');
  });

  it('is not said where nobody knows', () => {
    expect(said(site(null, 26))).toBe('');
  });
});
