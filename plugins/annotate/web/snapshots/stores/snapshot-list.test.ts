import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type HttpClient } from '#core/web';
import type { Snapshot, SnapshotInput } from '#plugins/annotate';
import { MemoryBox, nameBlobs } from '../../../testing/web/fake-camera.ts';
import { buildListOptions } from '../../../testing/web/build-list-options.ts';
import { buildPage } from '../../../testing/web/build-page.ts';
import { MemoryStorage } from '../../../testing/web/memory-storage.ts';
import { maxFaults } from '../../stores/synced-list.ts';
import { SnapshotList } from './snapshot-list.ts';

const uid = '00000000-0000-4000-8000-000000000001';
const written: SnapshotInput = {
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
const taken = { picture: new Blob(['large']), thumbnail: new Blob(['small']) };

/** A fake server. `words` and `pictures` are the statuses of its failures, 0 for a lost connection. */
class FakeSnapshots {
  readonly kept = new Map<string, Snapshot>();
  readonly calls: string[] = [];
  words: number | undefined;
  pictures: number | undefined;

  readonly http = {
    call: async (
      method: string,
      _path: string,
      { params, body }: { readonly params: { readonly uid?: string }; readonly body?: SnapshotInput },
    ) => {
      if (method === 'GET') return buildPage([...this.kept.values()]);
      const key = params.uid ?? '';
      this.calls.push(`${method} ${body?.name ?? ''}`.trim());
      if (this.words !== undefined) throw new ApiError(this.words, undefined);
      if (!body) return void this.kept.delete(key);
      const made: Snapshot = {
        ...body,
        uid: key,
        location: 'lower',
        author: 'ann',
        own: true,
        editable: true,
        createdAt: '',
        updatedAt: '',
        version: body.version + 1,
        tagNumber: null,
        picture: this.kept.get(key)?.picture ?? null,
      };
      this.kept.set(key, made);
      return made;
    },
    raw: async ({ url = '', data }: { readonly url?: string; readonly data?: FormData }) => {
      const key = url.split('/').at(-2) ?? '';
      this.calls.push(`picture ${[...(data?.keys() ?? [])].join(' ')}`);
      if (this.pictures !== undefined) throw new ApiError(this.pictures, undefined);
      const known = this.kept.get(key);
      if (!known) throw new ApiError(404, undefined);
      const made = {
        ...known,
        picture: { address: `/api/files/${key}/picture.jpg`, thumbnail: `/api/files/${key}/thumbnail.jpg` },
      };
      this.kept.set(key, made);
      return made;
    },
  } as HttpClient;
}

describe('SnapshotList', () => {
  let server: FakeSnapshots;
  let storage: MemoryStorage;
  let box: MemoryBox;
  const page = (me = 'ann') =>
    new SnapshotList(buildListOptions({ http: server.http, storage, me: () => ({ username: me, name: me }) }), box);

  afterEach(() => void vi.useRealTimers());
  beforeEach(() => {
    nameBlobs();
    [server, storage, box] = [new FakeSnapshots(), new MemoryStorage(), new MemoryBox()];
  });

  it('[TOUR-11] sends the data, then the picture, and deletes its own copy', async () => {
    const list = page();
    await list.add(uid, 'lower', written, taken);
    expect(server.calls).toEqual(['PUT Leak', 'picture picture thumbnail']);
    expect(list.all).toMatchObject([
      { name: 'Leak', sync: { state: 'saved' }, picture: { thumbnail: `/api/files/${uid}/thumbnail.jpg` } },
    ]);
    expect([list.sendings.size, list.thumbnails.size, box.images.size]).toEqual([0, 0, 0]);
  });

  it('[TOUR-11] keeps the picture if the connection drops after the data, and sends it from the next page', async () => {
    server.pictures = 0;
    const first = page();
    await first.add(uid, 'lower', written, taken);
    expect([first.all[0]?.sync.state, first.sendings.get(uid), first.thumbnails.get(uid)]).toEqual([
      'saved',
      { state: 'waiting' },
      'blob:taken',
    ]);
    server.pictures = undefined;
    const next = page();
    await next.load('unit');
    expect(next.all[0]?.picture?.address).toBe(`/api/files/${uid}/picture.jpg`);
    expect([server.calls.filter((call) => call.startsWith('PUT')).length, box.images.size]).toEqual([1, 0]);
  });

  it('[TOUR-11] keeps data and picture while the server is unreachable, and sends the data first', async () => {
    server.words = 503;
    const list = page();
    await list.add(uid, 'lower', written, taken);
    expect([list.all[0]?.sync.state, server.calls]).toEqual(['unsent', ['PUT Leak']]);
    server.words = undefined;
    const next = page();
    await next.load('unit');
    expect(server.calls).toEqual(['PUT Leak', 'PUT Leak', 'picture picture thumbnail']);
    expect(next.all).toHaveLength(1);
    expect(next.all[0]?.picture).not.toBeNull();
  });

  it('[TOUR-11] sends no picture before its data is in the outbox, also if it comes online while saving', async () => {
    const list = page();
    let release = (): void => undefined;
    const kept = new Promise<void>((resolve) => (release = resolve));
    box.put = async (image) => {
      box.images.set(image.uid, image);
      await kept;
    };
    const taking = list.add(uid, 'lower', written, taken);
    await list.resendAll();
    expect([server.calls, box.images.size]).toEqual([[], 1]);
    release();
    await taking;
    expect(server.calls).toEqual(['PUT Leak', 'picture picture thumbnail']);
  });

  it('[TOUR-11] shows a refused picture and does not retry', async () => {
    server.pictures = 413;
    const list = page();
    await list.add(uid, 'lower', written, taken);
    await list.resendAll();
    expect([list.sendings.get(uid), server.calls.length, box.images.size]).toEqual([{ state: 'refused' }, 2, 1]);
  });

  it('[SEC-06] retries a picture that was sent too slowly or too early', async () => {
    vi.useFakeTimers();
    const list = page();
    server.pictures = 408;
    await list.add(uid, 'lower', written, taken);
    expect(list.sendings.get(uid)?.state).toBe('waiting');
    server.pictures = undefined;
    await list.sendWaiting();
    expect(server.calls).toEqual(['PUT Leak', 'picture picture thumbnail']);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(server.kept.get(uid)?.picture).not.toBeNull();
    expect((await box.all()).length).toBe(0);
  });

  it('[SEC-06] stops sending a picture after repeated server errors until the person retries', async () => {
    server.pictures = 500;
    const list = page();
    await list.add(uid, 'lower', written, taken);
    for (let times = 0; times < 2 * maxFaults; times += 1) await list.sendWaiting();
    const pictures = () => server.calls.filter((call) => call.startsWith('picture')).length;
    expect([list.sendings.get(uid), pictures(), box.images.size]).toEqual([{ state: 'failed' }, maxFaults, 1]);
    server.pictures = undefined;
    await list.resendAll();
    expect([list.sendings.size, pictures(), box.images.size]).toEqual([0, maxFaults + 1, 0]);
  });

  it("[TOUR-11] does not touch another person's picture", async () => {
    server.pictures = 0;
    await page().add(uid, 'lower', written, taken);
    server.pictures = undefined;
    const other = page('ben');
    await other.load('unit');
    expect([
      server.calls.filter((call) => call.startsWith('picture')).length,
      box.images.size,
      other.thumbnails.size,
    ]).toEqual([1, 1, 0]);
  });

  it('[TOUR-11] deletes the picture of a snapshot that is deleted here or elsewhere', async () => {
    server.pictures = 0;
    const list = page();
    await list.add(uid, 'lower', written, taken);
    await list.discard(uid);
    expect([list.all.length, list.sendings.size, box.images.size, server.kept.size]).toEqual([0, 0, 0, 0]);
    await list.add(uid, 'lower', written, taken);
    server.kept.clear();
    server.pictures = undefined;
    await page().load('unit');
    expect(box.images.size).toBe(0);
  });
});
