import { expect, it } from 'vitest';
import { siteColumns } from './site-columns.ts';

it('gives the US survey foot the French name that lengths use, and accepts its former names', () => {
  const unit = siteColumns.find(({ id }) => id === 'unit');
  const foot = unit?.values?.find(({ value }) => value === 'ftUS');
  expect(foot?.label.fr).toBe('Pied topographique US');
  expect(foot?.words).toEqual(['Pied d’arpentage américain', 'Pied géodésique américain']);
});
