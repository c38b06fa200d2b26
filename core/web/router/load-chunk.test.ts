import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ChunkLoadError, chunkRetryPolicy, loadChunk } from '../kernel/load-chunk.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('loadChunk', () => {
  it('[ERR-02] retries, then reports the chunk and the number of attempts', async () => {
    const load = vi.fn(() => Promise.reject(new TypeError('Failed to fetch')));
    const result = loadChunk('parts.module', load).catch((error: unknown) => error);
    await vi.runAllTimersAsync();
    const error = await result;
    expect(error).toBeInstanceOf(ChunkLoadError);
    expect(error).toMatchObject({ name: 'ChunkLoadError', chunk: 'parts.module', attempts: 3 });
    expect(load).toHaveBeenCalledTimes(3);
  });

  it('[ERR-02] succeeds on a later attempt', async () => {
    const load = vi.fn().mockRejectedValueOnce(new TypeError('Failed to fetch')).mockResolvedValue('code');
    const result = loadChunk('a', load);
    await vi.runAllTimersAsync();
    await expect(result).resolves.toBe('code');
  });

  it('[API-11] ends an attempt after 120 seconds and does not retry it', async () => {
    expect(chunkRetryPolicy.timeoutMs).toBe(120_000);
    const load = vi.fn(() => new Promise<never>(() => undefined));
    const result = loadChunk('a', load).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(119_999);
    await expect(Promise.race([result, Promise.resolve('waiting')])).resolves.toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toMatchObject({ name: 'ChunkLoadError', attempts: 1 });
    expect(load).toHaveBeenCalledTimes(1);
  });
});
