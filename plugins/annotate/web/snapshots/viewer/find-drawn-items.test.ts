import { expect, it } from 'vitest';
import { touchesPicture } from './find-drawn-items.ts';

it.each([
  [true, 'a line from edge to edge', 'M-300 400L400 -300'],
  [false, 'a diagonal line beyond a corner', 'M-300.0 200.0L200.0 -300.0'],
  [false, 'a flat line above', 'M100 -10L700 -10'],
  [true, 'one of several lines', 'M-300 200L200 -300M-10 10L10 10'],
  [true, 'the closing line', 'M-10 300L-10 700L900 700L900 300Z'],
  [false, 'the same lines without the closing line', 'M-10 300L-10 700L900 700L900 300'],
  [true, 'an area around the picture', 'M-10 -10L900 -10L900 700L-10 700Z'],
  [false, 'an area beside the picture', 'M-90 -10L-10 -10L-10 700L-90 700Z'],
  [true, 'a point', 'M5 5'],
  [false, 'a point beside the picture', 'M810 100'],
])('[TOUR-11] finds %s for %s', (expected, _name, path) => {
  expect(touchesPicture(path, { width: 800, height: 600 })).toBe(expected);
});
