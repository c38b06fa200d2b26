import { expect, it } from 'vitest';
import { toTimeSpan } from './to-time-span.ts';

it.each([
  [28_800_000, { unit: 'hours', count: 8 }],
  [86_400_000, { unit: 'hours', count: 24 }],
  [172_800_000, { unit: 'days', count: 2 }],
  [5_400_000, { unit: 'minutes', count: 90 }],
  [30_000, { unit: 'minutes', count: 1 }],
  [29_999, undefined],
  [0, undefined],
])('converts %d milliseconds to %j', (milliseconds, span) => {
  expect(toTimeSpan(milliseconds)).toEqual(span);
});
