import { describe, expect, it, vi } from 'vitest';
import type { CloudNode } from './cloud-node.ts';
import type { WorkerReply, WorkerRequest } from './cloud.worker.ts';
import type { DecodedTile } from '../../../common/decode-tile.ts';
import { NodeLoader, type NodeWorker } from './node-loader.ts';

const buildNode = (key: string): CloudNode => ({
  key,
  box: { minimum: [0, 0, 0], maximum: [1, 1, 1] },
  cube: { minimum: [0, 0, 0], edge: 1 },
  count: 1,
  spacing: 1,
  source: { kind: 'TILE', url: key },
  children: [],
  tile: undefined,
  requestedAt: 0,
});

function setup() {
  const workers: (NodeWorker & { readonly requests: WorkerRequest[] })[] = [];
  const onFailed = vi.fn();
  const loader = new NodeLoader(
    () => undefined,
    onFailed,
    () => {
      const requests: WorkerRequest[] = [];
      const worker = {
        requests,
        postMessage: (request: WorkerRequest) => void requests.push(request),
        terminate: () => undefined,
        onmessage: null,
        onerror: null,
      };
      workers.push(worker);
      return worker;
    },
  );
  const sendReply = (reply: WorkerReply) =>
    workers[0]!.onmessage?.call(workers[0] as never, new MessageEvent('message', { data: reply }));
  return { loader, onFailed, workers, requests: workers[0]!.requests, sendReply };
}

describe('NodeLoader', () => {
  it('[TOUR-14] does not retry by itself after a refusal', () => {
    const { loader, onFailed, requests, sendReply } = setup();
    loader.setRequestedNodes([buildNode('a')]);
    sendReply({ id: 1, reason: 'The server answered 403.', refused: true });
    expect(onFailed.mock.calls).toEqual([['The server answered 403.', true]]);
    expect([loader.busy, requests.length]).toEqual([false, 1]);
    loader.retry();
    expect(requests).toHaveLength(2);
    loader.close();
  });

  it('loads adjacent nodes in one request that can be aborted for each node', () => {
    const { loader, requests, sendReply } = setup();
    const buildCopcNode = (key: string, offset: number): CloudNode => ({
      ...buildNode(key),
      source: {
        kind: 'COPC',
        url: 'c',
        offset,
        bytes: 10,
        count: 1,
        format: 7,
        pointLength: 36,
        scale: [1, 1, 1],
        shift: [0, 0, 0],
        box: { minimum: [0, 0, 0], maximum: [1, 1, 1] },
      },
    });
    const [a, b, far] = [buildCopcNode('a', 0), buildCopcNode('b', 10), buildCopcNode('far', 1e6)];
    loader.setRequestedNodes([a, far, b]);
    expect(requests.map((request) => ('parts' in request ? request.parts.map(({ id }) => id) : request))).toEqual([
      [1, 2],
    ]);
    loader.setRequestedNodes([b, far]);
    expect(requests.slice(1)).toEqual([{ id: 1, abort: true }]);
    sendReply({ id: 2, tile: { count: 1 } as DecodedTile });
    expect([a.tile, b.tile?.count, loader.busy]).toEqual([undefined, 1, true]);
    loader.close();
  });

  it('replaces a worker whose code failed to load', () => {
    vi.useFakeTimers();
    const { loader, onFailed, workers } = setup();
    loader.setRequestedNodes([buildNode('a')]);
    workers[0]!.onerror?.call(workers[0] as never, new Event('error') as ErrorEvent);
    expect(onFailed).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1100);
    expect(workers.slice(1).flatMap(({ requests: each }) => each)).toEqual([
      { parts: [{ id: 2, source: { kind: 'TILE', url: 'a' } }] },
    ]);
    loader.close();
    vi.useRealTimers();
  });

  it('retries other failures by itself', () => {
    vi.useFakeTimers();
    const { loader, onFailed, requests, sendReply } = setup();
    loader.setRequestedNodes([buildNode('a')]);
    sendReply({ id: 1, reason: 'The server answered 500.', refused: false });
    expect([onFailed.mock.calls.length, loader.busy]).toEqual([0, true]);
    vi.advanceTimersByTime(1100);
    expect(requests).toHaveLength(2);
    loader.close();
    vi.useRealTimers();
  });

  it('stops retrying after three failures', () => {
    vi.useFakeTimers();
    const { loader, onFailed, requests, sendReply } = setup();
    loader.setRequestedNodes([buildNode('a')]);
    for (const [index, pause] of [1100, 4100].entries()) {
      sendReply({ id: index + 1, reason: 'The server answered 500.', refused: false });
      expect([onFailed.mock.calls.length, loader.busy]).toEqual([0, true]);
      vi.advanceTimersByTime(pause);
      expect(requests).toHaveLength(index + 2);
    }
    sendReply({ id: 3, reason: 'The server answered 500.', refused: false });
    expect(onFailed.mock.calls).toEqual([['The server answered 500.', false]]);
    vi.advanceTimersByTime(60_000);
    expect([loader.busy, requests.length]).toEqual([false, 3]);
    loader.close();
    vi.useRealTimers();
  });
});
