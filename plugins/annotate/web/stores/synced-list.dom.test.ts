import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeServerEvents } from '#core/testing/web';
import { ApiError, type HttpClient } from '#core/web';
import type { Annotation, AnnotationChange, AnnotationInput } from '#plugins/annotate';
import { AnnotationList } from '../annotations/stores/annotation-list.ts';
import { buildListOptions } from '../../testing/web/build-list-options.ts';
import { buildPage } from '../../testing/web/build-page.ts';

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

/** The items of other people on the server. `line` decides when, and whether, it replies. */
class SharedServer {
  readonly kept = new Map<string, Annotation>();
  readonly lists: (readonly string[] | string)[] = [];
  rowsPerPage = 1000;
  line: () => Promise<void> = async () => undefined;

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
        this.lists.push(query?.uids ?? query?.after ?? 'all');
        await this.line();
        const rows = [...this.kept.values()].filter((each) => query?.uids?.includes(each.uid) ?? true);
        const start = rows.findIndex((each) => each.uid === query?.after) + 1;
        const end = start + this.rowsPerPage;
        const next = end < rows.length ? (rows[end - 1]?.uid ?? null) : null;
        return { ...buildPage(rows), rows: rows.slice(start, end), next };
      }
      await this.line();
      const known = this.kept.get(uid);
      if (!body) return void this.kept.delete(uid);
      if (known && known.version !== body.version)
        throw new ApiError(409, { code: 'E007', message: 'Changed.', reference: 'r', current: known });
      const made = { ...(known ?? buildAnnotation(uid, { own: true })), ...body, version: body.version + 1 };
      this.kept.set(uid, made);
      return made;
    },
  } as HttpClient;
}

/** A list of the location `unit` that has loaded `annotations`. */
async function setup(...annotations: readonly Annotation[]) {
  const server = new SharedServer();
  for (const each of annotations) server.kept.set(each.uid, each);
  const events = new FakeServerEvents();
  const paths: Readonly<Record<string, readonly string[]>> = {
    lower: ['site', 'unit', 'lower'],
    other: ['site', 'other'],
  };
  const list = new AnnotationList(
    buildListOptions({
      http: server.http,
      events,
      locations: { pathTo: (uid) => (paths[uid] ?? []).map((each) => ({ uid: each }) as never) },
    }),
  );
  const stop = list.follow();
  await list.load('unit');
  server.lists.length = 0;
  const announce = ({ uid, location, version, comments }: Annotation, deleted = false): void =>
    events.publish('annotate.annotationChanged', {
      uid,
      location,
      version,
      deleted,
      comments: comments.length,
    } satisfies AnnotationChange as never);
  /** The event of another person's change. */
  const change = (changed: Annotation): void => {
    server.kept.set(changed.uid, changed);
    announce(changed);
  };
  const remove = (removed: Annotation): void => {
    server.kept.delete(removed.uid);
    announce(removed, true);
  };
  return { server, events, list, stop, change, remove, announce, settle: () => vi.advanceTimersByTimeAsync(3000) };
}
const names = ({ all }: AnnotationList): readonly string[] => all.map(({ name, sync }) => `${name} ${sync.state}`);

describe('SyncedList with changes by others', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('[TOUR-22] shows added, changed and deleted items, with one load for many events', async () => {
    const { server, list, change, remove, settle } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    change(buildAnnotation('a', { name: 'a changed', version: 2 }));
    change(buildAnnotation('a', { name: 'a changed twice', version: 3 }));
    change(buildAnnotation('c', { createdAt: '2026-11-21T09:00:00.000Z' }));
    remove(buildAnnotation('b'));
    await settle();
    expect(names(list)).toEqual(['c saved', 'a changed twice saved']);
    expect(server.lists).toEqual([['a', 'c']]);
  });

  it('[TOUR-22] removes items that are no longer shared', async () => {
    const { server, list, announce, settle } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    server.kept.delete('a');
    announce(buildAnnotation('a', { version: 2 }));
    await settle();
    expect(names(list)).toEqual(['b saved']);
  });

  it('[TOUR-22] shows a new comment, which does not change the version', async () => {
    const { list, change, settle } = await setup(buildAnnotation('a'));
    const comments = [{ uid: 'x', text: 'Seen', author: 'Ben', createdAt: '' }];
    change(buildAnnotation('a', { comments }));
    await settle();
    expect(list.all[0]?.comments).toEqual(comments);
  });

  it('[TOUR-22] loads nothing for its own changes, for other locations, and after it stopped', async () => {
    const { server, list, events, announce, stop, settle } = await setup(buildAnnotation('a'));
    await list.change('a', { name: 'mine' });
    announce(server.kept.get('a') as Annotation);
    announce(buildAnnotation('x', { location: 'other' }));
    await settle();
    expect([names(list), server.lists]).toEqual([['mine saved'], []]);
    stop();
    announce(buildAnnotation('a', { version: 9 }));
    await settle();
    expect([server.lists, events.listenerCount]).toEqual([[], 0]);
  });

  it('[TOUR-22] keeps a pending change if its own event comes first', async () => {
    const { server, list, announce, settle } = await setup(buildAnnotation('a'));
    let release = (): void => undefined;
    server.line = () => new Promise((resolve) => (release = resolve));
    const sent = list.change('a', { name: 'mine' });
    announce(buildAnnotation('a', { name: 'mine', version: 2 }));
    await settle();
    expect(names(list)).toEqual(['mine saving']);
    release();
    await sent;
    await settle();
    expect([names(list), server.lists]).toEqual([['mine saved'], []]);
  });

  it('[TOUR-22] does not touch an open edit, and shows the conflict when it is saved', async () => {
    const { list, change, settle } = await setup(buildAnnotation('a'));
    const endEdit = list.beginEdit('a');
    change(buildAnnotation('a', { name: 'theirs', version: 2 }));
    await settle();
    expect(names(list)).toEqual(['a saved']);
    const sent = list.change('a', { name: 'mine' });
    endEdit();
    await sent;
    await settle();
    expect(names(list)).toEqual(['mine conflict']);
    change(buildAnnotation('a', { name: 'theirs again', version: 3 }));
    await settle();
    expect(names(list)).toEqual(['mine conflict']);
    list.takeTheirs('a');
    await settle();
    expect(names(list)).toEqual(['theirs again saved']);
  });

  it('[TOUR-22] shows the changes of others once an edit is discarded', async () => {
    const { list, change, remove, settle } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    const [endA, endB] = [list.beginEdit('a'), list.beginEdit('b')];
    change(buildAnnotation('a', { name: 'theirs', version: 2 }));
    remove(buildAnnotation('b'));
    await settle();
    expect(names(list)).toEqual(['a saved', 'b saved']);
    endA();
    endB();
    await settle();
    expect(names(list)).toEqual(['theirs saved']);
  });

  it('[TOUR-22] reloads the list after missed events, but not over an open edit', async () => {
    const { server, list, events, settle } = await setup(buildAnnotation('a'), buildAnnotation('b'));
    const endEdit = list.beginEdit('a');
    server.kept.set('a', buildAnnotation('a', { name: 'theirs', version: 2 }));
    server.kept.delete('b');
    server.kept.set('c', buildAnnotation('c'));
    events.reset();
    await settle();
    expect([names(list).toSorted(), server.lists, list.state]).toEqual([['a saved', 'c saved'], ['all'], 'loaded']);
    endEdit();
    await settle();
    expect(names(list).toSorted()).toEqual(['c saved', 'theirs saved']);
  });

  it('[TOUR-22] reloads the list instead of very many changes', async () => {
    const { server, list, change, settle } = await setup();
    for (let n = 0; n < 60; n += 1) change(buildAnnotation(`a${n}`));
    await settle();
    expect([server.lists, list.all.length]).toEqual([['all'], 60]);
    change(buildAnnotation('b'));
    await settle();
    expect(server.lists).toEqual(['all', ['b']]);
  });

  it('[TOUR-22] loads a long list page by page and shows the progress', async () => {
    const { server, list } = await setup(...['a', 'b', 'c', 'd', 'e'].map((uid) => buildAnnotation(uid)));
    server.rowsPerPage = 2;
    server.line = () => new Promise((resolve) => setTimeout(resolve, 100));
    const loaded = list.load('unit');
    await vi.advanceTimersByTimeAsync(100);
    expect([list.state, list.all.length, list.progress]).toEqual(['loading', 2, { count: 2, total: 5 }]);
    await vi.advanceTimersByTimeAsync(100);
    expect([list.state, list.all.length, list.progress]).toEqual(['loading', 4, { count: 4, total: 5 }]);
    await vi.advanceTimersByTimeAsync(100);
    await loaded;
    expect([list.state, list.all.length, list.progress]).toEqual(['loaded', 5, undefined]);
    expect(server.lists).toEqual(['all', 'b', 'd']);
  });

  it('[TOUR-22] retries a change that could not be loaded', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { server, list, change, settle } = await setup();
    server.line = () => Promise.reject(new ApiError(0, undefined));
    change(buildAnnotation('a'));
    await vi.advanceTimersByTimeAsync(500);
    expect(names(list)).toEqual([]);
    server.line = async () => undefined;
    await settle();
    expect(names(list)).toEqual(['a saved']);
    log.mockRestore();
  });
});
