import { afterEach, describe, expect, it, vi } from 'vitest';
import { endpoint, type Endpoint } from '#core';
import { ApiError, HttpClient } from '#core/web';
import { FakeServer, ConnectionLostError, createWebHarness } from '#core/testing/web';
import { Type } from 'typebox';
import { readApiBase } from './api-base.ts';
import { openTransport } from './transport.ts';

const getPermit = endpoint('GET', '/api/permits/:number', {
  summary: 'One permit.',
  access: 'signedIn',
  params: Type.Object({ number: Type.String() }),
  query: Type.Object({ stage: Type.Optional(Type.Array(Type.String())), deep: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ number: Type.String() }),
});

const addMeta = (content: string) =>
  document.head.insertAdjacentHTML('beforeend', `<meta name="api-base" content="${content}">`);
afterEach(() => {
  document.head.querySelectorAll('meta').forEach((element) => element.remove());
  vi.restoreAllMocks();
});

describe('SessionHttpClient', () => {
  it('encodes path parameters, repeats lists, and sends the language', async () => {
    const server = new FakeServer().on('GET /api/permits/:number', { status: 200, body: { number: 'P/1' } });
    const { core } = await createWebHarness({ server, language: 'fr' });
    const http = core.host.root.get(HttpClient);
    await expect(
      http.call<typeof getPermit>('GET', '/api/permits/:number', { params: { number: 'P/1' }, query: { deep: true } }),
    ).resolves.toEqual({ number: 'P/1' });
    const sentRequest = server.sentTo('GET /api/permits/:number')[0];
    expect([sentRequest?.path, sentRequest?.query.get('deep'), sentRequest?.header('accept-language')]).toEqual([
      '/api/permits/P%2F1',
      'true',
      'fr',
    ]);
    expect(openTransport(undefined, '').getUri({ url: '/x', params: { stage: ['LIVE', 'CLOSED'] } })).toBe(
      '/x?stage=LIVE&stage=CLOSED',
    );
  });

  it('names a missing path parameter', async () => {
    const { core } = await createWebHarness();
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
    const { core } = await createWebHarness({
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
    const { core } = await createWebHarness({
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

  it('rejects with status 0 if the server does not answer, and keeps tokens out of errors', async () => {
    const server = new FakeServer().on('GET /api/a', () => {
      throw new ConnectionLostError();
    });
    const { core } = await createWebHarness({ server });
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

describe('readApiBase', () => {
  it("[API-14] uses the page's own origin, or the URL from the environment", () => {
    expect(readApiBase()).toBe('');
    addMeta('https://api.example.com/plant/');
    expect(readApiBase()).toBe('https://api.example.com/plant');
    expect(openTransport().defaults).toMatchObject({ baseURL: 'https://api.example.com/plant', withCredentials: true });
  });

  it('[PRO-19] [API-14] logs an invalid URL and uses the default', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    addMeta('javascript:alert(1)');
    expect(readApiBase()).toBe('');
    expect(log.mock.calls.flat().join()).toContain("'javascript:alert(1)' is not an http or https URL");
  });
});
