import { describe, expect, it } from 'vitest';
import { computeInsets, findFreeArea } from './free-area.ts';

const buildBox = (left: number, top: number, width: number, height: number) => ({ left, top, width, height });
const fullWindow = buildBox(0, 0, 1440, 900);
const noInsets = { top: 0, right: 0, bottom: 0, aboveBottom: 0, left: 0, leftCorner: 0, rightCorner: 0 };
const bar = { edge: 'top', box: buildBox(0, 0, 1440, 48) } as const;
const rail = { edge: 'left', box: buildBox(8, 64, 56, 260) } as const;

describe('computeInsets', () => {
  it('measures elements along each edge, including an element below the top bar', () => {
    const strip = { edge: 'top', box: buildBox(400, 56, 500, 60) } as const;
    const tools = { edge: 'bottom', box: buildBox(500, 844, 440, 48) } as const;
    const panel = { edge: 'right', box: buildBox(1072, 56, 360, 836) } as const;
    expect(computeInsets(fullWindow, [bar, rail, strip, tools, panel])).toEqual({
      top: 116,
      right: 368,
      bottom: 56,
      aboveBottom: 56,
      left: 64,
      leftCorner: 56,
      rightCorner: 0,
    });
    expect(computeInsets(fullWindow, [bar, rail])).toEqual({ ...noInsets, top: 48, left: 64 });
  });

  it('measures an element above the bars of a phone without moving that element', () => {
    const phone = buildBox(0, 0, 390, 844);
    const note = { edge: 'aboveBottom', box: buildBox(100, 688, 190, 28) } as const;
    const modules = { edge: 'bottom', box: buildBox(8, 780, 374, 56) } as const;
    const tools = { edge: 'bottom', box: buildBox(60, 728, 270, 48) } as const;
    expect(computeInsets(phone, [note, modules, tools])).toEqual({
      ...noInsets,
      bottom: 156,
      aboveBottom: 116,
      leftCorner: 156,
    });
    // The upper pane of a split view.
    expect(computeInsets(buildBox(0, 0, 390, 400), [note, modules, tools])).toEqual(noInsets);
  });

  it('adds the map and the compass only to their corners', () => {
    const map = { edge: 'leftCorner', box: buildBox(8, 620, 288, 272) } as const;
    const compass = { edge: 'rightCorner', box: buildBox(1384, 750, 48, 142) } as const;
    expect(computeInsets(fullWindow, [map, compass])).toEqual({ ...noInsets, leftCorner: 280, rightCorner: 56 });
  });

  it('ignores elements over the other pane of a split view', () => {
    const secondaryRail = { edge: 'left', box: buildBox(729, 64, 56, 260) } as const;
    const parts = [bar, rail, secondaryRail, { edge: 'right', box: buildBox(1072, 56, 360, 836) } as const];
    expect(computeInsets(fullWindow, parts)).toMatchObject({ left: 64, right: 368 });
    expect(computeInsets(buildBox(0, 0, 717, 900), parts)).toMatchObject({ top: 48, left: 64, right: 0 });
    expect(computeInsets(buildBox(723, 0, 717, 900), parts)).toMatchObject({ top: 48, left: 62, right: 368 });
  });

  it('ignores a full-width sheet and a card that covers no edge', () => {
    const sheet = { edge: 'right', box: buildBox(0, 408, 390, 380) } as const;
    const card = { edge: undefined, box: buildBox(8, 100, 300, 300) };
    expect(computeInsets(buildBox(0, 0, 390, 844), [sheet, card])).toEqual(noInsets);
  });
});

describe('findFreeArea', () => {
  it('[TOUR-09] excludes the area of a panel', () => {
    expect(findFreeArea(buildBox(0, 0, 1000, 700), [buildBox(632, 56, 360, 636)])).toEqual(buildBox(0, 0, 632, 700));
  });

  it('excludes a sheet at the bottom but not a map in a corner', () => {
    expect(findFreeArea(buildBox(0, 0, 390, 844), [buildBox(0, 450, 390, 338), buildBox(0, 0, 390, 48)])).toEqual(
      buildBox(0, 48, 390, 402),
    );
    const picture = buildBox(0, 0, 1000, 700);
    expect(findFreeArea(picture, [buildBox(8, 500, 290, 190)])).toEqual(picture);
  });

  it('keeps the part above a sheet that is higher than half of the picture', () => {
    expect(findFreeArea(buildBox(0, 0, 390, 844), [buildBox(0, 408, 390, 380), buildBox(0, 788, 390, 56)])).toEqual(
      buildBox(0, 0, 390, 408),
    );
  });
});
