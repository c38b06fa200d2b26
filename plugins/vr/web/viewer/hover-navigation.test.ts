import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dwellMs, HoverNavigation } from './hover-navigation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('HoverNavigation', () => {
  const visitedNodes: string[] = [];
  const createHover = () => {
    visitedNodes.length = 0;
    return new HoverNavigation((node) => visitedNodes.push(node));
  };

  it('[PRO-08] [TOUR-12] walks once after the pointer has rested for a moment', () => {
    const hover = createHover();
    hover.enter('N2');
    vi.advanceTimersByTime(dwellMs - 1);
    expect(visitedNodes).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(visitedNodes).toEqual(['N2']);
    vi.advanceTimersByTime(10 * dwellMs);
    expect(visitedNodes).toEqual(['N2']);
  });

  it('[PRO-08] does not walk if the pointer leaves or a drag begins', () => {
    const hover = createHover();
    hover.enter('N2');
    vi.advanceTimersByTime(dwellMs / 2);
    hover.leave();
    hover.enter('N3');
    hover.cancel();
    vi.advanceTimersByTime(10 * dwellMs);
    expect(visitedNodes).toEqual([]);
  });

  it('[PRO-08] does not walk again before the pointer moves', () => {
    const hover = createHover();
    hover.handleWalk();
    hover.enter('N3');
    vi.advanceTimersByTime(10 * dwellMs);
    expect(visitedNodes).toEqual([]);
    hover.handleMove();
    vi.advanceTimersByTime(dwellMs);
    expect(visitedNodes).toEqual(['N3']);
  });
});
