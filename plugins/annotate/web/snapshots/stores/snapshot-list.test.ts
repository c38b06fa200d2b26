import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type HttpClient } from '#core/web';
import type { Snapshot, SnapshotInput } from '#plugins/annotate';
import { MemoryImageStore, stubBlobUrls } from '../../../testing/web/fake-camera.ts';
import { buildListOptions } from '../../../testing/web/build-list-options.ts';
import { buildPage } from '../../../testing/web/build-page.ts';
import { MemoryStorage } from '../../../testing/web/memory-storage.ts';
import { maxFaults } from '../../stores/synced-list.ts';
import { SnapshotList } from './snapshot-list.ts';

const uid = '00000000-0000-4000-8000-000000000001';
const location = 'lower-deck';
const input: SnapshotInput = {
  name: 'Leak',
  text: '',
  tag: null,
  marks: [],
  tour: 'T1',
  node: 'N1',
  view: null,
  shared: true,
  version: 0,
};
const pictureFiles = { picture: new Blob(['large']), thumbnail: new Blob(['small']) };

/** A fake server that fails with `dataFailure` for data and `pictureFailure` for pictures. 0 is a lost connection. */
class FakeSnapshotServer {
  readonly saved = new Map<string, Snapshot>();
  readonly calls: string[] = [];
  dataFailure: number | undefined;
  pictureFailure: number | undefined;

  readonly http = {
    call: async (
      method: string,
      _path: string,
      { params, body }: { readonly params: { readonly uid?: string }; readonly body?: SnapshotInput },
    ) => {
      if (method === 'GET') return buildPage([...this.saved.values()]);
      const key = params.uid ?? '';
      this.calls.push(`${method} ${body?.name ?? ''}`.trim());
      if (this.dataFailure !== undefined) throw new ApiError(this.dataFailure, undefined);
      if (!body) return void this.saved.delete(key);
      const snapshot: Snapshot = {
        ...body,
        uid: key,
        location,
        author: 'ann',
        own: true,
        editable: true,
        createdAt: '',
        updatedAt: '',
        version: body.version + 1,
        tagNumber: null,
        picture: this.saved.get(key)?.picture ?? null,
      };
      this.saved.set(key, snapshot);
      return snapshot;
    },
    raw: async ({ url = '', data }: { readonly url?: string; readonly data?: FormData }) => {
      const key = url.split('/').at(-2) ?? '';
      this.calls.push(`picture ${[...(data?.keys() ?? [])].join(' ')}`);
      if (this.pictureFailure !== undefined) throw new ApiError(this.pictureFailure, undefined);
      const existingSnapshot = this.saved.get(key);
      if (!existingSnapshot) throw new ApiError(404, undefined);
      const snapshot = {
        ...existingSnapshot,
        picture: { address: `/api/files/${key}/picture.jpg`, thumbnail: `/api/files/${key}/thumbnail.jpg` },
      };
      this.saved.set(key, snapshot);
      return snapshot;
    },
  } as HttpClient;
}

describe('SnapshotList', () => {
  let server: FakeSnapshotServer;
  let storage: MemoryStorage;
  let imageStore: MemoryImageStore;
  const createList = (me = 'ann') =>
    new SnapshotList(
      buildListOptions({ http: server.http, storage, getAuthor: () => ({ username: me, name: me }) }),
      imageStore,
    );

  afterEach(() => void vi.useRealTimers());
  beforeEach(() => {
    stubBlobUrls();
    [server, storage, imageStore] = [new FakeSnapshotServer(), new MemoryStorage(), new MemoryImageStore()];
  });

  it('[TOUR-11] sends the data and then the picture, and deletes the picture in the browser', async () => {
    const list = createList();
    await list.add(uid, location, input, pictureFiles);
    expect(server.calls).toEqual(['PUT Leak', 'picture picture thumbnail']);
    expect(list.all).toMatchObject([
      { name: 'Leak', sync: { state: 'saved' }, picture: { thumbnail: `/api/files/${uid}/thumbnail.jpg` } },
    ]);
    expect([list.uploads.size, list.thumbnails.size, imageStore.images.size]).toEqual([0, 0, 0]);
  });

  it('[TOUR-11] keeps the picture if the connection drops after the data, and sends it after a reload', async () => {
    server.pictureFailure = 0;
    const list = createList();
    await list.add(uid, location, input, pictureFiles);
    expect([list.all[0]?.sync.state, list.uploads.get(uid), list.thumbnails.get(uid)]).toEqual([
      'saved',
      { state: 'waiting' },
      'blob:taken',
    ]);
    // A snapshot whose picture is not on the server yet counts as unsaved.
    expect([...list.unsaved]).toEqual([uid]);
    server.pictureFailure = undefined;
    const reloadedList = createList();
    await reloadedList.load('unit');
    expect([...reloadedList.unsaved]).toEqual([]);
    expect(reloadedList.all[0]?.picture?.address).toBe(`/api/files/${uid}/picture.jpg`);
    expect([server.calls.filter((call) => call.startsWith('PUT')).length, imageStore.images.size]).toEqual([1, 0]);
  });

  it('[TOUR-11] keeps data and picture while the server is unreachable, and sends the data first', async () => {
    server.dataFailure = 503;
    const list = createList();
    await list.add(uid, location, input, pictureFiles);
    expect([list.all[0]?.sync.state, server.calls]).toEqual(['unsent', ['PUT Leak']]);
    expect([...list.unsaved]).toEqual([uid]);
    server.dataFailure = undefined;
    const reloadedList = createList();
    await reloadedList.load('unit');
    expect(server.calls).toEqual(['PUT Leak', 'PUT Leak', 'picture picture thumbnail']);
    expect(reloadedList.all).toHaveLength(1);
    expect(reloadedList.all[0]?.picture).not.toBeNull();
  });

  it('[TOUR-11] does not send a picture before the data of its snapshot is in the outbox', async () => {
    const list = createList();
    let release = (): void => undefined;
    const completion = new Promise<void>((resolve) => (release = resolve));
    imageStore.put = async (image) => {
      imageStore.images.set(image.uid, image);
      await completion;
    };
    const adding = list.add(uid, location, input, pictureFiles);
    await list.resendAll();
    expect([server.calls, imageStore.images.size]).toEqual([[], 1]);
    release();
    await adding;
    expect(server.calls).toEqual(['PUT Leak', 'picture picture thumbnail']);
  });

  it('[TOUR-11] shows a refused picture and does not retry', async () => {
    server.pictureFailure = 413;
    const list = createList();
    await list.add(uid, location, input, pictureFiles);
    await list.resendAll();
    expect([list.uploads.get(uid), server.calls.length, imageStore.images.size]).toEqual([{ state: 'refused' }, 2, 1]);
  });

  it('[SEC-06] retries a picture 30 s after the status 408, and not earlier', async () => {
    vi.useFakeTimers();
    const list = createList();
    server.pictureFailure = 408;
    await list.add(uid, location, input, pictureFiles);
    expect(list.uploads.get(uid)?.state).toBe('waiting');
    server.pictureFailure = undefined;
    // Nothing is sent before the delay is over. Only `resendAll`, a retry by the person, ignores the delay.
    await list.sendUnsent();
    expect(server.calls).toEqual(['PUT Leak', 'picture picture thumbnail']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(server.saved.get(uid)?.picture).not.toBeNull();
    expect((await imageStore.loadAll()).length).toBe(0);
  });

  it('[SEC-06] stops sending a picture after repeated server errors until the person retries', async () => {
    server.pictureFailure = 500;
    const list = createList();
    await list.add(uid, location, input, pictureFiles);
    for (let attempt = 0; attempt < 2 * maxFaults; attempt += 1) await list.sendUnsent();
    const countPictureCalls = () => server.calls.filter((call) => call.startsWith('picture')).length;
    expect([list.uploads.get(uid), countPictureCalls(), imageStore.images.size]).toEqual([
      { state: 'failed' },
      maxFaults,
      1,
    ]);
    server.pictureFailure = undefined;
    await list.resendAll();
    expect([list.uploads.size, countPictureCalls(), imageStore.images.size]).toEqual([0, maxFaults + 1, 0]);
  });

  it("[TOUR-11] does not touch another person's picture", async () => {
    server.pictureFailure = 0;
    await createList().add(uid, location, input, pictureFiles);
    server.pictureFailure = undefined;
    const listOfBen = createList('ben');
    await listOfBen.load('unit');
    expect([
      server.calls.filter((call) => call.startsWith('picture')).length,
      imageStore.images.size,
      listOfBen.thumbnails.size,
    ]).toEqual([1, 1, 0]);
  });

  it('[TOUR-11] deletes the stored picture of a deleted snapshot', async () => {
    server.pictureFailure = 0;
    const list = createList();
    await list.add(uid, location, input, pictureFiles);
    await list.discard(uid);
    expect([list.all.length, list.uploads.size, imageStore.images.size, server.saved.size]).toEqual([0, 0, 0, 0]);
    await list.add(uid, location, input, pictureFiles);
    server.saved.clear();
    server.pictureFailure = undefined;
    await createList().load('unit');
    expect(imageStore.images.size).toBe(0);
  });
});
