import { describe, expect, it } from 'vitest';
import { buildNode } from '../../../testing/web/test-tour.ts';
import { groupNodes } from './group-nodes.ts';
import {
  computeFirstWindow,
  fromWindow,
  maxZoom,
  moveWindow,
  showInWindow,
  toWindow,
  wholePlan,
  zoomWindow,
} from './plan-window.ts';

describe('the window of a plan', () => {
  it('shows the whole plan of a small deck, and about 40 of 2,000 viewpoints around the current one', () => {
    expect(computeFirstWindow(16, { x: 0.2, y: 0.7 })).toEqual(wholePlan);
    const first = computeFirstWindow(2_000, { x: 0.2, y: 0.7 });
    expect(2_000 / first.zoom ** 2).toBeCloseTo(40, 6);
    expect(toWindow(first, { x: 0.2, y: 0.7 })).toEqual({ x: 0.5, y: 0.5 });
  });

  it('keeps the point under the pointer in its place while it zooms', () => {
    const first = zoomWindow(wholePlan, 4, { x: 0.3, y: 0.6 });
    const point = { x: 0.3, y: 0.6 };
    expect(toWindow(first, point).x).toBeCloseTo(0.3, 9);
    const second = zoomWindow(first, 2, { x: 0.9, y: 0.1 });
    const fixed = { x: first.x + 0.4 / first.zoom, y: first.y - 0.4 / first.zoom };
    expect(toWindow(second, fixed).x).toBeCloseTo(0.9, 9);
    expect(toWindow(second, fixed).y).toBeCloseTo(0.1, 9);
  });

  it('converts a point back, and moves as little as necessary to contain it', () => {
    const window = { zoom: 4, x: 0.5, y: 0.5 };
    expect(fromWindow(window, toWindow(window, { x: 0.6, y: 0.45 }))).toEqual({ x: 0.6, y: 0.45 });
    expect(showInWindow(window, { x: 0.6, y: 0.45 })).toEqual(window);
    const moved = showInWindow(window, { x: 0.7, y: 0.5 });
    expect(toWindow(moved, { x: 0.7, y: 0.5 }).x).toBeCloseTo(0.95, 9);
    expect(moved.y).toBe(0.5);
  });

  it('stays within the plan and the limits of the zoom', () => {
    expect(moveWindow(wholePlan, 1, -1)).toEqual(wholePlan);
    expect(moveWindow({ zoom: 2, x: 0.5, y: 0.5 }, 5, 0)).toEqual({ zoom: 2, x: 0.75, y: 0.5 });
    expect(zoomWindow(wholePlan, 1e9).zoom).toBe(maxZoom);
    expect(zoomWindow(zoomWindow(wholePlan, 8, { x: 1, y: 1 }), 1e-9)).toEqual(wholePlan);
  });
});

describe('groupNodes', () => {
  it('groups viewpoints that would overlap, except the current one', () => {
    const nodes = ['A', 'B', 'C', 'D'].map((code) => buildNode(code));
    const placed = nodes.map((node, index) => ({ node, x: index < 3 ? 10 + index : 100, y: 10 }));
    const groups = groupNodes(placed, 24, nodes[1]);
    expect(groups.map((group) => group.nodes.map(({ code }) => code).join(''))).toEqual(['AC', 'B', 'D']);
    expect(groups[0]?.x).toBe(11);
  });

  it('keeps the groups while the plan moves', () => {
    const nodes = ['A', 'B', 'C', 'D'].map((code) => buildNode(code));
    const listGroups = (moved: number) => {
      const placed = nodes.map((node, index) => ({ node, x: 15 * index + moved, y: 10 }));
      const groups = groupNodes(placed, 24, undefined, { x: moved, y: 0 });
      return groups.map((group) => group.nodes.map(({ code }) => code).join(''));
    };
    for (const moved of [0, 5, 10, 15, 20]) expect(listGroups(moved)).toEqual(['AB', 'CD']);
  });

  it('needs at most one button for each cell, however many viewpoints there are', () => {
    const placed = Array.from({ length: 2_000 }, (_, k) => ({
      node: buildNode(`N${k}`),
      x: (k * 37) % 280,
      y: (k * 91) % 190,
    }));
    expect(groupNodes(placed, 22, undefined).length).toBeLessThanOrEqual(13 * 9);
  });
});
