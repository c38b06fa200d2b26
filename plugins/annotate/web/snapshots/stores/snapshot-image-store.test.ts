import { observable, runInAction } from 'mobx';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Session, SessionState } from '#core/web';
import { MemoryDatabase } from '../../../testing/web/memory-database.ts';
import { MemoryStorage } from '../../../testing/web/memory-storage.ts';
import { IndexedSnapshotImageStore, type StoredImage } from './snapshot-image-store.ts';

const buildImage = (uid: string): StoredImage => ({
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
  const openStore = () => new IndexedSnapshotImageStore(session as Session, storage);
  const listUids = async (store: IndexedSnapshotImageStore) => (await store.loadAll()).map(({ uid }) => uid);

  beforeEach(() => {
    [database, storage, session] = [
      new MemoryDatabase(),
      new MemoryStorage(),
      observable({ state: 'signedIn' as SessionState }),
    ];
    vi.stubGlobal('indexedDB', database);
  });
  afterEach(() => void vi.unstubAllGlobals());

  it('[TOUR-11] keeps pictures after a reload until they are deleted', async () => {
    await openStore().put(buildImage('a'));
    await openStore().put(buildImage('b'));
    expect(await listUids(openStore())).toEqual(['a', 'b']);
    await openStore().delete('a');
    expect(await listUids(openStore())).toEqual(['b']);
  });

  it('[TOUR-11] deletes pictures on logout, even without an open tour, but not if the session expires', async () => {
    await openStore().put(buildImage('a'));
    const open = openStore();
    runInAction(() => (session.state = 'expired'));
    expect(await listUids(open)).toEqual(['a']);
    runInAction(() => (session.state = 'signedOut'));
    expect(await listUids(open)).toEqual([]);
    expect(database.images.size).toBe(0);
    await openStore().put(buildImage('b'));
    // Each logout clears the web storage, even without an open tour.
    storage.clear();
    expect(await listUids(openStore())).toEqual([]);
    expect(database.images.size).toBe(0);
    await openStore().put(buildImage('c'));
    storage.clear();
    await openStore().put(buildImage('d'));
    expect([...database.images.keys()]).toEqual(['d']);
  });

  it('[TOUR-11] keeps pictures in memory if the browser has no storage', async () => {
    storage.set = () => undefined;
    const store = openStore();
    await store.put(buildImage('a'));
    expect([await listUids(store), database.images.size]).toEqual([['a'], 0]);
    vi.stubGlobal('indexedDB', undefined);
    const otherStore = openStore();
    await otherStore.put(buildImage('b'));
    expect(await listUids(otherStore)).toEqual(['b']);
  });
});
