import { EventEmitter } from 'node:events';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor, waitInPage } from './waiting.ts';

const createEndless = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('waitFor', () => {
  it('returns the value of the work', async () => {
    await expect(waitFor('a reply', Promise.resolve(7))).resolves.toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with the error of the work', async () => {
    await expect(waitFor('a reply', Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects after 60 s without progress and names the awaited work', async () => {
    const onFailure = vi.fn<(error: Error) => void>();
    waitFor('the canvas of the tour', createEndless()).catch(onFailure);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(onFailure.mock.calls.map(([error]) => error.message)).toEqual([
      'Waited 60 s without progress for the canvas of the tour.',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('continues while there is progress', async () => {
    let bytes = 0;
    const onFailure = vi.fn<(error: Error) => void>();
    waitFor('the tiles', createEndless(), () => bytes).catch(onFailure);
    for (let minute = 0; minute < 5; minute += 1) {
      await vi.advanceTimersByTimeAsync(50_000);
      bytes += 1;
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(onFailure).toHaveBeenCalledOnce();
  });

  it('ignores a failure of the work after the wait has ended', async () => {
    let fail = (_: Error): void => undefined;
    const work = new Promise<never>((_, reject) => (fail = reject));
    const wait = waitFor('the work', work);
    wait.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    fail(new Error('closed'));
    await expect(wait).rejects.toThrow('the work');
  });
});

describe('waitInPage', () => {
  /** Creates a page that emits the events of the test. */
  function setup() {
    const events = new EventEmitter();
    return { events, page: events as unknown as Page };
  }

  it('continues while the page finishes requests', async () => {
    const { events, page } = setup();
    const onFailure = vi.fn<(error: Error) => void>();
    waitInPage(page, 'the tiles', createEndless()).catch(onFailure);
    for (let minute = 0; minute < 3; minute += 1) {
      await vi.advanceTimersByTimeAsync(50_000);
      events.emit('requestfinished');
    }
    expect(onFailure).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(onFailure.mock.calls.map(([error]) => error.message)).toEqual([
      'Waited 60 s without progress for the tiles.',
    ]);
  });

  it('reports errors of the page', async () => {
    const { events, page } = setup();
    const wait = waitInPage(page, 'the login page', createEndless());
    wait.catch(() => undefined);
    events.emit('response', { status: () => 503, url: () => 'http://a/app.js' });
    events.emit('response', { status: () => 200, url: () => 'http://a/app.css' });
    events.emit('pageerror', new Error('no module'));
    await vi.advanceTimersByTimeAsync(61_000);
    await expect(wait).rejects.toThrow(
      'Waited 60 s without progress for the login page. ' +
        'In the page: the server replied 503 to http://a/app.js; no module',
    );
  });
});
