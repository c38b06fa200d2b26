import { autorun } from 'mobx';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../kernel/services.ts';
import { toFailure } from './failure.ts';
import { Resource } from './resource.ts';

interface Call {
  readonly signal: AbortSignal;
  readonly answer: (value: string) => void;
  readonly reject: (cause: unknown) => void;
}

function setup() {
  const calls: Call[] = [];
  const resource = new Resource<string>(
    (signal) => new Promise((answer, reject) => calls.push({ signal, answer, reject })),
  );
  const states: string[] = [];
  autorun(() => states.push(`${resource.state} ${resource.value ?? '-'} ${resource.failure?.kind ?? '-'}`));
  return { resource, calls, states };
}

const noAnswer = new ApiError(0, undefined);

describe('Resource', () => {
  it('is loading, then ready, then stale during a reload', async () => {
    const { resource, calls, states } = setup();
    const first = resource.load();
    calls[0]?.answer('one');
    await first;
    const second = resource.load();
    calls[1]?.answer('two');
    await second;
    expect(states).toEqual(['loading - -', 'ready one -', 'stale one -', 'ready two -']);
  });

  it('is failed without a value, and loading during a retry', async () => {
    const { resource, calls, states } = setup();
    const first = resource.load();
    calls[0]?.reject(noAnswer);
    await first;
    resource.retry();
    calls[1]?.answer('one');
    await resource.loadShared();
    expect(states).toEqual(['loading - -', 'failed - offline', 'loading - -', 'ready one -']);
  });

  it('keeps the value when a reload fails, and the failure until the next call ends', async () => {
    const { resource, calls, states } = setup();
    const first = resource.load();
    calls[0]?.answer('one');
    await first;
    const second = resource.load();
    calls[1]?.reject(noAnswer);
    await second;
    const third = resource.load();
    calls[2]?.answer('three');
    await third;
    expect(states.slice(1)).toEqual(['ready one -', 'stale one -', 'stale one offline', 'ready three -']);
  });

  it('aborts the running call for a new one and ignores its answer', async () => {
    const { resource, calls } = setup();
    const formerLoad = resource.load();
    const latter = resource.load();
    expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    calls[1]?.answer('new');
    await latter;
    calls[0]?.answer('old');
    await formerLoad;
    expect([resource.value, resource.state]).toEqual(['new', 'ready']);
  });

  it('joins the running call on request', async () => {
    const { resource, calls } = setup();
    const both = Promise.all([resource.loadShared(), resource.loadShared()]);
    calls[0]?.answer('one');
    await both;
    expect([calls.length, resource.value]).toEqual([1, 'one']);
    void resource.loadShared();
    expect(calls).toHaveLength(2);
  });

  it('aborts a call on dispose, and loads on request', async () => {
    const { resource, calls } = setup();
    const first = resource.load();
    resource.dispose();
    calls[0]?.reject(new Error('aborted'));
    await first;
    expect([calls[0]?.signal.aborted, resource.state, resource.running]).toEqual([true, 'loading', false]);
    const second = resource.load();
    calls[1]?.answer('one');
    await second;
    expect(resource.state).toBe('ready');
  });

  it('updates an existing value', async () => {
    const { resource, calls } = setup();
    resource.update((value) => `${value}!`);
    expect(resource.value).toBeUndefined();
    const first = resource.load();
    calls[0]?.answer('one');
    await first;
    resource.update((value) => `${value}!`);
    expect([resource.value, resource.state]).toEqual(['one!', 'ready']);
  });

  it('stays loading while there is nothing to load', async () => {
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
  ])('maps %s to %s', (status, kind) => {
    expect(toFailure(new ApiError(status, body))).toMatchObject({ kind, reference: 'r-1' });
  });

  it('maps other errors to a failure without a reference', () => {
    expect(toFailure(new TypeError('planted'))).toMatchObject({ kind: 'failed', reference: undefined });
  });
});
