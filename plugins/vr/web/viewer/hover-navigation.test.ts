import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dwellMs, HoverNavigation } from './hover-navigation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('hover navigation', () => {
  const went: string[] = [];
  const make = () => {
    went.length = 0;
    return new HoverNavigation((node) => went.push(node));
  };

  it('[PRO-08] [TOUR-12] walks after the pointer has rested for a moment', () => {
    const hover = make();
    hover.enter('N2');
    vi.advanceTimersByTime(dwellMs - 1);
    expect(went).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(went).toEqual(['N2']);
    vi.advanceTimersByTime(10 * dwellMs);
    expect(went).toEqual(['N2']);
  });

  it('[PRO-08] does nothing if the pointer leaves or a drag begins earlier', () => {
    const hover = make();
    hover.enter('N2');
    vi.advanceTimersByTime(dwellMs / 2);
    hover.leave();
    hover.enter('N3');
    hover.cancel();
    vi.advanceTimersByTime(10 * dwellMs);
    expect(went).toEqual([]);
  });

  it('[PRO-08] waits for a pointer move after a walk', () => {
    const hover = make();
    hover.walked();
    hover.enter('N3');
    vi.advanceTimersByTime(10 * dwellMs);
    expect(went).toEqual([]);
    hover.moved();
    vi.advanceTimersByTime(dwellMs);
    expect(went).toEqual(['N3']);
  });
});
