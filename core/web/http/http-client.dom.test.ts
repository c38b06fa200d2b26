import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpoint, type Endpoint } from '#core';
import { ApiError, HttpClient } from '#core/web';
import { FakeServer, LineBroken, WebHarness } from '#core/testing/web';
import { Type } from 'typebox';
import { apiBase } from './api-base.ts';
import { openTransport } from './transport.ts';

const getPermit = endpoint('GET', '/api/permits/:number', {
  summary: 'One permit.',
  access: 'signedIn',
  params: Type.Object({ number: Type.String() }),
  query: Type.Object({ stage: Type.Optional(Type.Array(Type.String())), deep: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ number: Type.String() }),
});

const meta = (content: string) =>
  document.head.insertAdjacentHTML('beforeend', `<meta name="api-base" content="${content}">`);
afterEach(() => {
  document.head.querySelectorAll('meta').forEach((element) => element.remove());
  vi.restoreAllMocks();
});

describe('SessionHttpClient', () => {
  it('encodes path parameters, repeats lists, and sends the language', async () => {
    const server = new FakeServer().on('GET /api/permits/:number', { status: 200, body: { number: 'P/1' } });
    const { core } = await WebHarness({ server, language: 'fr' });
    const http = core.host.root.get(HttpClient);
    await expect(
      http.call<typeof getPermit>('GET', '/api/permits/:number', { params: { number: 'P/1' }, query: { deep: true } }),
    ).resolves.toEqual({ number: 'P/1' });
    const sent = server.sentTo('GET /api/permits/:number')[0];
    expect([sent?.path, sent?.query.get('deep'), sent?.header('accept-language')]).toEqual([
      '/api/permits/P%2F1',
      'true',
      'fr',
    ]);
    expect(openTransport(undefined, '').getUri({ url: '/x', params: { stage: ['LIVE', 'CLOSED'] } })).toBe(
      '/x?stage=LIVE&stage=CLOSED',
    );
  });

  it('names a missing path parameter', async () => {
    const { core } = await WebHarness();
    await expect(core.host.root.get(HttpClient).call<Endpoint>('GET', '/api/jobs/:id', {} as never)).rejects.toThrow(
      "The call '/api/jobs/:id' needs the parameter 'id'.",
    );
  });

  it("[ERR-01] rejects with the server's error and its reference", async () => {
    const body = {
      code: 'E007',
      message: 'Changed meanwhile.',
      reference: 'req-7',
      fields: [{ pointer: '/name', message: 'core.validation.mandatory' }],
    };
    const { core } = await WebHarness({
      server: new FakeServer()
        .on('GET /api/a', { status: 409, body })
        .on('GET /api/b', { status: 502, body: '<html>' }),
    });
    const http = core.host.root.get(HttpClient);
    await expect(http.raw({ url: '/api/a' })).rejects.toMatchObject({
      name: 'ApiError',
      status: 409,
      body,
      message: 'Changed meanwhile.',
    });
    await expect(http.raw({ url: '/api/b' })).rejects.toMatchObject({
      status: 502,
      body: undefined,
      message: 'The server answered 502.',
    });
  });

  it('[SEC-06] reports after how many seconds to retry when rate limited', async () => {
    const { core } = await WebHarness({
      server: new FakeServer()
        .on('GET /api/a', { status: 429, headers: { 'retry-after': '7' } })
        .on('GET /api/b', { status: 429, headers: { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' } }),
    });
    const http = core.host.root.get(HttpClient);
    for (const [url, retryAfterSeconds] of [
      ['/api/a', 7],
      ['/api/b', undefined],
    ] as const)
      await expect(http.raw({ method: 'GET', url })).rejects.toMatchObject({ status: 429, retryAfterSeconds });
  });

  it('rejects with status 0 without an answer, and keeps tokens out of errors', async () => {
    const server = new FakeServer().on('GET /api/a', () => {
      throw new LineBroken();
    });
    const { core } = await WebHarness({ server });
    const error = await core.host.root
      .get(HttpClient)
      .raw({ url: '/api/a' })
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 0,
      message: 'The server could not be reached.',
      cause: { message: 'GET /api/a: Network Error' },
    });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('test-token');
  });
});

describe('apiBase', () => {
  it("[API-14] uses the page's own origin, or the address from the environment", () => {
    expect(apiBase()).toBe('');
    meta('https://api.example.com/plant/');
    expect(apiBase()).toBe('https://api.example.com/plant');
    expect(openTransport().defaults).toMatchObject({ baseURL: 'https://api.example.com/plant', withCredentials: true });
  });

  it('[PRO-19] [API-14] logs an invalid address and uses the default', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    meta('javascript:alert(1)');
    expect(apiBase()).toBe('');
    expect(log.mock.calls.flat().join()).toContain("'javascript:alert(1)' is no http or https address");
  });
});
