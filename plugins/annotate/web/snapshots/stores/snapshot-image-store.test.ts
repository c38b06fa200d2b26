import { observable, runInAction } from 'mobx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session, SessionState } from '#core/web';
import { MemoryDatabase } from '../../../testing/web/memory-database.ts';
import { MemoryStorage } from '../../../testing/web/memory-storage.ts';
import { IndexedSnapshotImageStore, type StoredImage } from './snapshot-image-store.ts';

const picture = (uid: string): StoredImage => ({
  uid,
  location: 'lower',
  author: 'ann',
  picture: new Blob(['large']),
  thumbnail: new Blob(['small']),
});

describe('IndexedSnapshotImageStore', () => {
  let database: MemoryDatabase;
  let storage: MemoryStorage;
  let session: { state: SessionState };
  const page = () => new IndexedSnapshotImageStore(session as Session, storage);
  const uids = async (box: IndexedSnapshotImageStore) => (await box.all()).map(({ uid }) => uid);

  beforeEach(() => {
    [database, storage, session] = [
      new MemoryDatabase(),
      new MemoryStorage(),
      observable({ state: 'signedIn' as SessionState }),
    ];
    vi.stubGlobal('indexedDB', database);
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('[TOUR-11] keeps pictures for the next page until they are deleted', async () => {
    await page().put(picture('a'));
    await page().put(picture('b'));
    expect(await uids(page())).toEqual(['a', 'b']);
    await page().delete('a');
    expect(await uids(page())).toEqual(['b']);
  });

  it('[TOUR-11] is empty after a logout, also without an open tour, and not after an expired session', async () => {
    await page().put(picture('a'));
    const open = page();
    runInAction(() => (session.state = 'expired'));
    expect(await uids(open)).toEqual(['a']);
    runInAction(() => (session.state = 'signedOut'));
    expect(await uids(open)).toEqual([]);
    expect(database.images.size).toBe(0);
    await page().put(picture('b'));
    // The part of a logout that happens wherever it is started.
    storage.clear();
    expect(await uids(page())).toEqual([]);
    expect(database.images.size).toBe(0);
    await page().put(picture('c'));
    storage.clear();
    await page().put(picture('d'));
    expect([...database.images.keys()]).toEqual(['d']);
  });

  it('[TOUR-11] keeps pictures in memory if the browser has no storage', async () => {
    storage.set = () => undefined;
    const box = page();
    await box.put(picture('a'));
    expect([await uids(box), database.images.size]).toEqual([['a'], 0]);
    vi.stubGlobal('indexedDB', undefined);
    const other = page();
    await other.put(picture('b'));
    expect(await uids(other)).toEqual(['b']);
  });
});
