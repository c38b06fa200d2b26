import { expect, it } from 'vitest';
import { relativeView } from './relative-view.ts';

const node = { position: [0, 0, 1.7] as const };
const target = { position: [0, 4, 1.7] as const };
/** To the floor four metres north. */
const link = { pan: 0, tilt: (-Math.atan2(1.7, 4) * 180) / Math.PI };

it('[TOUR-12] keeps the direction of a link for a station at the node, and points to the same floor position from a station beside it', () => {
  expect(relativeView([0, 0.02, 1.7], node, target, link)).toEqual(link);
  const { pan, tilt } = relativeView([-4, 4, 2.7], node, target, link);
  expect([pan, tilt].map((value) => Math.round(value * 100) / 100)).toEqual([90, -34.02]);
});

it('[TOUR-12] keeps the direction of a ladder', () => {
  const ladder = { pan: 12, tilt: 80 };
  expect(relativeView([1, 1, 1.7], node, { position: [0.1, 0, 8.7] }, ladder)).toEqual(ladder);
});
