import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { SessionTestHarness } from '../../testing/web/session-test-harness.ts';
import { EventStreamReader, type StreamEvent } from './event-stream-reader.ts';
import { ServerEventsService } from './server-events-service.ts';

const toBytes = (text: string) => new TextEncoder().encode(text);

/** A fake stream server: each connection plays the next script, then stays open or ends. */
function createStreamServer(harness: SessionTestHarness) {
  const connections: {
    readonly url: string;
    readonly token: string | null;
    readonly lastId: string | null;
    send(text: string): void;
    end(): void;
    readonly signal: AbortSignal | null | undefined;
  }[] = [];
  const fetchStream: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    const token = headers.get('authorization')?.slice(7) ?? null;
    if (!harness.accountActive)
      return new Response(JSON.stringify({ code: 'E006', message: 'E006: Inactive User', reference: 'r' }), {
        status: 401,
      });
    if (token !== harness.validToken)
      return new Response(JSON.stringify({ code: 'E005', message: 'expired', reference: 'r' }), { status: 401 });
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) });
    connections.push({
      url: url as string,
      token,
      lastId: headers.get('last-event-id'),
      send: (text) => stream?.enqueue(toBytes(text)),
      end: () => stream?.close(),
      signal: init?.signal,
    });
    return new Response(body, { status: 200, headers: { 'content-type': 'text/event-stream' } });
  };
  return { connections, fetchStream };
}

function setup(harness = new SessionTestHarness()) {
  const tab = harness.openSignedInTab();
  const { connections, fetchStream } = createStreamServer(harness);
  const page = Object.assign(new EventTarget(), { hidden: false });
  const events = new ServerEventsService({
    tokenManager: tab.tokenManager,
    apiUrl: '',
    fetch: fetchStream,
    wait: () => new Promise((resolve) => setTimeout(resolve)),
    page,
  });
  return { harness, tab, connections, events, page };
}

describe('ServerEventsService', () => {
  it('opens for the first listener, dispatches by topic and prefix, and closes after the last', async () => {
    const { connections, events } = setup();
    const exact: unknown[] = [];
    const prefixMatches: unknown[] = [];
    const offExact = events.on('job.7', (data) => exact.push(data));
    const offPrefixed = events.on('job.*', (data) => prefixMatches.push(data));
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    connections[0]?.send(
      'retry: 1000\n\n:\n\nid: 1\nevent: job.7\ndata: {"done":1}\n\nid: 2\nevent: job.8\ndata: 2\n\n',
    );
    await vi.waitFor(() => expect(prefixMatches).toEqual([{ done: 1 }, 2]));
    expect(exact).toEqual([{ done: 1 }]);
    offExact();
    expect(connections[0]?.signal?.aborted).toBe(false);
    offPrefixed();
    expect(connections[0]?.signal?.aborted).toBe(true);
  });

  it('[SES-02] race 16: resumes after the last event id, with a renewed token if the old one was refused', async () => {
    const { harness, connections, events } = setup();
    const receivedData: unknown[] = [];
    const unsubscribe = events.on('*', (data) => receivedData.push(data));
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    connections[0]?.send('id: 41\nevent: a\ndata: 1\n\n');
    await vi.waitFor(() => expect(receivedData).toEqual([1]));
    expect(connections[0]).toMatchObject({ url: expect.stringMatching(/replaySeconds=3\d$/), lastId: null });
    harness.expire();
    connections[0]?.end();
    await vi.waitFor(() => expect(connections).toHaveLength(2));
    expect(connections[1]).toMatchObject({ url: '/api/events', token: 'a1', lastId: '41' });
    expect(harness.renewalCount).toBe(1);
    unsubscribe();
  });

  it('closes the connection while the page is hidden, and resumes when it is shown', async () => {
    const { connections, events, page } = setup();
    const receivedData: unknown[] = [];
    const unsubscribe = events.on('a', (data) => receivedData.push(data));
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    connections[0]?.send('id: 7\nevent: a\ndata: 1\n\n');
    await vi.waitFor(() => expect(receivedData).toEqual([1]));
    const setHidden = (hidden: boolean) => {
      page.hidden = hidden;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    vi.useFakeTimers();
    setHidden(true);
    vi.advanceTimersByTime(30_000);
    vi.useRealTimers();
    expect(connections[0]?.signal?.aborted).toBe(true);
    connections[0]?.end();
    setHidden(false);
    await vi.waitFor(() => expect(connections).toHaveLength(2));
    expect(connections[1]?.lastId).toBe('7');
    unsubscribe();
    expect(connections[1]?.signal?.aborted).toBe(true);
  });

  it('does not renew or use the session if only notices are followed', async () => {
    const { harness, connections, events } = setup();
    const unsubscribe = events.on('core.noticesChanged', () => undefined);
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    harness.expire();
    connections[0]?.end();
    const waits = vi.fn();
    await vi.waitFor(() => {
      waits();
      expect(waits.mock.calls.length).toBeGreaterThan(3);
    });
    expect([harness.renewalCount, connections.length]).toEqual([0, 1]);
    const offUsed = events.on('job.7', () => undefined);
    await vi.waitFor(() => expect(connections).toHaveLength(2));
    expect(harness.renewalCount).toBe(1);
    unsubscribe();
    offUsed();
  });

  it('[SES-05] stops for an inactive account, without a renewal', async () => {
    const { harness, tab, connections, events } = setup();
    harness.accountActive = false;
    events.on('*', () => undefined);
    await vi.waitFor(() => expect(tab.tokenManager.state).toBe('inactive'));
    expect([harness.renewalCount, connections.length]).toEqual([0, 0]);
  });

  it('continues if a listener throws', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { connections, events } = setup();
    const receivedData: unknown[] = [];
    events.on('a', () => {
      throw new Error('listener');
    });
    const unsubscribe = events.on('a', (data) => receivedData.push(data));
    await vi.waitFor(() => expect(connections).toHaveLength(1));
    connections[0]?.send('event: a\ndata: 1\n\nevent: a\ndata: 2\n\n');
    await vi.waitFor(() => expect(receivedData).toEqual([1, 2]));
    expect(log).toHaveBeenCalledTimes(2);
    log.mockRestore();
    unsubscribe();
  });
});

describe('EventStreamReader', () => {
  const read = (text: string, cuts: readonly number[] = []): readonly StreamEvent[] => {
    const reader = new EventStreamReader();
    const all = toBytes(text);
    const ends = [...new Set(cuts.map((cut) => cut % (all.length + 1)))].toSorted((a, b) => a - b);
    return [...ends, all.length].flatMap((end, index) =>
      reader.read(all.slice(index === 0 ? 0 : ends[index - 1], end)),
    );
  };

  it('parses fields, multi-line data, comments and all line ends', () => {
    expect(read(': hello\r\nid: 5\r\nevent: a\r\ndata: 1\r\ndata: 2\r\n\r\ndata:x\r\rdata\n\n')).toEqual([
      { id: '5', topic: 'a', data: '1\n2' },
      { id: '5', topic: 'message', data: 'x' },
      { id: '5', topic: 'message', data: '' },
    ]);
  });

  it('parses the same events at any chunk boundaries', () => {
    const text =
      'id: 1\nevent: über\ndata: {"name":"Ünité 🚢"}\n\n:\n\nid: 2\r\ndata: two\r\n\r\nretry: 5\n\ndata: three\n\n';
    const expected = read(text);
    expect(expected).toHaveLength(3);
    fc.assert(
      fc.property(fc.array(fc.nat(200), { maxLength: 30 }), (cuts) => {
        expect(read(text, cuts)).toEqual(expected);
      }),
    );
  });
});
