import { expect, it } from 'vitest';
import { shortened, widthOf } from './text-width.ts';

it('shortens words by an ellipsis to what fits, and leaves those that fit', () => {
  const words = 'Corrosion at the bottom of the saddle';
  expect(shortened(words, widthOf(words, 'x'), 'x')).toBe(words);
  const short = shortened(words, 120, 'x');
  expect(short).toMatch(/^Corrosion.*\S…$/);
  expect(widthOf(short, 'x')).toBeLessThanOrEqual(120);
  expect(shortened(words, 1, 'x')).toBe('…');
});
