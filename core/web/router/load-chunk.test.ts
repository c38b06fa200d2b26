import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChunkLoadError, chunkTimeoutMs, loadChunk } from '../kernel/load-chunk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('loadChunk', () => {
  it('[ERR-02] retries, then reports the chunk and the number of attempts', async () => {
    const load = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    const outcome = loadChunk('permits.module', load).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    const error = await outcome;
    expect(error).toBeInstanceOf(ChunkLoadError);
    expect(error).toMatchObject({ name: 'ChunkLoadError', chunk: 'permits.module', attempts: 3 });
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('[ERR-02] succeeds on a later attempt', async () => {
    const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue('code');
    const outcome = loadChunk('a', load);
    await vi.runAllTimersAsync();
    await expect(outcome).resolves.toBe('code');
  });

  it('[API-11] gives an attempt 120 seconds, and never joins the same pending request', async () => {
    expect(chunkTimeoutMs.timeout).toBe(120_000);
    const load = vi.fn(() => new Promise<never>(() => undefined));
    const outcome = loadChunk('a', load).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(119_999);
    await expect(Promise.race([outcome, Promise.resolve('waiting')])).resolves.toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ name: 'ChunkLoadError', attempts: 1 });
    expect(load).toHaveBeenCalledTimes(1);
  });
});
