import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TNumber } from 'typebox';
import type { ServerEvent } from '#core';
import { FakeServerEvents } from '../../testing/web/fake-server-events.ts';
import { followChanges } from './follow-changes.ts';

type RowChanged = ServerEvent<'test.row', TNumber>;

function setup() {
  const events = new FakeServerEvents();
  const calls: (readonly number[] | 'all')[] = [];
  let answer: () => Promise<void> = async () => undefined;
  const stop = followChanges<RowChanged>(events, 'test.row', {
    onChanges: (changes) => (calls.push(changes), answer()),
    onMissed: () => (calls.push('all'), answer()),
  });
  return {
    events,
    calls,
    stop,
    publish: (...rows: readonly number[]) => rows.forEach((row) => events.publish<RowChanged>('test.row', row)),
    setAnswer: (next: () => Promise<void>) => void (answer = next),
  };
}

describe('followChanges', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('[TOUR-22] calls the handler once for a burst of events, within half a second', async () => {
    const { publish, calls } = setup();
    publish(1, 2, 3);
    await vi.advanceTimersByTimeAsync(50);
    publish(4);
    await vi.advanceTimersByTimeAsync(450);
    expect(calls).toEqual([[1, 2, 3, 4]]);
  });

  it('[TOUR-22] does not run the handler concurrently', async () => {
    const { publish, calls, setAnswer } = setup();
    let resolve = (): void => undefined;
    setAnswer(() => new Promise((resolvePromise) => (resolve = resolvePromise)));
    publish(1);
    await vi.advanceTimersByTimeAsync(1000);
    publish(2, 3);
    await vi.advanceTimersByTimeAsync(1000);
    expect(calls).toEqual([[1]]);
    resolve();
    setAnswer(async () => undefined);
    await vi.advanceTimersByTimeAsync(0);
    expect(calls).toEqual([[1], [2, 3]]);
  });

  it('[TOUR-22] passes the changes for which the handler failed again, with later ones, and logs the failure', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { publish, calls, setAnswer } = setup();
    setAnswer(() => Promise.reject(new Error('away')));
    publish(1);
    await vi.advanceTimersByTimeAsync(500);
    publish(2);
    setAnswer(async () => undefined);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toEqual([[1], [1, 2]]);
    expect(log).toHaveBeenCalledOnce();
    log.mockRestore();
  });

  it('[TOUR-22] requests a complete reload after missed events, and calls no handler after a stop', async () => {
    const { events, publish, calls, stop } = setup();
    publish(1);
    events.reset();
    await vi.advanceTimersByTimeAsync(500);
    expect(calls).toEqual(['all']);
    publish(2);
    stop();
    await vi.advanceTimersByTimeAsync(5000);
    expect(calls).toEqual(['all']);
    expect(events.listenerCount).toBe(0);
  });
});
