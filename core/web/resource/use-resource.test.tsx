import { act, renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../kernel/services.ts';
import { useResource } from './use-resource.ts';

const goOnline = () => act(async () => void window.dispatchEvent(new Event('online')));

it('reloads once when the browser is online again, after a load that could not reach the server', async () => {
  const load = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(new ApiError(0, undefined))
    .mockResolvedValue('units');
  const { result, unmount } = await act(async () => renderHook(() => useResource(load, [])));
  expect(result.current.failure?.kind).toBe('offline');
  await goOnline();
  expect([result.current.value, load.mock.calls.length]).toEqual(['units', 2]);
  await goOnline();
  unmount();
  await goOnline();
  expect(load).toHaveBeenCalledTimes(2);
});

it('does not reload when the browser is online again, after a load that the server refused', async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValue(new ApiError(403, undefined));
  await act(async () => renderHook(() => useResource(load, [])));
  await goOnline();
  expect(load).toHaveBeenCalledTimes(1);
});
