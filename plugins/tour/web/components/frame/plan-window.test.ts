import { describe, expect, it } from 'vitest';
import { toWindow, wholePicture } from '#core/ui';
import { buildNode } from '../../../testing/web/test-tour.ts';
import { groupNodes } from './group-nodes.ts';
import { computeFirstWindow } from './plan-window.ts';

describe('the window of a plan', () => {
  it('shows the whole plan of a small deck, and about 40 of 2,000 viewpoints around the current viewpoint', () => {
    expect(computeFirstWindow(16, { x: 0.2, y: 0.7 })).toEqual(wholePicture);
    const first = computeFirstWindow(2_000, { x: 0.2, y: 0.7 });
    expect(2_000 / first.zoom ** 2).toBeCloseTo(40, 6);
    expect(toWindow(first, { x: 0.2, y: 0.7 })).toEqual({ x: 0.5, y: 0.5 });
  });
});

describe('groupNodes', () => {
  it('groups viewpoints that would overlap, except the current one', () => {
    const nodes = ['A', 'B', 'C', 'D'].map((code) => buildNode(code));
    const placedNodes = nodes.map((node, index) => ({ node, x: index < 3 ? 10 + index : 100, y: 10 }));
    const groups = groupNodes(placedNodes, 24, nodes[1]);
    expect(groups.map((group) => group.nodes.map(({ code }) => code).join(''))).toEqual(['AC', 'B', 'D']);
    expect(groups[0]?.x).toBe(11);
  });

  it('keeps the groups while the plan moves', () => {
    const nodes = ['A', 'B', 'C', 'D'].map((code) => buildNode(code));
    const listGroups = (offset: number) => {
      const placedNodes = nodes.map((node, index) => ({ node, x: 15 * index + offset, y: 10 }));
      const groups = groupNodes(placedNodes, 24, undefined, { x: offset, y: 0 });
      return groups.map((group) => group.nodes.map(({ code }) => code).join(''));
    };
    for (const offset of [0, 5, 10, 15, 20]) expect(listGroups(offset)).toEqual(['AB', 'CD']);
  });

  it('needs at most one button per cell for any number of viewpoints', () => {
    const placedNodes = Array.from({ length: 2_000 }, (_, k) => ({
      node: buildNode(`N${k}`),
      x: (k * 37) % 280,
      y: (k * 91) % 190,
    }));
    expect(groupNodes(placedNodes, 22, undefined).length).toBeLessThanOrEqual(13 * 9);
  });
});
