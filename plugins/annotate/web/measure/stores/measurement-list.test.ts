import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError, type HttpClient } from '#core/web';
import type { Measurement, MeasurementInput } from '#plugins/annotate';
import { buildListOptions } from '../../../testing/web/build-list-options.ts';
import { buildPage } from '../../../testing/web/build-page.ts';
import { MemoryStorage } from '../../../testing/web/memory-storage.ts';
import { maxFaults } from '../../stores/synced-list.ts';
import { MeasurementList } from './measurement-list.ts';

/** A fake server with versions. Each call waits until the test releases it. */
class SlowServer {
  readonly kept = new Map<string, Measurement>();
  readonly calls: string[] = [];
  #waiting: (() => void)[] = [];
  away = false;
  /** Status of all replies. */
  failing: number | undefined;
  retryAfterSeconds: number | undefined;

  readonly http = {
    call: async (
      method: string,
      _path: string,
      { params, body }: { readonly params: { readonly uid?: string }; readonly body?: MeasurementInput },
    ) => {
      if (method === 'GET') return buildPage([...this.kept.values()]);
      const uid = params.uid ?? '';
      this.calls.push(`${method} ${body?.name ?? ''}`.trim());
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
      if (this.away) throw new ApiError(0, undefined);
      if (this.failing !== undefined)
        throw new ApiError(this.failing, undefined, { retryAfterSeconds: this.retryAfterSeconds });
      const known = this.kept.get(uid);
      if (method === 'DELETE' || !body) return void this.kept.delete(uid);
      if (known && known.version !== body.version)
        throw new ApiError(409, { code: 'E007', message: 'Changed.', reference: 'r', current: known });
      const made: Measurement = {
        ...body,
        uid,
        location: 'lower',
        author: 'ann',
        own: true,
        editable: true,
        createdAt: '',
        updatedAt: '',
        version: body.version + 1,
      };
      this.kept.set(uid, made);
      return made;
    },
    raw: () => Promise.reject(new Error('Not asked for.')),
  } as HttpClient;

  async release(): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      this.#waiting.splice(0).forEach((go) => go());
      await Promise.resolve();
    }
  }
}

const written = (name: string): MeasurementInput => ({
  kind: 'CORDINATES',
  name,
  points: [{ point: [1, 2, 3], sigma: null, source: 'MODEL', edge: false }],
  result: { value: null, sigma: null, details: {} },
  unit: 'm',
  tour: 'T1',
  node: null,
  view: null,
  shared: false,
  version: 0,
});

function setting(storage = new MemoryStorage(), server = new SlowServer()) {
  return {
    storage,
    server,
    list: new MeasurementList(buildListOptions({ http: server.http, storage })),
  };
}

describe('MeasurementList', () => {
  afterEach(() => void vi.useRealTimers());

  it('[TOUR-08] sends quick changes one after the other, each based on the previous version', async () => {
    const { server, list, storage } = setting();
    const first = list.save('u', 'lower', written('A'));
    void list.change('u', { name: 'B' });
    void list.change('u', { name: 'C' });
    expect(server.calls).toEqual(['PUT A']);
    await server.release();
    await first;
    expect(server.calls).toEqual(['PUT A', 'PUT C']);
    expect(list.all.map(({ name, version, sync }) => [name, version, sync.state])).toEqual([['C', 2, 'saved']]);
    expect(storage.get('annotate.outbox')).toBeUndefined();
  });

  it('[TOUR-08] deletes an item whose save is pending', async () => {
    const { server, list } = setting();
    const first = list.save('u', 'lower', written('A'));
    void list.remove('u');
    await server.release();
    await first;
    expect(server.calls).toEqual(['PUT A', 'DELETE']);
    expect(server.kept.size).toBe(0);
    expect(list.all).toEqual([]);
  });

  it('[TOUR-08] does not send the unsent items of another person on the same device, and keeps them for that person', async () => {
    const { server, list, storage } = setting();
    server.away = true;
    const lost = list.save('u', 'lower', written('of ann'));
    await server.release();
    await lost;
    server.away = false;
    const ben = new MeasurementList(
      buildListOptions({ http: server.http, storage, me: () => ({ username: 'ben', name: 'Ben' }) }),
    );
    await ben.load('lower');
    expect(ben.all).toEqual([]);
    const own = ben.save('v', 'lower', written('of ben'));
    await server.release();
    await own;
    expect([...server.kept.values()].map(({ name }) => name)).toEqual(['of ben']);
    const again = setting(storage, server);
    const loaded = again.list.load('lower');
    await server.release();
    await loaded;
    expect([...server.kept.values()].map(({ name }) => name)).toEqual(['of ben', 'of ann']);
    expect(storage.get('annotate.outbox')).toBeUndefined();
  });

  it('[TOUR-08] restores unsent items when the page is opened again, and sends them', async () => {
    const { server, list, storage } = setting();
    server.away = true;
    const lost = list.save('u', 'lower', written('A'));
    await server.release();
    await lost;
    expect(list.all[0]).toMatchObject({ author: 'Ann Lee', sync: { state: 'unsent' } });

    server.away = false;
    const again = setting(storage, server).list;
    const loaded = again.load('unit');
    await server.release();
    await loaded;
    expect(again.all.map(({ name, sync }) => [name, sync.state])).toEqual([['A', 'saved']]);
    expect(server.kept.get('u')?.version).toBe(1);
  });

  it('[SEC-06] treats each 4xx as refused, except for session and timing errors', async () => {
    for (const [status, state] of [
      [400, 'refused'],
      [404, 'refused'],
      [413, 'refused'],
      [422, 'refused'],
      [401, 'unsent'],
      [408, 'unsent'],
      [425, 'unsent'],
      [429, 'unsent'],
      [500, 'unsent'],
      [503, 'unsent'],
    ] as const) {
      const { server, list } = setting();
      server.failing = status;
      const sent = list.save('u', 'lower', written('A'));
      await server.release();
      await sent;
      expect([status, list.all[0]?.sync.state]).toEqual([status, state]);
    }
  });

  it.each([
    [408, undefined, 30],
    [425, undefined, 30],
    [429, 7, 7],
    [429, 1e9, 3600],
  ])('[SEC-06] sends again by itself what was answered %i, after %s seconds', async (status, seconds, expected) => {
    vi.useFakeTimers();
    const { server, list, storage } = setting();
    const settled = async (work: Promise<void>): Promise<void> => {
      await server.release();
      await work;
    };
    server.failing = status;
    server.retryAfterSeconds = seconds;
    await settled(list.save('u', 'lower', written('A')));
    server.failing = undefined;
    await vi.advanceTimersByTimeAsync(expected * 1000 - 1);
    // Neither the online event nor another change sends anything before the retry time.
    await settled(list.sendWaiting());
    await settled(list.save('v', 'lower', written('B')));
    expect([server.calls, list.all.map(({ sync }) => sync.state)]).toEqual([['PUT A'], ['unsent', 'unsent']]);
    await vi.advanceTimersByTimeAsync(1);
    for (let item = 0; item < 2; item += 1) await server.release();
    expect([...server.kept.keys()]).toEqual(['u', 'v']);
    expect(list.all.map(({ sync }) => sync.state)).toEqual(['saved', 'saved']);
    expect(storage.get('annotate.outbox')).toBeUndefined();
  });

  it('[SEC-06] sends at once after a 429 if the person retries', async () => {
    vi.useFakeTimers();
    const { server, list } = setting();
    server.failing = 429;
    const refused = list.save('u', 'lower', written('A'));
    await server.release();
    await refused;
    server.failing = undefined;
    const again = list.resendAll();
    await server.release();
    await again;
    expect(list.all[0]?.sync.state).toBe('saved');
  });

  it('[SEC-06] stops sending after repeated server errors until the person retries', async () => {
    const { server, list, storage } = setting();
    const settled = async (work: Promise<void>): Promise<void> => {
      await server.release();
      await work;
    };
    server.failing = 500;
    await settled(list.save('u', 'lower', written('A')));
    for (let faults = 2; faults < maxFaults; faults += 1) await settled(list.sendWaiting());
    expect(list.all[0]?.sync.state).toBe('unsent');
    await settled(list.sendWaiting());
    expect([list.all[0]?.sync.state, server.calls.length]).toEqual(['failed', maxFaults]);

    const next = setting(storage, server).list;
    await settled(next.load('lower'));
    expect([next.all[0]?.sync.state, server.calls.length]).toEqual(['failed', maxFaults]);
    await settled(next.resendAll());
    expect([next.all[0]?.sync.state, server.calls.length]).toEqual(['unsent', maxFaults + 1]);
    server.failing = undefined;
    await settled(next.change('u', { name: 'B' }));
    expect([next.all[0]?.sync.state, server.kept.get('u')?.name]).toEqual(['saved', 'B']);
    expect(storage.get('annotate.outbox')).toBeUndefined();
  });

  it('[SEC-06] counts no error while the server is unreachable, and shows items again that it failed to delete', async () => {
    const { server, list, storage } = setting();
    const settled = async (work: Promise<void>): Promise<void> => {
      await server.release();
      await work;
    };
    await settled(list.save('u', 'lower', written('A')));
    server.away = true;
    await settled(list.remove('u'));
    for (let times = 0; times < 2 * maxFaults; times += 1) await settled(list.sendWaiting());
    server.away = false;
    server.failing = 500;
    for (let faults = 1; faults <= maxFaults; faults += 1) await settled(list.sendWaiting());
    const next = setting(storage, server).list;
    await settled(next.load('lower'));
    expect(next.all.map(({ name, sync }) => [name, sync.state])).toEqual([['A', 'failed']]);
    server.failing = undefined;
    await settled(next.resendAll());
    expect([server.kept.size, next.all]).toEqual([0, []]);
  });
});
