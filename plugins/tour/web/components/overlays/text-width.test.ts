import { expect, it } from 'vitest';
import { truncateText, measureWidth } from './text-width.ts';

it('shortens text with an ellipsis only if it does not fit', () => {
  const text = 'Corrosion at the bottom of the saddle';
  expect(truncateText(text, measureWidth(text, 'x'), 'x')).toBe(text);
  const shortened = truncateText(text, 120, 'x');
  expect(shortened).toMatch(/^Corrosion.*\S…$/);
  expect(measureWidth(shortened, 'x')).toBeLessThanOrEqual(120);
  expect(truncateText(text, 1, 'x')).toBe('…');
});
