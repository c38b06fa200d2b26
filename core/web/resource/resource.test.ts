import { autorun } from 'mobx';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../kernel/services.ts';
import { toFailure } from './failure.ts';
import { Resource } from './resource.ts';

interface Call {
  readonly signal: AbortSignal;
  readonly answer: (value: string) => void;
  readonly refuse: (cause: unknown) => void;
}

function setup() {
  const calls: Call[] = [];
  const resource = new Resource<string>(
    (signal) => new Promise((answer, refuse) => calls.push({ signal, answer, refuse })),
  );
  const states: string[] = [];
  autorun(() => states.push(`${resource.state} ${resource.value ?? '-'} ${resource.failure?.kind ?? '-'}`));
  return { resource, calls, states };
}

const noAnswer = new ApiError(0, undefined);

describe('Resource', () => {
  it('is loading, then ready, then stale while it is loaded again', async () => {
    const { resource, calls, states } = setup();
    const first = resource.load();
    calls[0]?.answer('one');
    await first;
    const second = resource.load();
    calls[1]?.answer('two');
    await second;
    expect(states).toEqual(['loading - -', 'ready one -', 'stale one -', 'ready two -']);
  });

  it('has failed without a value, and is loading while it is tried again', async () => {
    const { resource, calls, states } = setup();
    const first = resource.load();
    calls[0]?.refuse(noAnswer);
    await first;
    resource.retry();
    calls[1]?.answer('one');
    await resource.loadShared();
    expect(states).toEqual(['loading - -', 'failed - offline', 'loading - -', 'ready one -']);
  });

  it('keeps its value where loading again fails, and the failure until the next call has ended', async () => {
    const { resource, calls, states } = setup();
    const first = resource.load();
    calls[0]?.answer('one');
    await first;
    const second = resource.load();
    calls[1]?.refuse(noAnswer);
    await second;
    const third = resource.load();
    calls[2]?.answer('three');
    await third;
    expect(states.slice(1)).toEqual(['ready one -', 'stale one -', 'stale one offline', 'ready three -']);
  });

  it('aborts the running call for a new one, and takes no answer of the former', async () => {
    const { resource, calls } = setup();
    const former = resource.load();
    const latter = resource.load();
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    calls[1]?.answer('new');
    await latter;
    calls[0]?.answer('old');
    await former;
    expect([resource.value, resource.state]).toEqual(['new', 'ready']);
  });

  it('joins the running call where that is asked for', async () => {
    const { resource, calls } = setup();
    const both = Promise.all([resource.loadShared(), resource.loadShared()]);
    calls[0]?.answer('one');
    await both;
    expect([calls.length, resource.value]).toEqual([1, 'one']);
    void resource.loadShared();
    expect(calls).toHaveLength(2);
  });

  it('aborts the running call when it is disposed, and can be loaded again', async () => {
    const { resource, calls } = setup();
    const first = resource.load();
    resource.dispose();
    calls[0]?.refuse(new Error('aborted'));
    await first;
    expect([calls[0]?.signal.aborted, resource.state, resource.running]).toEqual([true, 'loading', false]);
    const second = resource.load();
    calls[1]?.answer('one');
    await second;
    expect(resource.state).toBe('ready');
  });

  it('changes its value, where it has one', async () => {
    const { resource, calls } = setup();
    resource.update((value) => `${value}!`);
    expect(resource.value).toBeUndefined();
    const first = resource.load();
    calls[0]?.answer('one');
    await first;
    resource.update((value) => `${value}!`);
    expect([resource.value, resource.state]).toEqual(['one!', 'ready']);
  });

  it('waits where there is nothing to load yet', async () => {
    const resource = new Resource<string>(() => undefined);
    await resource.load();
    expect([resource.state, resource.running]).toEqual(['loading', false]);
  });
});

describe('toFailure', () => {
  const body = { code: 'E003', message: 'no', reference: 'r-1' } as const;
  it.each([
    [0, 'offline'],
    [403, 'noAccess'],
    [404, 'notFound'],
    [500, 'failed'],
  ])('takes %s for %s', (status, kind) => {
    expect(toFailure(new ApiError(status, body))).toMatchObject({ kind, reference: 'r-1' });
  });

  it('takes what is no answer of the server for a failure without a reference', () => {
    expect(toFailure(new TypeError('planted'))).toMatchObject({ kind: 'failed', reference: undefined });
  });
});
