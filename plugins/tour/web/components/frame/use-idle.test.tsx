import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { idleAfterMs, useIdle } from './use-idle.ts';

const setup = (hasMouse: boolean) => {
  vi.stubGlobal('matchMedia', (query: string) => ({ matches: query === '(hover: none)' && !hasMouse }));
  const frame = { current: document.body };
  return renderHook(() => useIdle(frame)).result;
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('is idle after some time without input', () => {
  const idle = setup(true);
  act(() => void vi.advanceTimersByTime(idleAfterMs));
  expect(idle.current).toBe(true);
});

it('is never idle on a device without a mouse', () => {
  const idle = setup(false);
  act(() => void vi.advanceTimersByTime(3 * idleAfterMs));
  expect(idle.current).toBe(false);
});
