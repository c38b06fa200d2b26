import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findTexts } from './text-search.ts';

const buildFiles = (...texts: readonly string[]) =>
  new Map(texts.map((letters, index) => [`file-${index}`, Buffer.from(letters)] as const));

it('finds each text in each file, at its beginning, its end, and across multi-byte characters', () => {
  const files = buildFiles('first text here', 'nothing of it', 'here: déjà été là first text', 'a text of ten');
  expect(Object.fromEntries(findTexts(['first text', 'text of ten', 'déjà été là', 'not in any file'], files))).toEqual(
    {
      'first text': ['file-0', 'file-2'],
      'text of ten': ['file-3'],
      'déjà été là': ['file-2'],
    },
  );
});

it('finds nothing in files shorter than any text, and refuses texts that are too short', () => {
  expect(findTexts(['0123456789'], buildFiles('', '012345678')).size).toBe(0);
  expect(() => findTexts(['short'], buildFiles('short'))).toThrow("'short' is too short");
});

it('agrees with String.includes', () => {
  const letters = (size: { minLength: number; maxLength: number }) =>
    fc.array(fc.constantFrom('a', 'b', 'é'), size).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.array(letters({ minLength: 10, maxLength: 14 }), { maxLength: 20 }),
      fc.array(letters({ minLength: 0, maxLength: 200 }), { maxLength: 4 }),
      (needles, texts) => {
        const pathsByNeedle = findTexts(needles, buildFiles(...texts));
        for (const needle of needles)
          expect(pathsByNeedle.get(needle) ?? []).toEqual(
            texts.flatMap((content, index) => (content.includes(needle) ? [`file-${index}`] : [])),
          );
      },
    ),
  );
});
