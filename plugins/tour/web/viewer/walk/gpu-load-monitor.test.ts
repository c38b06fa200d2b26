import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GpuLoadMonitor } from './gpu-load-monitor.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setup() {
  const card = {
    SYNC_GPU_COMMANDS_COMPLETE: 1,
    SYNC_STATUS: 2,
    SIGNALED: 3,
    fences: 0,
    status: 3,
    lost: false,
    fenceSync: () => ({ fence: ++card.fences }),
    flush: () => undefined,
    isContextLost: () => card.lost,
    getSyncParameter: () => card.status,
    deleteSync: () => void card.fences--,
  };
  const rested = vi.fn();
  const detail = new GpuLoadMonitor(rested);
  const frame = (milliseconds: number) => {
    detail.frameRequested();
    detail.drawn(card as unknown as WebGL2RenderingContext);
    vi.advanceTimersByTime(milliseconds);
  };
  return { card, rested, detail, frame };
}

describe('GpuLoadMonitor', () => {
  it('keeps full detail while the card is fast, at any frame interval, and deletes each fence', () => {
    const { card, rested, detail, frame } = setup();
    for (const milliseconds of [16, 16, 16, 400, 60]) frame(milliseconds);
    expect([detail.coarse, card.fences, rested.mock.calls.length]).toEqual([false, 0, 0]);
  });

  it('reduces detail once the card is slow and restores it once after a rest', () => {
    const { card, rested, detail, frame } = setup();
    card.status = 0;
    frame(49);
    expect(detail.coarse).toBe(false);
    frame(20);
    expect(detail.coarse).toBe(true);
    // A late frame after a request is no rest.
    frame(10);
    detail.frameRequested();
    vi.advanceTimersByTime(800);
    expect(rested).not.toHaveBeenCalled();
    frame(161);
    expect([detail.coarse, rested.mock.calls.length]).toEqual([false, 1]);
    // The frame at rest is slow too: the next movement starts coarse, without another draw.
    frame(1000);
    expect([detail.coarse, rested.mock.calls.length]).toEqual([true, 1]);
  });

  it('ignores a lost context', () => {
    const { card, detail, frame } = setup();
    card.status = 0;
    card.lost = true;
    frame(100);
    expect(detail.coarse).toBe(false);
  });

  it('requests nothing after its end and deletes its fence', () => {
    const { card, rested, detail, frame } = setup();
    card.status = 0;
    frame(60);
    frame(10);
    detail.end();
    frame(10);
    detail.end();
    vi.advanceTimersByTime(1000);
    expect([rested.mock.calls.length, card.fences]).toEqual([0, 0]);
  });
});
