import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MovingDetail } from './moving-detail.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('detail while one moves', () => {
  it('stays whole where frames come in time', () => {
    const rested = vi.fn();
    const detail = new MovingDetail(rested);
    expect([detail.everyAfter(16), detail.everyAfter(40)]).toEqual([1, 1]);
    vi.advanceTimersByTime(1000);
    expect(rested).not.toHaveBeenCalled();
  });

  it('is less once a frame came late, until one rests, and then all is drawn once', () => {
    const rested = vi.fn();
    const detail = new MovingDetail(rested);
    expect([detail.everyAfter(200), detail.everyAfter(20)]).toEqual([4, 4]);
    vi.advanceTimersByTime(100);
    expect(detail.everyAfter(20)).toBe(4);
    vi.advanceTimersByTime(159);
    expect(rested).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(rested).toHaveBeenCalledTimes(1);
    expect(detail.everyAfter(20)).toBe(1);
  });

  it('asks for nothing after its end', () => {
    const rested = vi.fn();
    const detail = new MovingDetail(rested);
    detail.everyAfter(200);
    detail.end();
    vi.advanceTimersByTime(1000);
    expect(rested).not.toHaveBeenCalled();
  });
});
