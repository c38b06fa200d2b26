import { expect, it } from 'vitest';
import { shortened, measureWidth } from './text-width.ts';

it('shortens text with an ellipsis only if it does not fit', () => {
  const words = 'Corrosion at the bottom of the saddle';
  expect(shortened(words, measureWidth(words, 'x'), 'x')).toBe(words);
  const short = shortened(words, 120, 'x');
  expect(short).toMatch(/^Corrosion.*\S…$/);
  expect(measureWidth(short, 'x')).toBeLessThanOrEqual(120);
  expect(shortened(words, 1, 'x')).toBe('…');
});
