import { expect, it } from 'vitest';
import { refusalIn, createRefusals } from './localized-error.ts';

const refusal = createRefusals('fixture', { 'fixture.refused.name': 'There is no {name} among {count, number}.' });

it('[PRO-20] formats a refusal in English and keeps its values', () => {
  expect(refusal('fixture.refused.name', { name: 'pump', count: 3 })).toEqual({
    message: 'fixture.refused.name',
    values: { name: 'pump', count: 3 },
    sentence: 'There is no pump among 3.',
  });
});

it('[PRO-20] replaces characters that a database cannot store', () => {
  const truncated = 'valve 🔥'.slice(0, -1);
  const namedRefusal = refusal('fixture.refused.name', { name: `a\0${truncated}`, count: 1 });
  const localizedError = refusalIn(`${truncated}.e57`, namedRefusal);
  expect(localizedError).toEqual({
    message: 'fixture.refused.name',
    values: { name: 'a\u{fffd}valve \u{fffd}', count: 1 },
    where: 'valve \u{fffd}.e57',
    sentence: '“valve \u{fffd}.e57”: There is no a\u{fffd}valve \u{fffd} among 1.',
  });
});
