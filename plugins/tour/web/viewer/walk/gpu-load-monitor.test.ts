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
  const onRest = vi.fn();
  const monitor = new GpuLoadMonitor(onRest);
  const drawFrame = (milliseconds: number) => {
    monitor.onFrameRequested();
    monitor.onFrameDrawn(card as unknown as WebGL2RenderingContext);
    vi.advanceTimersByTime(milliseconds);
  };
  return { card, onRest, monitor, drawFrame };
}

describe('GpuLoadMonitor', () => {
  it('keeps full detail at any frame interval while the card is fast', () => {
    const { card, onRest, monitor, drawFrame } = setup();
    for (const milliseconds of [16, 16, 16, 400, 60]) drawFrame(milliseconds);
    expect([monitor.coarse, card.fences, onRest.mock.calls.length]).toEqual([false, 0, 0]);
  });

  it('reduces detail while the card is slow and requests one frame of full detail after a rest', () => {
    const { card, onRest, monitor, drawFrame } = setup();
    card.status = 0;
    drawFrame(49);
    expect(monitor.coarse).toBe(false);
    drawFrame(20);
    expect(monitor.coarse).toBe(true);
    // A requested frame that is drawn late does not count as rest.
    drawFrame(10);
    monitor.onFrameRequested();
    vi.advanceTimersByTime(800);
    expect(onRest).not.toHaveBeenCalled();
    drawFrame(161);
    expect([monitor.coarse, onRest.mock.calls.length]).toEqual([false, 1]);
    // The frame at rest is slow too, so the next movement starts with less detail. No other frame is requested.
    drawFrame(1000);
    expect([monitor.coarse, onRest.mock.calls.length]).toEqual([true, 1]);
  });

  it('ignores a lost context', () => {
    const { card, monitor, drawFrame } = setup();
    card.status = 0;
    card.lost = true;
    drawFrame(100);
    expect(monitor.coarse).toBe(false);
  });

  it('requests no frame after its end and deletes its fence', () => {
    const { card, onRest, monitor, drawFrame } = setup();
    card.status = 0;
    drawFrame(60);
    drawFrame(10);
    monitor.end();
    drawFrame(10);
    monitor.end();
    vi.advanceTimersByTime(1000);
    expect([onRest.mock.calls.length, card.fences]).toEqual([0, 0]);
  });
});
