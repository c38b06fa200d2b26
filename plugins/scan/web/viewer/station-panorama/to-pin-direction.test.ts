import { expect, it } from 'vitest';
import { toPinDirection } from './to-pin-direction.ts';

const node = { position: [0, 0, 1.7] as const };
const target = { position: [0, 4, 1.7] as const };
/** The direction to the floor four metres north. */
const link = { pan: 0, tilt: (-Math.atan2(1.7, 4) * 180) / Math.PI };

it('[TOUR-12] keeps the direction of a link only for a station at the position of the node', () => {
  expect(toPinDirection([0, 0.02, 1.7], node, target, link)).toEqual(link);
  const { pan, tilt } = toPinDirection([-4, 4, 2.7], node, target, link);
  expect([pan, tilt].map((value) => Math.round(value * 100) / 100)).toEqual([90, -34.02]);
});

it('[TOUR-12] keeps the direction of a ladder', () => {
  const ladder = { pan: 12, tilt: 80 };
  expect(toPinDirection([1, 1, 1.7], node, { position: [0.1, 0, 8.7] }, ladder)).toEqual(ladder);
});
