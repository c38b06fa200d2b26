import { describe, expect, it } from 'vitest';
import { computeInsets, findFree } from './free-area.ts';

const box = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });
const window = box(0, 0, 1440, 900);
const none = { top: 0, right: 0, bottom: 0, left: 0, leftCorner: 0, rightCorner: 0 };
const bar = { edge: 'top', box: box(0, 0, 1440, 48) } as const;
const rail = { edge: 'left', box: box(8, 64, 56, 260) } as const;

describe('computeInsets', () => {
  it('measures the elements along each edge, including the strip below the bar', () => {
    const strip = { edge: 'top', box: box(400, 56, 500, 60) } as const;
    const tools = { edge: 'bottom', box: box(500, 844, 440, 48) } as const;
    const panel = { edge: 'right', box: box(1072, 56, 360, 836) } as const;
    expect(computeInsets(window, [bar, rail, strip, tools, panel])).toEqual({
      top: 116,
      right: 368,
      bottom: 56,
      left: 64,
      leftCorner: 56,
      rightCorner: 0,
    });
    expect(computeInsets(window, [bar, rail])).toEqual({ ...none, top: 48, left: 64 });
  });

  it('adds the map and the compass only to their corners', () => {
    const map = { edge: 'leftCorner', box: box(8, 620, 288, 272) } as const;
    const compass = { edge: 'rightCorner', box: box(1384, 750, 48, 142) } as const;
    expect(computeInsets(window, [map, compass])).toEqual({ ...none, leftCorner: 280, rightCorner: 56 });
  });

  it('counts only the elements of each half of a split view', () => {
    const other = { edge: 'left', box: box(729, 64, 56, 260) } as const;
    const parts = [bar, rail, other, { edge: 'right', box: box(1072, 56, 360, 836) } as const];
    expect(computeInsets(window, parts)).toMatchObject({ left: 64, right: 368 });
    expect(computeInsets(box(0, 0, 717, 900), parts)).toMatchObject({ top: 48, left: 64, right: 0 });
    expect(computeInsets(box(723, 0, 717, 900), parts)).toMatchObject({ top: 48, left: 62, right: 368 });
  });

  it('ignores a sheet of the full width and a card without an edge', () => {
    const sheet = { edge: 'right', box: box(0, 408, 390, 380) } as const;
    const card = { edge: undefined, box: box(8, 100, 300, 300) };
    expect(computeInsets(box(0, 0, 390, 844), [sheet, card])).toEqual(none);
  });
});

describe('findFree', () => {
  it('[TOUR-09] ends at a panel', () => {
    expect(findFree(box(0, 0, 1000, 700), [box(632, 56, 360, 636)])).toEqual(box(0, 0, 632, 700));
  });

  it('excludes a sheet at the bottom of a phone, but not a map in a corner', () => {
    expect(findFree(box(0, 0, 390, 844), [box(0, 450, 390, 338), box(0, 0, 390, 48)])).toEqual(box(0, 48, 390, 402));
    const picture = box(0, 0, 1000, 700);
    expect(findFree(picture, [box(8, 500, 290, 190)])).toEqual(picture);
  });
});
