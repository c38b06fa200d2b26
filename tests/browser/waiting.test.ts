import { EventEmitter } from 'node:events';
import type { Page } from 'playwright';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor, waitInPage } from './waiting.ts';

const never = (): Promise<never> => new Promise(() => undefined);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('waitFor', () => {
  it('returns the value of the work', async () => {
    await expect(waitFor('an answer', Promise.resolve(7))).resolves.toBe(7);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('rejects with the error of the work', async () => {
    await expect(waitFor('an answer', Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends after 60 s without progress and says what it waited for', async () => {
    const failed = vi.fn<(error: Error) => void>();
    waitFor('the canvas of the tour', never()).catch(failed);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(failed.mock.calls.map(([error]) => error.message)).toEqual([
      'Waited 60 s without progress for the canvas of the tour.',
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('continues while there is progress', async () => {
    let bytes = 0;
    const failed = vi.fn<(error: Error) => void>();
    waitFor('the tiles', never(), () => bytes).catch(failed);
    for (let minute = 0; minute < 5; minute += 1) {
      await vi.advanceTimersByTimeAsync(50_000);
      bytes += 1;
    }
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1000);
    expect(failed).toHaveBeenCalledOnce();
  });

  it('does not leave an unhandled rejection when the work fails after the wait has ended', async () => {
    let fail = (_: Error): void => undefined;
    const work = new Promise<never>((_, reject) => (fail = reject));
    const waiting = waitFor('the work', work);
    waiting.catch(() => undefined);
    await vi.advanceTimersByTimeAsync(60_000);
    fail(new Error('closed'));
    await expect(waiting).rejects.toThrow('the work');
  });
});

describe('waitInPage', () => {
  /** The page events that a wait listens to. */
  function setup() {
    const events = new EventEmitter();
    return { events, page: events as unknown as Page };
  }

  it('continues while the page loads something', async () => {
    const { events, page } = setup();
    const failed = vi.fn<(error: Error) => void>();
    waitInPage(page, 'the tiles', never()).catch(failed);
    for (let minute = 0; minute < 3; minute += 1) {
      await vi.advanceTimersByTimeAsync(50_000);
      events.emit('requestfinished');
    }
    expect(failed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(61_000);
    expect(failed.mock.calls.map(([error]) => error.message)).toEqual(['Waited 60 s without progress for the tiles.']);
  });

  it('reports errors of the page', async () => {
    const { events, page } = setup();
    const waiting = waitInPage(page, 'the login page', never());
    waiting.catch(() => undefined);
    events.emit('response', { status: () => 503, url: () => 'http://a/app.js' });
    events.emit('response', { status: () => 200, url: () => 'http://a/app.css' });
    events.emit('pageerror', new Error('no module'));
    await vi.advanceTimersByTimeAsync(61_000);
    await expect(waiting).rejects.toThrow(
      'Waited 60 s without progress for the login page. ' +
        'In the page: http://a/app.js was answered with 503; no module',
    );
  });
});
