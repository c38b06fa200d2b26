import { describe, expect, it } from 'vitest';
import { TtlCache } from './ttl-cache.ts';

const createClock = () => {
  let time = 0;
  return { now: () => time, advance: (milliseconds: number) => void (time += milliseconds) };
};

describe('TtlCache', () => {
  it('loads once for concurrent callers, and again after the lifetime', async () => {
    const clock = createClock();
    const cache = new TtlCache<number>({ clock, lifetime: 100, capacity: 10 });
    let loads = 0;
    const load = () => Promise.resolve((loads += 1));
    expect(await Promise.all([cache.get('a', load), cache.get('a', load)])).toEqual([1, 1]);
    clock.advance(99);
    expect(await cache.get('a', load)).toBe(1);
    clock.advance(1);
    expect(await cache.get('a', load)).toBe(2);
  });

  it('does not cache a value that was dropped while loading', async () => {
    const cache = new TtlCache<string>({ clock: createClock(), lifetime: 100, capacity: 10 });
    let finish: (value: string) => void = () => undefined;
    const oldLoad = new Promise<string>((resolve) => {
      finish = resolve;
    });
    const pendingRead = cache.get('a', () => oldLoad);
    cache.dropWhere((value) => value === 'another value');
    expect(await cache.get('a', () => Promise.resolve('new'))).toBe('new');
    finish('old');
    expect(await pendingRead).toBe('old');
    expect(await cache.get('a', () => Promise.reject(new Error('loaded again')))).toBe('new');
  });

  it('drops only matching values', async () => {
    const cache = new TtlCache<string>({ clock: createClock(), lifetime: 100, capacity: 10 });
    for (const key of ['a', 'b']) await cache.get(key, () => Promise.resolve(key));
    cache.dropWhere((value) => value === 'a');
    expect(await cache.get('a', () => Promise.resolve('again'))).toBe('again');
    expect(await cache.get('b', () => Promise.resolve('again'))).toBe('b');
  });

  it('does not cache a failed load', async () => {
    const cache = new TtlCache<string>({ clock: createClock(), lifetime: 100, capacity: 10 });
    await expect(cache.get('a', () => Promise.reject(new Error('unavailable')))).rejects.toThrow('unavailable');
    expect(await cache.get('a', () => Promise.resolve('available'))).toBe('available');
  });

  it('keeps a newly loaded value if an older, dropped load fails afterwards', async () => {
    const cache = new TtlCache<string>({ clock: createClock(), lifetime: 100, capacity: 10 });
    let fail: (reason: Error) => void = () => undefined;
    const oldLoad = new Promise<string>((_, reject) => {
      fail = reject;
    });
    const pendingRead = cache.get('a', () => oldLoad);
    cache.drop('a');
    expect(await cache.get('a', () => Promise.resolve('new'))).toBe('new');
    fail(new Error('unavailable'));
    await expect(pendingRead).rejects.toThrow('unavailable');
    expect(await cache.get('a', () => Promise.resolve('loaded again'))).toBe('new');
  });

  it('evicts the oldest value above its capacity', async () => {
    const cache = new TtlCache<string>({ clock: createClock(), lifetime: 100, capacity: 2 });
    for (const key of ['a', 'b', 'c']) await cache.get(key, () => Promise.resolve(key));
    expect(await cache.get('a', () => Promise.resolve('again'))).toBe('again');
    expect(await cache.get('c', () => Promise.resolve('again'))).toBe('c');
  });
});
