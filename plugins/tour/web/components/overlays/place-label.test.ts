import { describe, expect, it } from 'vitest';
import { chooseLabels, labelHeight, placeLabel, type Box, type Contender } from './place-label.ts';

const picture: Box = { left: 0, top: 0, width: 1000, height: 700 };
const beside = (x: number, y = 300) => ({ x, y, mode: 'beside' }) as const;
const label = (id: string, left: number, more: Partial<Contender> = {}): Contender => ({
  id,
  box: { left, top: 100, width: 100, height: labelHeight },
  rank: 0,
  distance: 5,
  ...more,
});
const chosen = (
  labels: readonly Contender[],
  shown: readonly string[] = [],
  covers: readonly Box[] = [],
  always?: number,
) => [...chooseLabels(labels, new Set(shown), covers, always).keys()].toSorted();

describe('placeLabel', () => {
  it('prefers the right side, uses the left near the edge, and keeps its side as long as it fits', () => {
    expect(placeLabel(beside(500), 100, picture)).toMatchObject({ side: 'right', box: { left: 510 } });
    const turned = placeLabel(beside(950), 100, picture);
    expect(turned?.side).toBe('left');
    expect(turned!.box.left + turned!.box.width).toBe(940);
    expect(placeLabel(beside(500), 100, picture, 'left')?.side).toBe('left');
  });

  it('[TOUR-09] avoids an open panel and shortens its text there', () => {
    const free = { left: 0, top: 0, width: 632, height: 700 };
    expect(placeLabel(beside(500), 90, free)!.box.left).toBe(510);
    const long = placeLabel({ ...beside(320) }, 400, free)!;
    expect(long.box.left + long.box.width).toBeLessThanOrEqual(632);
    expect(long.maxTextWidth).toBeLessThan(400);
    expect(placeLabel(beside(700), 100, free)).toBeUndefined();
  });

  it('stays centred above a line, within the picture, even if part of the line is covered', () => {
    expect(placeLabel({ x: 500, y: 300, mode: 'over' }, 100, picture)!.box).toMatchObject({
      left: 444,
      top: 300 - 10 - labelHeight,
    });
    expect(placeLabel({ x: 990, y: 300, mode: 'over', from: 940, to: 1040 }, 100, picture)!.box.left).toBe(996 - 112);
    expect(placeLabel({ x: 500, y: 10, mode: 'over' }, 100, picture)!.box.top).toBe(20);
  });
});

describe('chooseLabels', () => {
  it('[TOUR-08] prefers the selected label, then the one under the pointer, then the nearest', () => {
    const labels = [label('near', 0, { distance: 1 }), label('far', 50, { distance: 9 }), label('away', 400)];
    expect(chosen(labels)).toEqual(['away', 'near']);
    expect(chosen([labels[0]!, { ...labels[1]!, rank: 1 }, labels[2]!])).toEqual(['away', 'far']);
    expect(chosen([{ ...labels[0]!, rank: 2 }, { ...labels[1]!, rank: 1 }, labels[2]!])).toEqual(['away', 'near']);
  });

  it('keeps visible labels when another comes nearer and shows hidden ones again only with spare room', () => {
    expect(chosen([label('near', 0, { distance: 1 }), label('far', 50, { distance: 9 })], ['far'])).toEqual(['far']);
    expect(chosen([label('one', 0), label('two', 103)], ['one'])).toEqual(['one']);
    expect(chosen([label('one', 0), label('two', 103)], ['one', 'two'])).toEqual(['one', 'two']);
    expect(chosen([label('one', 0), label('two', 107)], ['one'])).toEqual(['one', 'two']);
  });

  it('[TOUR-09] uses the other side of the mark if its own is taken', () => {
    const other = { left: 300, top: 100, width: 100, height: labelHeight };
    const labels = [label('near', 0, { distance: 1 }), label('far', 50, { distance: 9, other })];
    expect(chooseLabels(labels, new Set(), []).get('far')).toEqual(other);
    expect(chosen(labels, [], [{ left: 290, top: 0, width: 50, height: 700 }])).toEqual(['near']);
  });

  it('hides labels under a tool bar, but not the active measurement', () => {
    const bar = { left: 0, top: 90, width: 1000, height: 48 };
    expect(chosen([label('kept', 0, { rank: 2 }), label('making', 400, { rank: 3 })], [], [bar], 3)).toEqual([
      'making',
    ]);
  });
});
