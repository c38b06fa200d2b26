import { describe, expect, it } from 'vitest';
import { findHit, findNodesInBox } from './find-hit.ts';
import { buildPlanFrame, ceilToStep, computeViewBox, fromDrawing, toBox, toDrawing } from './plan-frame.ts';

const plan = {
  address: '/plan.png',
  width: 1000,
  height: 500,
  placement: { centre: [100, 50] as const, scale: 0.1, heading: 30 },
  points: [],
};

describe('buildPlanFrame', () => {
  it('returns the plan if all viewpoints are on it', () => {
    const { area, image } = buildPlanFrame(plan, [[100, 50]]);
    expect([area.width, area.height, image]).toEqual([1000, 500, { x: 0, y: 0, width: 1000, height: 500 }]);
  });

  it('extends beyond the plan to viewpoints outside of it, and keeps their positions', () => {
    const position = [160, 60] as const;
    const { area, image } = buildPlanFrame(plan, [position]);
    expect(area.width).toBeGreaterThan(1000);
    const outsidePoint = toDrawing(area, position);
    expect(outsidePoint.x).toBeLessThan(area.width);
    const [east, north] = fromDrawing(area, { x: (image?.x ?? 0) + 500, y: (image?.y ?? 0) + 250 });
    expect([east, north].map((value) => Math.round(value * 1e6) / 1e6)).toEqual([100, 50]);
  });

  it('ignores a viewpoint that is far away', () => {
    const { area } = buildPlanFrame(plan, [[1e6, 1e6]]);
    expect(area.width).toBeLessThanOrEqual(3000);
  });

  it('returns an area around the viewpoints, without an image, if there is no placed plan', () => {
    const { area, image } = buildPlanFrame({ ...plan, placement: null }, [
      [10, 5],
      [30, 5],
    ]);
    expect([area.width * area.scale, area.height * area.scale, area.centre, image]).toEqual([
      40,
      30,
      [20, 5],
      undefined,
    ]);
    expect(buildPlanFrame(null, []).area.width).toBeGreaterThan(0);
  });
});

describe('drawing', () => {
  it('fits the area into an element of another aspect ratio without distortion', () => {
    const { area } = buildPlanFrame(plan, []);
    expect(computeViewBox(area, { zoom: 1, x: 0.5, y: 0.5 }, { width: 500, height: 500 })).toEqual({
      x: 0,
      y: -250,
      width: 1000,
      height: 1000,
      unitsPerPx: 2,
    });
  });

  it('rounds up to steps of 1, 2 and 5', () => {
    expect([0.3, 1, 1.1, 3, 7, 40].map(ceilToStep)).toEqual([0.5, 1, 2, 5, 10, 50]);
  });

  it('finds the nearest viewpoint, the handle of the selected viewpoint, and the viewpoints in a box', () => {
    const { area } = buildPlanFrame(null, [[0, 0]]);
    const nodes = [
      { uid: 'a', position: [0, 0, 0] as const, heading: 90 },
      { uid: 'b', position: [1, 0, 0] as const, heading: 0 },
    ];
    const find = (point: readonly [number, number], handleNodeUid?: string) =>
      findHit(toDrawing(area, point), { area, nodes, handleNodeUid, unitsPerPx: 2, isTouch: false });
    expect(find([0.4, 0])).toEqual({ uid: 'a', part: 'node' });
    expect(find([0.6, 0])).toEqual({ uid: 'b', part: 'node' });
    // The handle is 34 pixels from its viewpoint: 68 units of 0.05 m, or 3.4 m.
    expect(find([3.4, 0], 'a')).toEqual({ uid: 'a', part: 'handle' });
    expect(find([3.4, 0])).toBeUndefined();
    expect(findNodesInBox(toBox(toDrawing(area, [0.5, 1]), toDrawing(area, [2, -1])), area, nodes)).toEqual(['b']);
  });
});
