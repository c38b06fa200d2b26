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
  readonly saved = new Map<string, Measurement>();
  readonly calls: string[] = [];
  #pendingCalls: (() => void)[] = [];
  offline = false;
  /** Status of all replies. */
  failureStatus: number | undefined;
  retryAfterSeconds: number | undefined;

  readonly http = {
    call: async (
      method: string,
      _path: string,
      { params, body }: { readonly params: { readonly uid?: string }; readonly body?: MeasurementInput },
    ) => {
      if (method === 'GET') return buildPage([...this.saved.values()]);
      const uid = params.uid ?? '';
      this.calls.push(`${method} ${body?.name ?? ''}`.trim());
      await new Promise<void>((resolve) => this.#pendingCalls.push(resolve));
      if (this.offline) throw new ApiError(0, undefined);
      if (this.failureStatus !== undefined)
        throw new ApiError(this.failureStatus, undefined, { retryAfterSeconds: this.retryAfterSeconds });
      const existingMeasurement = this.saved.get(uid);
      if (method === 'DELETE' || !body) return void this.saved.delete(uid);
      if (existingMeasurement && existingMeasurement.version !== body.version)
        throw new ApiError(409, { code: 'E007', message: 'Changed.', reference: 'r', current: existingMeasurement });
      const measurement: Measurement = {
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
      this.saved.set(uid, measurement);
      return measurement;
    },
    raw: () => Promise.reject(new Error('Unexpected request.')),
  } as HttpClient;

  async release(): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      this.#pendingCalls.splice(0).forEach((resolve) => resolve());
      await Promise.resolve();
    }
  }
}

const buildInput = (name: string): MeasurementInput => ({
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

function setup(storage = new MemoryStorage(), server = new SlowServer()) {
  return {
    storage,
    server,
    list: new MeasurementList(buildListOptions({ http: server.http, storage })),
  };
}

describe('MeasurementList', () => {
  afterEach(() => void vi.useRealTimers());

  it('[TOUR-08] sends quick changes one after the other, each based on the previous version', async () => {
    const { server, list, storage } = setup();
    const first = list.save('u', 'lower', buildInput('A'));
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
    const { server, list } = setup();
    const first = list.save('u', 'lower', buildInput('A'));
    void list.remove('u');
    await server.release();
    await first;
    expect(server.calls).toEqual(['PUT A', 'DELETE']);
    expect(server.saved.size).toBe(0);
    expect(list.all).toEqual([]);
  });

  it('[TOUR-08] keeps the unsent items of another person on the same device without sending them', async () => {
    const { server, list, storage } = setup();
    server.offline = true;
    const saving = list.save('u', 'lower', buildInput('of ann'));
    await server.release();
    await saving;
    server.offline = false;
    const ben = new MeasurementList(
      buildListOptions({ http: server.http, storage, getAuthor: () => ({ username: 'ben', name: 'Ben' }) }),
    );
    await ben.load('lower');
    expect(ben.all).toEqual([]);
    const savingOwn = ben.save('v', 'lower', buildInput('of ben'));
    await server.release();
    await savingOwn;
    expect([...server.saved.values()].map(({ name }) => name)).toEqual(['of ben']);
    const secondSetup = setup(storage, server);
    const completion = secondSetup.list.load('lower');
    await server.release();
    await completion;
    expect([...server.saved.values()].map(({ name }) => name)).toEqual(['of ben', 'of ann']);
    expect(storage.get('annotate.outbox')).toBeUndefined();
  });

  it('[TOUR-08] restores unsent items when the page is opened again, and sends them', async () => {
    const { server, list, storage } = setup();
    server.offline = true;
    const saving = list.save('u', 'lower', buildInput('A'));
    await server.release();
    await saving;
    expect(list.all[0]).toMatchObject({ author: 'Ann Lee', sync: { state: 'unsent' } });

    server.offline = false;
    const reloadedList = setup(storage, server).list;
    const completion = reloadedList.load('unit');
    await server.release();
    await completion;
    expect(reloadedList.all.map(({ name, sync }) => [name, sync.state])).toEqual([['A', 'saved']]);
    expect(server.saved.get('u')?.version).toBe(1);
  });

  it('[SEC-06] treats each status 4xx as a refusal, except for session and timing errors', async () => {
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
      const { server, list } = setup();
      server.failureStatus = status;
      const saving = list.save('u', 'lower', buildInput('A'));
      await server.release();
      await saving;
      expect([status, list.all[0]?.sync.state]).toEqual([status, state]);
    }
  });

  it.each([
    [408, undefined, 30],
    [425, undefined, 30],
    [429, 7, 7],
    [429, 1e9, 3600],
  ])('[SEC-06] retries after status %i with Retry-After %s', async (status, seconds, expected) => {
    vi.useFakeTimers();
    const { server, list, storage } = setup();
    const releaseAndAwait = async (work: Promise<void>): Promise<void> => {
      await server.release();
      await work;
    };
    server.failureStatus = status;
    server.retryAfterSeconds = seconds;
    await releaseAndAwait(list.save('u', 'lower', buildInput('A')));
    server.failureStatus = undefined;
    await vi.advanceTimersByTimeAsync(expected * 1000 - 1);
    // Before the retry time, neither the online event nor another change sends a request.
    await releaseAndAwait(list.sendUnsent());
    await releaseAndAwait(list.save('v', 'lower', buildInput('B')));
    expect([server.calls, list.all.map(({ sync }) => sync.state)]).toEqual([['PUT A'], ['unsent', 'unsent']]);
    await vi.advanceTimersByTimeAsync(1);
    for (let item = 0; item < 2; item += 1) await server.release();
    expect([...server.saved.keys()]).toEqual(['u', 'v']);
    expect(list.all.map(({ sync }) => sync.state)).toEqual(['saved', 'saved']);
    expect(storage.get('annotate.outbox')).toBeUndefined();
  });

  it('[SEC-06] sends at once after a 429 if the person retries', async () => {
    vi.useFakeTimers();
    const { server, list } = setup();
    server.failureStatus = 429;
    const saving = list.save('u', 'lower', buildInput('A'));
    await server.release();
    await saving;
    server.failureStatus = undefined;
    const resending = list.resendAll();
    await server.release();
    await resending;
    expect(list.all[0]?.sync.state).toBe('saved');
  });

  it('[SEC-06] stops sending after repeated server errors until the person retries', async () => {
    const { server, list, storage } = setup();
    const releaseAndAwait = async (work: Promise<void>): Promise<void> => {
      await server.release();
      await work;
    };
    server.failureStatus = 500;
    await releaseAndAwait(list.save('u', 'lower', buildInput('A')));
    for (let faults = 2; faults < maxFaults; faults += 1) await releaseAndAwait(list.sendUnsent());
    expect(list.all[0]?.sync.state).toBe('unsent');
    await releaseAndAwait(list.sendUnsent());
    expect([list.all[0]?.sync.state, server.calls.length]).toEqual(['failed', maxFaults]);

    const reopenedList = setup(storage, server).list;
    await releaseAndAwait(reopenedList.load('lower'));
    expect([reopenedList.all[0]?.sync.state, server.calls.length]).toEqual(['failed', maxFaults]);
    await releaseAndAwait(reopenedList.resendAll());
    expect([reopenedList.all[0]?.sync.state, server.calls.length]).toEqual(['unsent', maxFaults + 1]);
    server.failureStatus = undefined;
    await releaseAndAwait(reopenedList.change('u', { name: 'B' }));
    expect([reopenedList.all[0]?.sync.state, server.saved.get('u')?.name]).toEqual(['saved', 'B']);
    expect(storage.get('annotate.outbox')).toBeUndefined();
  });

  it('[SEC-06] shows an item again after `maxFaults` server errors for its deletion; lost connections do not count', async () => {
    const { server, list, storage } = setup();
    const releaseAndAwait = async (work: Promise<void>): Promise<void> => {
      await server.release();
      await work;
    };
    await releaseAndAwait(list.save('u', 'lower', buildInput('A')));
    server.offline = true;
    await releaseAndAwait(list.remove('u'));
    for (let times = 0; times < 2 * maxFaults; times += 1) await releaseAndAwait(list.sendUnsent());
    server.offline = false;
    server.failureStatus = 500;
    for (let faults = 1; faults <= maxFaults; faults += 1) await releaseAndAwait(list.sendUnsent());
    const reopenedList = setup(storage, server).list;
    await releaseAndAwait(reopenedList.load('lower'));
    expect(reopenedList.all.map(({ name, sync }) => [name, sync.state])).toEqual([['A', 'failed']]);
    server.failureStatus = undefined;
    await releaseAndAwait(reopenedList.resendAll());
    expect([server.saved.size, reopenedList.all]).toEqual([0, []]);
  });
});
