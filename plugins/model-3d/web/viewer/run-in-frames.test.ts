import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runInFrames } from './run-in-frames.ts';

let now = 0;
let frames: (() => void)[] = [];
beforeEach(() => {
  now = 0;
  frames = [];
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.stubGlobal('requestAnimationFrame', (frame: () => void) => frames.push(frame));
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.splice(id - 1, 1));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function* work(count: number): Generator<void, string> {
  for (let part = 0; part < count; part += 1) {
    now += 3;
    yield;
  }
  return 'done';
}

it('ends at once if the work fits into the budget', () => {
  const onResult = vi.fn();
  runInFrames(work(2), 8, onResult);
  expect(onResult).toHaveBeenCalledWith('done');
  expect(frames).toEqual([]);
});

it('continues in the next frames until it is cancelled', () => {
  const onResult = vi.fn();
  const parts = work(7);
  const cancel = runInFrames(parts, 8, onResult);
  frames.pop()!();
  expect([now, onResult.mock.calls.length, frames.length]).toEqual([18, 0, 1]);
  cancel();
  expect(frames).toEqual([]);
  runInFrames(parts, 8, onResult);
  expect(onResult).toHaveBeenCalledExactlyOnceWith('done');
});
