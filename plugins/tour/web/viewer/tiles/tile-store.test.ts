import { describe, expect, it, vi } from 'vitest';
import type { TilePages, TileSlot } from '../gl/tile-pages.ts';
import type { TileBounds } from '../math/tile-grid.ts';
import { TileStore } from './tile-store.ts';

const bounds: TileBounds = { level: 0, column: 0, row: 0, left: 0, top: 0, right: 1, bottom: 1 };

/** Creates a store with a capacity, and a function that adds a tile by its key. */
function setup(capacity: number) {
  const freeSlots: TileSlot[] = Array.from({ length: capacity }, (_, layer) => ({ page: 0, layer }));
  const pages = { acquireSlot: () => freeSlots.shift(), upload: vi.fn() };
  const store = new TileStore(pages as unknown as TilePages, 512);
  const close = vi.fn();
  const add = (key: string, frame: number): boolean =>
    store.add(key, 'p', bounds, { width: 512, height: 512, close } as unknown as ImageBitmap, frame);
  return { store, pages, close, add };
}

describe('TileStore', () => {
  it('evicts the least recently used tile', () => {
    const { store, add } = setup(3);
    for (const key of ['a', 'b', 'c']) add(key, 1);
    store.touch('a', 5);
    store.touch('c', 4);
    const slot = store.touch('b', 3)?.slot;
    expect(add('d', 7)).toBe(true);
    expect(['a', 'b', 'c', 'd'].map((key) => store.has(key))).toEqual([true, false, true, true]);
    expect(store.touch('d', 7)?.slot).toBe(slot);
  });

  it('rejects a new tile rather than evicting tiles of the current or the previous frame', () => {
    const { store, pages, close, add } = setup(2);
    add('a', 1);
    add('b', 1);
    store.touch('a', 9);
    store.touch('b', 10);
    expect(add('c', 10)).toBe(false);
    expect([store.has('a'), store.has('b'), store.has('c'), store.count]).toEqual([true, true, false, 2]);
    expect([pages.upload.mock.calls.length, close.mock.calls.length]).toEqual([2, 3]);
    expect(add('c', 11)).toBe(true);
    expect([store.has('a'), store.has('c')]).toEqual([false, true]);
  });
});
