import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeServerEvents } from '#core/testing/web';
import { ApiError, type HttpClient } from '#core/web';
import type { Annotation, AnnotationChange, AnnotationInput } from '#plugins/annotate';
import { AnnotationList } from '../annotations/stores/annotation-list.ts';
import { buildListOptions } from '../../testing/web/build-list-options.ts';
import { maxFaults } from './synced-list.ts';
import { buildPage } from '../../testing/web/build-page.ts';
import { MemoryStorage } from '../../testing/web/memory-storage.ts';

const buildAnnotation = (uid: string, changes: Partial<Annotation> = {}): Annotation => ({
  uid,
  location: 'lower',
  kind: 'TEXT_LABEL',
  name: uid,
  text: 'text',
  temperature: null,
  status: 'OPEN',
  points: [],
  tour: 'T1',
  node: null,
  view: null,
  shared: true,
  version: 1,
  author: 'Ben',
  own: false,
  editable: true,
  createdAt: `2026-11-20T09:00:00.000Z`,
  updatedAt: '2026-11-20T09:00:00.000Z',
  comments: [],
  ...changes,
});

/** A fake server with items of several people. Its replies wait for `waitForReply`. */
class SharedServer {
  readonly saved = new Map<string, Annotation>();
  readonly requests: (readonly string[] | string)[] = [];
  rowsPerPage = 1000;
  waitForReply: () => Promise<void> = async () => undefined;
  /** The error status of deletions. */
  deletionStatus: number | undefined;

  readonly http = {
    call: async (
      method: string,
      _path: string,
      request: {
        readonly params: { readonly uid?: string };
        readonly query?: { readonly after?: string; readonly uids?: readonly string[] };
        readonly body?: AnnotationInput;
      },
    ) => {
      const { query, body } = request;
      const uid = request.params.uid ?? '';
      if (method === 'GET') {
        this.requests.push(query?.uids ?? query?.after ?? 'all');
        await this.waitForReply();
        const rows = [...this.saved.values()].filter((annotation) => query?.uids?.includes(annotation.uid) ?? true);
        const start = rows.findIndex((annotation) => annotation.uid === query?.after) + 1;
        const end = start + this.rowsPerPage;
        const next = end < rows.length ? (rows[end - 1]?.uid ?? null) : null;
        return { ...buildPage(rows), rows: rows.slice(start, end), next };
      }
      await this.waitForReply();
      const existingItem = this.saved.get(uid);
      if (!body && this.deletionStatus !== undefined) throw new ApiError(this.deletionStatus, undefined);
      if (!body) return void this.saved.delete(uid);
      if (existingItem && existingItem.version !== body.version)
        throw new ApiError(409, { code: 'E007', message: 'Changed.', reference: 'r', current: existingItem });
      const savedAnnotation = {
        ...(existingItem ?? buildAnnotation(uid, { own: true })),
        ...body,
        version: body.version + 1,
      };
      this.saved.set(uid, savedAnnotation);
      return savedAnnotation;
    },
  } as HttpClient;
}

/** Creates a list of the location `unit` that has loaded `annotations`. */
async function setup(...annotations: readonly Annotation[]) {
  const server = new SharedServer();
  const storage = new MemoryStorage();
  for (const savedAnnotation of annotations) server.saved.set(savedAnnotation.uid, savedAnnotation);
  const events = new FakeServerEvents();
  const paths: Readonly<Record<string, readonly string[]>> = {
    lower: ['site', 'unit', 'lower'],
    other: ['site', 'other'],
  };
  const list = new AnnotationList(
    buildListOptions({
      http: server.http,
      events,
      storage,
      locations: { pathTo: (uid) => (paths[uid] ?? []).map((ancestor) => ({ uid: ancestor }) as never) },
    }),
  );
  const stop = list.follow();
  await list.load('unit');
  server.requests.length = 0;
  const announce = ({ uid, location, version, comments }: Annotation, deleted = false): void =>
    events.publish('annotate.annotationChanged', {
      uid,
      location,
      version,
      deleted,
      comments: comments.length,
    } satisfies AnnotationChange as never);
  /** Changes an item as another person. */
  const changeRemotely = (annotation: Annotation): void => {
    server.saved.set(annotation.uid, annotation);
    announce(annotation);
  };
  const removeRemotely = (annotation: Annotation): void => {
    server.saved.delete(annotation.uid);
    announce(annotation, true);
  };
  return {
    server,
    events,
    list,
    storage,
    stop,
    changeRemotely,
    removeRemotely,
    announce,
    waitForLoad: () => vi.advanceTimersByTimeAsync(3000),
  };
}
const describeItems = ({ all }: AnnotationList): readonly string[] =>
  all.map(({ name, sync }) => `${name} ${sync.state}`);

describe('SyncedList with changes by others', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('[TOUR-22] shows added, changed and deleted items, with one load for many events', async () => {
    const { server, list, changeRemotely, removeRemotely, waitForLoad } = await setup(
      buildAnnotation('a'),
      buildAnnotation('b'),
    );
    changeRemotely(buildAnnotation('a', { name: 'a changed', version: 2 }));
    changeRemotely(buildAnnotation('a', { name: 'a changed twice', version: 3 }));
    changeRemotely(buildAnnotation('c', { createdAt: '2026-11-21T09:00:00.000Z' }));
    removeRemotely(buildAnnotation('b'));
    await waitForLoad();
    expect(describeItems(list)).toEqual(['c saved', 'a changed twice saved']);
    expect(server.requests).toEqual([['a', 'c']]);
  });

  it('[TOUR-22] removes items that are no longer shared', async () => {
    const { server, list, announce, waitForLoad } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    server.saved.delete('a');
    announce(buildAnnotation('a', { version: 2 }));
    await waitForLoad();
    expect(describeItems(list)).toEqual(['b saved']);
  });

  it('[TOUR-22] shows a new comment without a new version', async () => {
    const { list, changeRemotely, waitForLoad } = await setup(buildAnnotation('a'));
    const comments = [{ uid: 'x', text: 'Seen', author: 'Ben', createdAt: '' }];
    changeRemotely(buildAnnotation('a', { comments }));
    await waitForLoad();
    expect(list.all[0]?.comments).toEqual(comments);
  });

  it('[TOUR-22] loads neither own changes, nor changes at other locations, nor changes after it stopped', async () => {
    const { server, list, events, announce, stop, waitForLoad } = await setup(buildAnnotation('a'));
    await list.change('a', { name: 'mine' });
    announce(server.saved.get('a') as Annotation);
    announce(buildAnnotation('x', { location: 'other' }));
    await waitForLoad();
    expect([describeItems(list), server.requests]).toEqual([['mine saved'], []]);
    stop();
    announce(buildAnnotation('a', { version: 9 }));
    await waitForLoad();
    expect([server.requests, events.listenerCount]).toEqual([[], 0]);
  });

  it('[TOUR-22] keeps a pending change if its event is received before the reply', async () => {
    const { server, list, announce, waitForLoad } = await setup(buildAnnotation('a'));
    let release = (): void => undefined;
    server.waitForReply = () => new Promise((resolve) => (release = resolve));
    const saving = list.change('a', { name: 'mine' });
    announce(buildAnnotation('a', { name: 'mine', version: 2 }));
    await waitForLoad();
    expect(describeItems(list)).toEqual(['mine saving']);
    release();
    await saving;
    await waitForLoad();
    expect([describeItems(list), server.requests]).toEqual([['mine saved'], []]);
  });

  it('[TOUR-22] shows a change by another tab if its event is received before that tab has the reply', async () => {
    const { server, list, storage, announce, stop, waitForLoad } = await setup(buildAnnotation('a'));
    const otherTab = new AnnotationList(
      buildListOptions({ http: server.http, storage: storage.openOtherTab(), events: new FakeServerEvents() }),
    );
    await otherTab.load('unit');
    let release = (): void => undefined;
    server.waitForReply = () => new Promise((resolve) => (release = resolve));
    const saving = otherTab.change('a', { name: 'by the other tab' });
    announce(buildAnnotation('a', { name: 'by the other tab', version: 2 }));
    await waitForLoad();
    expect(describeItems(list)).toEqual(['a saved']);
    server.waitForReply = async () => undefined;
    release();
    await saving;
    await waitForLoad();
    expect(describeItems(list)).toEqual(['by the other tab saved']);
    stop();
  });

  it('[TOUR-22] does not touch an open edit, and shows the conflict when it is saved', async () => {
    const { list, changeRemotely, waitForLoad } = await setup(buildAnnotation('a'));
    const endEdit = list.beginEdit('a');
    changeRemotely(buildAnnotation('a', { name: 'theirs', version: 2 }));
    await waitForLoad();
    expect(describeItems(list)).toEqual(['a saved']);
    const saving = list.change('a', { name: 'mine' });
    endEdit();
    await saving;
    await waitForLoad();
    expect(describeItems(list)).toEqual(['mine conflict']);
    changeRemotely(buildAnnotation('a', { name: 'theirs again', version: 3 }));
    await waitForLoad();
    expect(describeItems(list)).toEqual(['mine conflict']);
    list.takeTheirs('a');
    await waitForLoad();
    expect(describeItems(list)).toEqual(['theirs again saved']);
  });

  it('[TOUR-22] shows the changes of others after an edit is discarded', async () => {
    const { list, changeRemotely, removeRemotely, waitForLoad } = await setup(
      buildAnnotation('a'),
      buildAnnotation('b'),
    );
    const [endA, endB] = [list.beginEdit('a'), list.beginEdit('b')];
    changeRemotely(buildAnnotation('a', { name: 'theirs', version: 2 }));
    removeRemotely(buildAnnotation('b'));
    await waitForLoad();
    expect(describeItems(list)).toEqual(['a saved', 'b saved']);
    endA();
    endB();
    await waitForLoad();
    expect(describeItems(list)).toEqual(['theirs saved']);
  });

  it('[TOUR-22] reloads the list after missed events, but keeps an item that is being edited', async () => {
    const { server, list, events, waitForLoad } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    const endEdit = list.beginEdit('a');
    server.saved.set('a', buildAnnotation('a', { name: 'theirs', version: 2 }));
    server.saved.delete('b');
    server.saved.set('c', buildAnnotation('c'));
    events.reset();
    await waitForLoad();
    expect([describeItems(list).toSorted(), server.requests, list.state]).toEqual([
      ['a saved', 'c saved'],
      ['all'],
      'loaded',
    ]);
    endEdit();
    await waitForLoad();
    expect(describeItems(list).toSorted()).toEqual(['c saved', 'theirs saved']);
  });

  it('[TOUR-22] reloads the list instead of loading very many changes singly', async () => {
    const { server, list, changeRemotely, waitForLoad } = await setup();
    for (let n = 0; n < 60; n += 1) changeRemotely(buildAnnotation(`a${n}`));
    await waitForLoad();
    expect([server.requests, list.all.length]).toEqual([['all'], 60]);
    changeRemotely(buildAnnotation('b'));
    await waitForLoad();
    expect(server.requests).toEqual(['all', ['b']]);
  });

  it('[TOUR-22] loads a long list page by page and shows the progress', async () => {
    const { server, list } = await setup(...['a', 'b', 'c', 'd', 'e'].map((uid) => buildAnnotation(uid)));
    server.rowsPerPage = 2;
    server.waitForReply = () => new Promise((resolve) => setTimeout(resolve, 100));
    const completion = list.load('unit');
    await vi.advanceTimersByTimeAsync(100);
    expect([list.state, list.all.length, list.progress]).toEqual(['loading', 2, { count: 2, total: 5 }]);
    await vi.advanceTimersByTimeAsync(100);
    expect([list.state, list.all.length, list.progress]).toEqual(['loading', 4, { count: 4, total: 5 }]);
    await vi.advanceTimersByTimeAsync(100);
    await completion;
    expect([list.state, list.all.length, list.progress]).toEqual(['loaded', 5, undefined]);
    expect(server.requests).toEqual(['all', 'b', 'd']);
  });

  it('[TOUR-09] shows the number of unsent changes and deletions until they are sent', async () => {
    const { server, list, stop } = await setup(buildAnnotation('a'), buildAnnotation('b'), buildAnnotation('c'));
    server.waitForReply = () => Promise.reject(new ApiError(0, undefined));
    await list.change('a', { name: 'mine' });
    await list.remove('b');
    expect([...list.unsaved]).toEqual(['a', 'b']);
    // An item whose deletion is undone is counted once.
    await list.restore();
    expect([...list.unsaved].toSorted()).toEqual(['a', 'b']);
    await list.remove('c');
    server.waitForReply = async () => undefined;
    await list.sendUnsent();
    expect([...list.unsaved]).toEqual([]);
    stop();
  });

  it.each([403, 404])('[TOUR-09] shows an item again if its deletion is refused with %i', async (status) => {
    const { server, list, stop } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    const refuse = () => Promise.reject(new ApiError(status, undefined));
    server.waitForReply = refuse;
    await list.remove('b');
    expect(describeItems(list)).toEqual(['a saved', 'b refused']);
    expect([[...list.unsaved], list.lastDeleted]).toEqual([['b'], undefined]);
    // A retry by the person sends the deletion again.
    await list.resendAll();
    expect(describeItems(list)).toEqual(['a saved', 'b refused']);
    server.waitForReply = async () => undefined;
    await list.load('unit');
    expect([describeItems(list), [...list.unsaved]]).toEqual([['a saved', 'b saved'], []]);
    server.waitForReply = refuse;
    await list.remove('b');
    server.waitForReply = async () => undefined;
    await list.resendAll();
    expect([describeItems(list), [...list.unsaved], [...server.saved.keys()]]).toEqual([['a saved'], [], ['a']]);
    stop();
  });

  it('[TOUR-09] shows an item again if its deletion, sent again by the next load, is refused', async () => {
    const { server, list, stop } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    server.waitForReply = () => Promise.reject(new ApiError(0, undefined));
    await list.remove('b');
    expect(describeItems(list)).toEqual(['a saved']);
    server.waitForReply = async () => undefined;
    server.deletionStatus = 403;
    await list.load('unit');
    expect([describeItems(list), [...list.unsaved]]).toEqual([['a saved', 'b refused'], ['b']]);
    stop();
  });

  it('[TOUR-09] shows an item again, without a reload, after `maxFaults` server errors for its deletion', async () => {
    const { server, list, stop } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    server.deletionStatus = 500;
    await list.remove('b');
    for (let faults = 2; faults <= maxFaults; faults += 1) await list.sendUnsent();
    expect([describeItems(list), [...list.unsaved]]).toEqual([['a saved', 'b failed'], ['b']]);
    server.deletionStatus = undefined;
    await list.resendAll();
    expect([describeItems(list), [...list.unsaved]]).toEqual([['a saved'], []]);
    stop();
  });

  it('[TOUR-09] does not show a deleted item again that was never on the server', async () => {
    const { server, list, stop } = await setup();
    server.waitForReply = () => Promise.reject(new ApiError(403, undefined));
    await list.save('c', 'lower', { ...buildAnnotation('c'), version: 0 });
    expect(describeItems(list)).toEqual(['c refused']);
    await list.remove('c');
    expect([describeItems(list), [...list.unsaved]]).toEqual([[], []]);
    stop();
  });

  it('[TOUR-22] loads an announced change again if its first load failed', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server, list, changeRemotely, waitForLoad } = await setup();
    server.waitForReply = () => Promise.reject(new ApiError(0, undefined));
    changeRemotely(buildAnnotation('a'));
    await vi.advanceTimersByTimeAsync(500);
    expect(describeItems(list)).toEqual([]);
    server.waitForReply = async () => undefined;
    await waitForLoad();
    expect(describeItems(list)).toEqual(['a saved']);
    log.mockRestore();
  });
});
