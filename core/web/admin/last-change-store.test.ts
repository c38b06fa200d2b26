import { describe, expect, it, vi } from 'vitest';
import { LastChangeStore } from './last-change-store.ts';

const texts = { done: 'x.done', undone: 'x.undone' };

describe('LastChangeStore', () => {
  it('undoes several changes in reverse order, and redoes them', async () => {
    const undo = vi.fn(async (uid: string) => `${uid}'`);
    const store = new LastChangeStore();
    store.report({ uids: ['a', 'b'], texts, values: {}, undo });
    await store.undo();
    expect([store.last?.uids, store.last?.isUndone]).toEqual([["b'", "a'"], true]);
    await store.undo();
    expect([store.last?.uids, store.last?.isUndone]).toEqual([["a''", "b''"], false]);
    expect(undo.mock.calls.map(([uid]) => uid)).toEqual(['b', 'a', "a'", "b'"]);
  });

  it('keeps only the changes whose undo failed', async () => {
    const failure = new Error('Refused.');
    const undo = vi
      .fn(async (uid: string) => uid)
      .mockResolvedValueOnce("b'")
      .mockRejectedValueOnce(failure);
    const store = new LastChangeStore();
    store.report({ uids: ['a', 'b'], texts, values: {}, undo });
    await store.undo();
    expect([store.last?.uids, store.last?.isUndone, store.undoFailure]).toEqual([['a'], false, failure]);
  });
});
