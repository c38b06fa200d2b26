import { expect, it } from 'vitest';
import { formatFindingCodes } from './code-labels.ts';

it('replaces codes in findings by their labels, also for a column without listed values', () => {
  const terms = [{ value: 'ROOM', label: { en: 'Room', fr: 'Local' } }];
  const finding = { message: 'imports.refused.enum', values: { values: 'ROOM, DECK' } };
  expect(formatFindingCodes(finding, { values: [], terms }, 'fr').values).toEqual({ values: 'Local, DECK' });
});
