import { describe, expect, it } from 'vitest';
import { chooseLabels, labelHeightPx, placeLabel, type Box, type LabelCandidate } from './place-label.ts';

const picture: Box = { left: 0, top: 0, width: 1000, height: 700 };
const anchorAt = (x: number, y = 300) => ({ x, y, mode: 'beside' }) as const;
const buildLabel = (id: string, left: number, changes: Partial<LabelCandidate> = {}): LabelCandidate => ({
  id,
  box: { left, top: 100, width: 100, height: labelHeightPx },
  rank: 0,
  distance: 5,
  ...changes,
});
const listVisible = (
  labels: readonly LabelCandidate[],
  previous: readonly string[] = [],
  coveredAreas: readonly Box[] = [],
  always?: number,
) => [...chooseLabels(labels, new Set(previous), coveredAreas, always).keys()].toSorted();

describe('placeLabel', () => {
  it('prefers the right side, uses the left side near the edge, and stays on the left as long as the label fits', () => {
    expect(placeLabel(anchorAt(500), 100, picture)).toMatchObject({ side: 'right', box: { left: 510 } });
    const onLeft = placeLabel(anchorAt(950), 100, picture);
    expect(onLeft?.side).toBe('left');
    expect(onLeft!.box.left + onLeft!.box.width).toBe(940);
    expect(placeLabel(anchorAt(500), 100, picture, 'left')?.side).toBe('left');
  });

  it('[TOUR-09] avoids an open panel and shortens text next to it', () => {
    const free = { left: 0, top: 0, width: 632, height: 700 };
    expect(placeLabel(anchorAt(500), 90, free)!.box.left).toBe(510);
    const long = placeLabel({ ...anchorAt(320) }, 400, free)!;
    expect(long.box.left + long.box.width).toBeLessThanOrEqual(632);
    expect(long.maxTextWidth).toBeLessThan(400);
    expect(placeLabel(anchorAt(700), 100, free)).toBeUndefined();
  });

  it('centres a label above a line but within the picture', () => {
    expect(placeLabel({ x: 500, y: 300, mode: 'over' }, 100, picture)!.box).toMatchObject({
      left: 444,
      top: 300 - 10 - labelHeightPx,
    });
    expect(placeLabel({ x: 990, y: 300, mode: 'over', from: 940, to: 1040 }, 100, picture)!.box.left).toBe(996 - 112);
    expect(placeLabel({ x: 500, y: 10, mode: 'over' }, 100, picture)!.box.top).toBe(20);
  });
});

describe('chooseLabels', () => {
  it('[TOUR-08] prefers the selected label, then the label under the pointer, then the nearest', () => {
    const labels = [
      buildLabel('near', 0, { distance: 1 }),
      buildLabel('far', 50, { distance: 9 }),
      buildLabel('away', 400),
    ];
    expect(listVisible(labels)).toEqual(['away', 'near']);
    expect(listVisible([labels[0]!, { ...labels[1]!, rank: 1 }, labels[2]!])).toEqual(['away', 'far']);
    expect(listVisible([{ ...labels[0]!, rank: 2 }, { ...labels[1]!, rank: 1 }, labels[2]!])).toEqual(['away', 'near']);
  });

  it('prefers a visible label to a nearer hidden one, and shows hidden labels again only with spare space', () => {
    expect(
      listVisible([buildLabel('near', 0, { distance: 1 }), buildLabel('far', 50, { distance: 9 })], ['far']),
    ).toEqual(['far']);
    expect(listVisible([buildLabel('one', 0), buildLabel('two', 103)], ['one'])).toEqual(['one']);
    expect(listVisible([buildLabel('one', 0), buildLabel('two', 103)], ['one', 'two'])).toEqual(['one', 'two']);
    expect(listVisible([buildLabel('one', 0), buildLabel('two', 107)], ['one'])).toEqual(['one', 'two']);
  });

  it('[TOUR-09] uses the other side of the anchor if the preferred side is occupied', () => {
    const alternative = { left: 300, top: 100, width: 100, height: labelHeightPx };
    const labels = [buildLabel('near', 0, { distance: 1 }), buildLabel('far', 50, { distance: 9, alternative })];
    expect(chooseLabels(labels, new Set(), []).get('far')).toEqual(alternative);
    expect(listVisible(labels, [], [{ left: 290, top: 0, width: 50, height: 700 }])).toEqual(['near']);
  });

  it('hides labels under a tool bar except the label of an unfinished shape', () => {
    const bar = { left: 0, top: 90, width: 1000, height: 48 };
    expect(
      listVisible([buildLabel('selected', 0, { rank: 2 }), buildLabel('making', 400, { rank: 3 })], [], [bar], 3),
    ).toEqual(['making']);
  });
});
