import { pino } from 'pino';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { definePlugin, endpoint, type ErrorBody } from '#core';
import { InstantInput } from '#core/api';
import { startTestServer, type TestServer } from '#core/testing/server';
import { max, specialChars } from '../../common/validators/index.ts';
import { enabledPlugin } from './enabled-plugin.ts';
import { prepareReply } from './prepared-reply.ts';
import { conflict, notFound } from './server-error.ts';
import { serverPlugin } from './server-plugin.ts';

const closedOptions = { additionalProperties: false } as const;
const Thing = Type.Object({ name: Type.String(), size: Type.Union([Type.Number(), Type.Null()]) });

const createThing = endpoint('POST', '/api/shop/things', {
  summary: 'Create a thing.',
  access: 'configure',
  status: 201,
  body: Type.Object(
    {
      name: Type.String({ minLength: 1, maxLength: 5 }),
      size: Type.Number({ minimum: 0, maximum: 10 }),
      count: Type.Optional(Type.Integer()),
      kind: Type.Optional(Type.Enum(['a', 'b'])),
      note: Type.Optional(Type.String()),
    },
    closedOptions,
  ),
  rules: { name: [specialChars], size: [max(9)] },
  reply: Thing,
});
const findThings = endpoint('GET', '/api/shop/things/:id', {
  summary: 'Find things.',
  access: 'public',
  params: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  query: Type.Object({
    large: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    page: Type.Integer({ default: 1 }),
    angle: Type.Optional(Type.Number({ maximum: 360 })),
    angles: Type.Optional(Type.Array(Type.Number())),
    since: Type.Optional(InstantInput),
  }),
  reply: Type.Object({
    id: Type.Number(),
    large: Type.Optional(Type.Boolean()),
    tags: Type.Optional(Type.Array(Type.String())),
    page: Type.Number(),
  }),
});
const fail = endpoint('POST', '/api/shop/fail', {
  summary: 'Fail.',
  access: 'public',
  body: Type.Object({ how: Type.String() }),
  reply: Type.Object({}),
});
const readPrepared = endpoint('GET', '/api/shop/prepared', {
  summary: 'Read a prepared reply.',
  access: 'public',
  reply: Type.Array(Type.Number()),
});
const setCookies = endpoint('POST', '/api/shop/cookies', {
  summary: 'Set cookies.',
  access: 'public',
  reply: Type.Object({ seen: Type.String() }),
});
const limitedEndpoint = endpoint('GET', '/api/shop/limited', {
  summary: 'Call at most three times a minute.',
  access: 'public',
  limitPerMinute: 3,
  reply: Type.Object({}),
});

const manifest = definePlugin({
  id: 'shop',
  title: 'shop.title',
  settings: Type.Object({ greeting: Type.String() }, closedOptions),
  access: ['configure'],
  requires: [],
  bridges: [],
});

const shop = enabledPlugin(
  manifest,
  { greeting: 'hello' },
  serverPlugin<typeof manifest>()({
    api(api, context) {
      const numbers = Array.from({ length: 1000 }, (_, index) => index);
      const preparedReply = prepareReply(numbers);
      api.serve(createThing, ({ body }) => ({ name: body.name, size: body.size, secret: 'not in the schema' }));
      api.serve(findThings, ({ params, query }) => ({ ...params, ...query }));
      api.serve(fail, ({ body }) => {
        if (body.how === 'conflict')
          throw conflict('There is one already.', [
            { pointer: '/how', message: 'core.validation.duplicate', values: { value: 'conflict' } },
          ]);
        if (body.how === 'not found') throw notFound('This thing');
        throw new Error(`the secret of ${context.settings.greeting}`);
      });
      api.serve(readPrepared, () => preparedReply);
      api.serve(setCookies, ({ http }) => {
        http.setCookie('a', '1', { path: '/api', httpOnly: true, maxAgeSeconds: 60 });
        http.clearCookie('b', { path: '/' });
        return { seen: http.cookies['seen'] ?? '' };
      });
      api.serve(limitedEndpoint, () => ({}));
    },
  }),
);

describe('an endpoint', () => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({ plugins: [shop], config: { apiDescription: 'open' } });
    token = await server.signIn({ flags: ['configure'] });
  });
  afterAll(() => server.close());

  const postThing = (body: unknown) =>
    server.app.inject({
      method: 'POST',
      url: createThing.path,
      headers: { authorization: `Bearer ${token}` },
      payload: body as object,
    });
  const readFields = async (body: unknown) => {
    const answer = await postThing(body);
    expect(answer.statusCode).toBe(400);
    const { code, fields, reference } = answer.json<ErrorBody>();
    expect({ code, reference }).toEqual({ code: 'E002', reference: answer.headers['x-request-id'] });
    return fields;
  };

  it('[API-10] answers 200 with data and 201 for a creation, and removes properties outside the reply schema', async () => {
    const createReply = await postThing({ name: 'one', size: 1 });
    expect([createReply.statusCode, createReply.json()]).toEqual([201, { name: 'one', size: 1 }]);
    const findReply = await server.call(findThings, { params: { id: 7 }, query: { page: 2 } });
    expect([findReply.status, findReply.body]).toEqual([200, { id: 7, page: 2 }]);
  });

  it('[VAL-12] reports the same errors as the form, field by field, with the messages of the form’s rules', async () => {
    expect(await readFields({ name: '', size: -1 })).toEqual([
      { pointer: '/name', message: 'core.validation.mandatory' },
      { pointer: '/size', message: 'core.validation.positive' },
    ]);
    expect(await readFields({ name: 'too long', size: 11 })).toEqual([
      { pointer: '/name', message: 'core.validation.maxLength', values: { max: 5 } },
      { pointer: '/size', message: 'core.validation.max', values: { max: 10 } },
    ]);
    expect(await readFields({ count: 1.5, kind: 'c' })).toEqual([
      { pointer: '/name', message: 'core.validation.mandatory' },
      { pointer: '/size', message: 'core.validation.mandatory' },
      { pointer: '/count', message: 'core.validation.integer' },
      { pointer: '/kind', message: 'core.validation.choice' },
    ]);
    expect(await readFields({ name: 'a-b', size: 9.5 })).toEqual([
      { pointer: '/name', message: 'core.validation.specialChars' },
      { pointer: '/size', message: 'core.validation.max', values: { max: 9 } },
    ]);
  });

  it('validates a body without coercing or removing anything', async () => {
    expect(await readFields({ name: 'x', size: null })).toEqual([
      { pointer: '/size', message: 'core.validation.mandatory' },
    ]);
    expect(await readFields({ name: 'x', size: '1' })).toEqual([
      { pointer: '/size', message: 'core.validation.number' },
    ]);
    expect(await readFields({ name: 5, size: 1 })).toEqual([{ pointer: '/name', message: 'core.validation.format' }]);
    expect(await readFields({ name: 'x', size: 1, 'a/b~': 1 })).toEqual([
      { pointer: '/a~1b~0', message: 'core.validation.unknownField' },
    ]);
    expect(await readFields([])).toEqual([{ pointer: '', message: 'core.validation.format' }]);
  });

  it('reports at most fifty wrong fields, and only the first one of a body over 64 KB', async () => {
    const manyFields = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, 1]));
    expect(await readFields({ name: 'x', size: 1, ...manyFields })).toHaveLength(50);
    expect(await readFields({ name: 'x'.repeat(70_000), size: -1 })).toHaveLength(1);
  });

  it('parses numbers, booleans and lists from the URL', async () => {
    const answer = await server.app.inject('/api/shop/things/3?large=true&tags=a');
    expect(answer.json()).toEqual({ id: 3, large: true, tags: ['a'], page: 1 });
    for (const url of ['/api/shop/things/x', '/api/shop/things/0', '/api/shop/things/1?page=two'])
      expect((await server.app.inject(url)).statusCode).toBe(400);
  });

  it('refuses a parameter given twice, unless its schema is a list', async () => {
    const readStatus = async (search: string) => (await server.app.inject(`/api/shop/things/7${search}`)).statusCode;
    for (const search of ['?page=1&page=2', '?page=1&page=1', '?large=true&large=false'])
      expect([search, await readStatus(search)]).toEqual([search, 400]);
    // The brackets make another name, so this is an unknown parameter, which is ignored.
    expect(await readStatus('?angle=1&angle[]=2')).toBe(200);
    const listReply = await server.app.inject('/api/shop/things/7?tags=a&tags=b');
    expect(listReply.json()).toEqual({ id: 7, tags: ['a', 'b'], page: 1 });
  });

  it('reads parameters only from the URL, and a body only from the body', async () => {
    const listReply = await server.app.inject({
      url: '/api/shop/things/7?tags=a&tags=b',
      headers: { page: '9', cookie: 'page=9' },
    });
    expect(listReply.json()).toEqual({ id: 7, tags: ['a', 'b'], page: 1 });
    const body = { name: 'a', size: 1 };
    const createReply = await server.app.inject({
      method: 'POST',
      url: `${createThing.path}?name=b&size=2`,
      headers: { authorization: `Bearer ${token}` },
      payload: body,
    });
    expect(createReply.json()).toEqual(body);
  });

  it('refuses infinite numbers and invalid instants in the URL', async () => {
    for (const wrongQuery of [
      'angle=Infinity',
      'angle=-1e999',
      'angles=1&angles=Infinity',
      'since=2016-12-31T23:59:60Z',
    ]) {
      const answer = await server.app.inject(`/api/shop/things/1?${wrongQuery}`);
      const name = wrongQuery.split('=')[0];
      expect([wrongQuery, answer.statusCode, answer.json<ErrorBody>().fields]).toEqual([
        wrongQuery,
        400,
        [{ pointer: `/${name}`, message: name === 'since' ? 'core.validation.format' : 'core.validation.number' }],
      ]);
    }
    expect(
      (await server.app.inject('/api/shop/things/1?angle=12&angles=1&since=2016-12-31T23:59:59Z')).statusCode,
    ).toBe(200);
  });

  it('answers invalid input with a client error and a reference', async () => {
    const send = (payload: string, type = 'application/json') =>
      server.app.inject({ method: 'POST', url: fail.path, headers: { 'content-type': type }, payload });
    for (const junk of ['{', '', '{"__proto__":{"a":1}}', '{"constructor":{"prototype":{"a":1}}}', '\u0000', '"']) {
      const answer = await send(junk);
      expect([junk, answer.statusCode, answer.json<ErrorBody>().code]).toEqual([junk, 400, 'E002']);
    }
    expect((await send('<a/>', 'application/xml')).statusCode).toBe(415);
    expect((await send(JSON.stringify({ how: 'x'.repeat(2_000_000) }))).json<ErrorBody>().code).toBe('E009');
    for (const url of ['/api/%zz', '/api/shop/things/%E0%A4%A', `/api/shop/things/${'9'.repeat(2000)}`]) {
      const answer = await server.app.inject(url);
      expect(answer.statusCode).toBeGreaterThanOrEqual(400);
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.json<ErrorBody>().reference).toBeTruthy();
    }
  });

  it('reports the details of a ServerError, and only the reference of an internal error', async () => {
    const refusedReply = await server.call(fail, { body: { how: 'conflict' } });
    expect([refusedReply.status, refusedReply.refusal]).toEqual([
      409,
      {
        code: 'E007',
        message: 'There is one already.',
        reference: refusedReply.headers['x-request-id'],
        fields: [{ pointer: '/how', message: 'core.validation.duplicate', values: { value: 'conflict' } }],
      },
    ]);
    const notFoundReply = await server.call(fail, { body: { how: 'not found' } });
    expect([notFoundReply.status, notFoundReply.refusal.message]).toEqual([404, 'This thing does not exist.']);
    const failedReply = await server.call(fail, { body: { how: 'else' } });
    expect([failedReply.status, failedReply.refusal.code]).toEqual([500, 'E000']);
    expect(JSON.stringify(failedReply.body)).not.toContain('secret');
    const unknown = await server.app.inject('/api/nothing/here');
    expect([unknown.statusCode, unknown.json<ErrorBody>().code]).toEqual([404, 'E004']);
  });

  it("sends a prepared reply in the client's encoding, and 304 if the client's copy is current", async () => {
    const get = (headers: Record<string, string>) => server.app.inject({ url: readPrepared.path, headers });
    const plain = await get({});
    expect(plain.json()).toHaveLength(1000);
    expect(plain.headers['content-encoding']).toBe('identity');
    const brotli = await get({ 'accept-encoding': 'gzip, br' });
    const gzip = await get({ 'accept-encoding': 'gzip, br;q=0' });
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip']);
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2);
    const secondReply = await get({ 'if-none-match': `"other", ${String(brotli.headers['etag'])}` });
    expect([secondReply.statusCode, secondReply.body]).toEqual([304, '']);
    expect((await get({ 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('adds an ETag to a reply that was not prepared', async () => {
    const first = await server.app.inject('/api/shop/things/1');
    const secondReply = await server.app.inject({
      url: '/api/shop/things/1',
      headers: { 'if-none-match': String(first.headers['etag']) },
    });
    expect(secondReply.statusCode).toBe(304);
  });

  it('sets cookies that other sites cannot send', async () => {
    const answer = await server.app.inject({ method: 'POST', url: setCookies.path, headers: { cookie: 'seen=yes' } });
    expect(answer.json()).toEqual({ seen: 'yes' });
    expect(answer.headers['set-cookie']).toEqual([
      'a=1; Max-Age=60; Path=/api; HttpOnly; SameSite=Strict',
      expect.stringMatching(/^b=;.*Expires=Thu, 01 Jan 1970/),
    ]);
  });

  it('generates the request id whatever the client sends', async () => {
    const ids = new Set<unknown>();
    for (const id of [undefined, 'abcdefgh-1', 'a b\n', '{"msg":"x"}']) {
      const headers = id === undefined ? {} : { 'x-request-id': id };
      ids.add((await server.app.inject({ url: '/healthz', headers })).headers['x-request-id']);
    }
    expect([...ids]).toEqual(Array.from({ length: 4 }, () => expect.stringMatching(/^[\da-f-]{36}$/)));
  });

  it('adds security headers to each reply', async () => {
    const { headers } = await server.app.inject('/api/shop/things/1');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cache-control': 'private, no-cache',
      'content-security-policy': "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
    });
    expect((await postThing({ name: 'x', size: 1 })).headers['cache-control']).toBe('no-store');
  });

  it('is described by the schemas that validate its requests', async () => {
    const document = (await server.app.inject('/api/openapi.json')).json<{
      paths: Record<
        string,
        Record<string, { security: unknown[]; requestBody: unknown; parameters: { name: string }[] }>
      >;
    }>();
    expect(document.paths['/api/shop/things']?.['post']).toMatchObject({
      security: [{ bearer: [] }],
      requestBody: { content: { 'application/json': { schema: { required: ['name', 'size'] } } } },
      responses: { 201: { description: 'Done.' }, 403: {} },
    });
    expect(document.paths['/api/shop/things/{id}']?.['get']?.parameters.map(({ name }) => name)).toEqual([
      'id',
      'large',
      'tags',
      'page',
      'angle',
      'angles',
      'since',
    ]);
    const page = await server.app.inject('/api/docs');
    expect(page.body).toContain('/api/shop/things/{id}');
    expect(page.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
  });
});

describe('the rate limit', () => {
  it('[SEC-01] applies per IP address and endpoint, and logs the IP address', async () => {
    const lines: string[] = [];
    const server = await startTestServer({
      coreParts: [],
      plugins: [shop],
      config: { limits: { requestsPerMinute: 1000 } },
      log: pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }),
    });
    const statuses: number[] = [];
    for (let call = 0; call < 4; call += 1) statuses.push((await server.call(limitedEndpoint, {})).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refusedReply = await server.call(limitedEndpoint, {});
    expect(refusedReply.refusal.code).toBe('E008');
    expect(Number(refusedReply.headers['retry-after'])).toBeGreaterThan(0);
    expect((await server.call(findThings, { params: { id: 1 }, query: { page: 1 } })).status).toBe(200);
    const otherClient = await server.app.inject({ url: limitedEndpoint.path, remoteAddress: '10.0.0.9' });
    expect(otherClient.statusCode).toBe(200);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({ event: 'request.throttled', route: limitedEndpoint.path, address: '127.0.0.1' }),
      ),
    );
    await server.close();
  });
});
