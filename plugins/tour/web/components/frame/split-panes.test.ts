import { expect, it } from 'vitest';
import { snapFraction } from './split-panes.tsx';

it('snaps the divider to the middle, and keeps each pane at least a fifth wide', () => {
  expect(snapFraction(0.485)).toBe(0.5);
  expect(snapFraction(0.515)).toBe(0.5);
  expect(snapFraction(0.47)).toBe(0.47);
  expect(snapFraction(0.01)).toBe(0.2);
  expect(snapFraction(1.3)).toBe(0.8);
});
