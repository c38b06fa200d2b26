import { describe, expect, it } from 'vitest';
import type { Page } from '#core/api';
import { ApiError } from '../kernel/services.ts';
import { PagedResource, type LoadPage, type PageRequest } from './paged-resource.ts';

interface Call extends PageRequest {
  readonly signal: AbortSignal;
  readonly answer: (prefix?: string, total?: number) => Promise<void>;
  readonly reject: (cause: unknown) => Promise<void>;
}

/** Rows are named after their index, in pages of 10. */
function setup() {
  const calls: Call[] = [];
  const load: LoadPage<Page<string>> = ({ offset, limit }, signal) => {
    let resolve: (page: Page<string>) => void = () => undefined;
    let reject: (cause: unknown) => void = () => undefined;
    const page = new Promise<Page<string>>((onValue, onFailure) => {
      resolve = onValue;
      reject = onFailure;
    });
    const nextTask = () => new Promise<void>((resolveTask) => setImmediate(resolveTask));
    calls.push({
      offset,
      limit,
      signal,
      answer: (prefix = 'row', total = 100_000) => {
        const rows = Array.from({ length: limit }, (_, index) => `${prefix} ${offset + index}`);
        resolve({ total, offset, rows });
        return nextTask();
      },
      reject: (cause) => {
        reject(cause);
        return nextTask();
      },
    });
    return page;
  };
  return { list: new PagedResource(load, 10), calls, load };
}
const noAnswer = new ApiError(0, undefined);

describe('PagedResource', () => {
  it('loads the first page, then each page of the visible rows once', async () => {
    const { list, calls } = setup();
    list.load();
    expect([list.state, list.total]).toEqual(['loading', undefined]);
    await calls[0]?.answer();
    expect([list.state, list.total, list.rowAt(9), list.rowAt(10)]).toEqual(['ready', 100_000, 'row 9', undefined]);
    list.loadRows(5, 21);
    list.loadRows(5, 21);
    expect(calls.map(({ offset, limit }) => [offset, limit])).toEqual([
      [0, 10],
      [10, 10],
      [20, 10],
    ]);
    await calls[2]?.answer();
    expect(list.rowAt(21)).toBe('row 21');
  });

  it('keeps the value of the list when a page with the same total arrives', async () => {
    const { list, calls } = setup();
    list.load();
    await calls[0]?.answer();
    const first = list.value;
    list.loadRows(10, 29);
    await calls[1]?.answer();
    expect(list.value).toBe(first);
    await calls[2]?.answer('row', 99_999);
    expect(list.value).toEqual({ total: 99_999 });
  });

  it('aborts loading rows that are not visible', async () => {
    const { list, calls } = setup();
    list.load();
    await calls[0]?.answer();
    list.loadRows(50_000, 50_001);
    list.loadRows(99_000, 99_001);
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([false, true, false]);
    list.loadRows(50_000, 50_001);
    expect(calls).toHaveLength(4);
  });

  it('keeps rows during a reload and reloads hidden rows when they become visible', async () => {
    const { list, calls } = setup();
    list.load();
    await calls[0]?.answer();
    list.loadRows(10, 19);
    await calls[1]?.answer();
    list.load();
    expect([list.state, list.rowAt(0), list.rowAt(10)]).toEqual(['stale', 'row 0', 'row 10']);
    expect(calls.slice(2).map(({ offset }) => offset)).toEqual([10]);
    await calls[2]?.answer('new');
    expect([list.rowAt(0), list.rowAt(10)]).toEqual(['row 0', 'new 10']);
    list.loadRows(0, 19);
    expect(calls.slice(3).map(({ offset }) => offset)).toEqual([0]);
    await calls[3]?.answer('new');
    expect([list.state, list.rowAt(0)]).toEqual(['ready', 'new 0']);
  });

  it('fails if the first page fails, and succeeds on a retry', async () => {
    const { list, calls } = setup();
    list.load();
    await calls[0]?.reject(noAnswer);
    expect([list.state, list.failure?.kind]).toEqual(['failed', 'offline']);
    list.retry();
    expect(list.state).toBe('loading');
    await calls[1]?.answer();
    expect(list.state).toBe('ready');
  });

  it('reports rows that failed to load, and loads them on a retry', async () => {
    const { list, calls } = setup();
    list.load();
    await calls[0]?.answer();
    list.loadRows(0, 12);
    await calls[1]?.reject(noAnswer);
    expect([list.state, list.failureAt(9), list.failureAt(12)?.kind]).toEqual(['ready', undefined, 'offline']);
    list.loadRows(0, 12);
    expect(calls).toHaveLength(2);
    list.retry();
    await calls[2]?.answer();
    expect([list.failureAt(12), list.rowAt(12), calls.length]).toEqual([undefined, 'row 12', 3]);
  });

  it('keeps the visible rows until the rows in a new order are loaded, and drops hidden rows', async () => {
    const { list, calls, load } = setup();
    list.load();
    await calls[0]?.answer();
    list.loadRows(10, 19);
    await calls[1]?.answer();
    list.loadWith(load);
    expect([list.state, list.total, list.rowAt(0), list.rowAt(10)]).toEqual(['stale', 100_000, undefined, 'row 10']);
    await calls[2]?.answer('sorted', 500);
    expect([list.state, list.total, list.rowAt(10)]).toEqual(['ready', 500, 'sorted 10']);
  });

  it('keeps the shown rows if reloading them fails', async () => {
    const { list, calls } = setup();
    list.load();
    await calls[0]?.answer();
    list.load();
    await calls[1]?.reject(noAnswer);
    expect([list.state, list.rowAt(0), list.failure?.kind]).toEqual(['stale', 'row 0', 'offline']);
    list.retry();
    await calls[2]?.answer('new');
    expect([list.state, list.rowAt(0), list.failure]).toEqual(['ready', 'new 0', undefined]);
  });

  it('keeps the fifty pages nearest to the visible rows', async () => {
    const { list, calls } = setup();
    list.load();
    for (let page = 0; page < 60; page++) {
      list.loadRows(page * 10, page * 10);
      await calls.at(-1)?.answer();
    }
    expect([list.pages.size, list.rowAt(0), list.rowAt(100)]).toEqual([50, undefined, 'row 100']);
  });
});
