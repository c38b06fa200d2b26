import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorBody } from '#core';
import { createHttpApp } from './http-app.ts';
import { readServerConfig } from './server-config.ts';
import { createMetrics } from './server-metrics.ts';

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface LogLine {
  readonly event?: string;
  readonly request?: string;
  readonly status?: number;
  readonly reason?: string;
}

const host = 'Host: walkdown';
const longText = 'y'.repeat(20_000);
const chunkedHeaders = `${host}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;

describe('a request that the HTTP parser refuses', () => {
  let app: FastifyInstance;
  let port: number;
  const lines: LogLine[] = [];
  let finishSlow: () => void;
  const slowFinished = new Promise<void>((resolve) => (finishSlow = resolve));

  beforeAll(async () => {
    const { config } = readServerConfig({ WALKDOWN_PUBLIC_ADDRESS: 'https://tours.example.com' });
    const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line) as LogLine) });
    app = await createHttpApp(config, log, createMetrics());
    app.get('/fast', async () => ({ done: true }));
    app.get('/slow', async () => {
      await slowFinished;
      return { done: true };
    });
    app.post('/echo', async ({ body }) => body);
    await app.listen({ port: 0, host: '127.0.0.1' });
    ({ port } = app.server.address() as AddressInfo);
  });
  afterAll(() => app.close());

  /**
   * Sends the first text, then one further text whenever data arrives. Returns all replies once the server has closed
   * the connection.
   */
  async function exchange(...texts: readonly [string, ...string[]]): Promise<readonly Answer[]> {
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const remainingTexts = texts.slice(1);
    let receivedText = '';
    socket.on('data', (chunk: Buffer) => {
      receivedText += chunk.toString('latin1');
      const nextText = remainingTexts.shift();
      if (nextText !== undefined) socket.write(nextText, 'latin1');
    });
    socket.on('end', () => socket.end());
    socket.write(texts[0], 'latin1');
    // Rejects if the connection is reset.
    await once(socket, 'close');
    return parseAnswers(receivedText);
  }

  it.each([
    ['a header above the limit', `GET /fast HTTP/1.1\r\n${host}\r\nX-Large: ${longText}\r\n\r\n`, 431],
    ['a cookie of 4 MB', `GET /fast HTTP/1.1\r\n${host}\r\nCookie: ${longText.repeat(200)}\r\n\r\n`, 431],
    ['a URL above the limit', `GET /fast?${longText} HTTP/1.1\r\n${host}\r\n\r\n`, 431],
    ['no HTTP at all', 'EHLO walkdown\r\n\r\n', 400],
    ['the beginning of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['a control character in a header', `GET /fast HTTP/1.1\r\n${host}\r\nX: a\x01b\r\n\r\n`, 400],
    [
      'both a content length and chunked encoding',
      `POST /echo HTTP/1.1\r\nContent-Length: 2\r\n${chunkedHeaders}2\r\n{}\r\n0\r\n\r\n`,
      400,
    ],
    ['a chunk without a size', `POST /echo HTTP/1.1\r\n${chunkedHeaders}zz\r\n{}\r\n0\r\n\r\n`, 400],
    [
      'chunk extensions above the limit',
      `POST /echo HTTP/1.1\r\n${chunkedHeaders}2;${longText}\r\n{}\r\n0\r\n\r\n`,
      413,
    ],
  ])('[SEC-06] is answered with an ErrorBody and security headers: %s', async (_title, text, status) => {
    const [answer, ...more] = await exchange(text);
    expect([answer?.status, more]).toEqual([status, []]);
    const { code, message, reference } = JSON.parse(answer!.body) as ErrorBody;
    expect(code).toBe(status === 400 ? 'E002' : 'E009');
    expect(message).toMatch(/^The .*\.$/);
    expect(answer!.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(answer!.body.length),
      connection: 'close',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': reference,
    });
    const logLine = lines.find(({ request }) => request === reference);
    expect(logLine).toMatchObject({ event: 'request.unreadable', status, address: '127.0.0.1' });
  });

  it('[SEC-06] is answered without a body if it is HEAD', async () => {
    const [answer] = await exchange(`HEAD /fast HTTP/1.1\r\n${host}\r\nX-Large: ${longText}\r\n\r\n`);
    expect([answer?.status, answer?.body]).toEqual([431, '']);
    expect(Number(answer?.headers['content-length'])).toBeGreaterThan(100);
  });

  it('[SEC-06] is answered after a completed request on the same connection', async () => {
    const answers = await exchange(`GET /fast HTTP/1.1\r\n${host}\r\n\r\n`, 'EHLO walkdown\r\n\r\n');
    expect(answers.map(({ status }) => status)).toEqual([200, 400]);
  });

  it('[SEC-06] is answered only after the previous request was answered', async () => {
    const answers = exchange(`GET /slow HTTP/1.1\r\n${host}\r\n\r\nEHLO walkdown\r\n\r\n`);
    await once(app.server, 'clientError');
    finishSlow();
    expect((await answers).map(({ status }) => status)).toEqual([200, 400]);
  });

  it('[SEC-06] gets no second reply if its head was answered before its body was refused', async () => {
    const head = `POST /echo HTTP/1.1\r\n${chunkedHeaders.replace('application/json', 'text/xml')}`;
    const answers = await exchange(head, 'zz\r\n');
    expect(answers.map(({ status }) => status)).toEqual([415]);
    const closing = await exchange(head.replace(host, `${host}\r\nConnection: close`), `zz\r\n${longText.repeat(50)}`);
    expect(closing.map(({ status }) => status)).toEqual([415]);
  });

  it('is answered with an ErrorBody if it has no header Host', async () => {
    const [answer] = await exchange('GET /fast HTTP/1.1\r\nConnection: close\r\n\r\n');
    const { code, message, reference } = JSON.parse(answer!.body) as ErrorBody;
    expect([answer?.status, code, message]).toEqual([400, 'E002', 'The header "host" is missing.']);
    expect(answer?.headers['x-request-id']).toBe(reference);
  });

  it('is not refused for an unknown value of the header Expect', async () => {
    const [expecting] = await exchange(
      `GET /fast HTTP/1.1\r\n${host}\r\nExpect: the-best\r\nConnection: close\r\n\r\n`,
    );
    expect([expecting?.status, expecting?.body]).toEqual([200, '{"done":true}']);
  });

  it('does not delay the stop of the server', async () => {
    const { config } = readServerConfig({});
    const otherApp = await createHttpApp(config, pino({ level: 'silent' }), createMetrics());
    await otherApp.listen({ port: 0, host: '127.0.0.1' });
    const socket = net.connect((otherApp.server.address() as AddressInfo).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('EHLO walkdown\r\n\r\n');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    await otherApp.close();
    socket.destroy();
  });
});

/** The replies of one connection, each with a `content-length`. */
function parseAnswers(text: string): readonly Answer[] {
  const answers: Answer[] = [];
  for (let remainingText = text; remainingText !== '';) {
    const end = remainingText.indexOf('\r\n\r\n');
    const [statusLine = '', ...headerLines] = remainingText.slice(0, end).split('\r\n');
    const headers = Object.fromEntries(
      headerLines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    );
    const body = remainingText.slice(end + 4, end + 4 + Number(headers['content-length']));
    remainingText = remainingText.slice(end + 4 + body.length);
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body });
  }
  return answers;
}
