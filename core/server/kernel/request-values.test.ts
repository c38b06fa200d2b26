import { CompiledQuery } from 'kysely';
import { Writable } from 'node:stream';
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { definePlugin, endpoint, type ErrorBody } from '#core';
import { InstantInput, login, savePreferences, saveProfile } from '#core/api';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { enabledPlugin } from './enabled-plugin.ts';
import { createLog } from './server-log.ts';
import { serverPlugin } from './server-plugin.ts';

const saveThing = endpoint('PUT', '/api/shop/:shelf/things', {
  summary: 'Save a thing.',
  access: 'public',
  params: Type.Object({ shelf: Type.String() }),
  query: Type.Object({
    text: Type.Optional(Type.String()),
    at: Type.Optional(InstantInput),
    offset: Type.Optional(Type.Integer()),
  }),
  body: Type.Object({
    name: Type.Optional(Type.String()),
    count: Type.Optional(Type.Integer({ minimum: 0 })),
    size: Type.Optional(Type.Number()),
    at: Type.Optional(InstantInput),
    details: Type.Optional(Type.Unknown()),
  }),
  reply: Type.Object({}),
});
const castText = endpoint('POST', '/api/shop/cast', {
  summary: 'Cast a text in the database.',
  access: 'public',
  body: Type.Object({ text: Type.String(), type: Type.String() }),
  reply: Type.Object({}),
});
const uploadThing = endpoint('POST', '/api/shop/uploads', {
  summary: 'Upload a thing.',
  access: 'public',
  reply: Type.Object({}),
});

const manifest = definePlugin({
  id: 'shop',
  title: 'shop.title',
  settings: Type.Object({}),
  access: [],
  requires: [],
  bridges: [],
});
const shop = enabledPlugin(
  manifest,
  {},
  serverPlugin<typeof manifest>()({
    api(api, { tables }) {
      const run = (text: string, values: readonly unknown[]) =>
        tables.executeQuery(CompiledQuery.raw(text, [...values]));
      api.serve(saveThing, async ({ params, query, body }) => {
        await run('select $1::text, $2::text, $3::timestamptz, $4::int, $5::text, $6::int, $7::float8', [
          params.shelf,
          query.text ?? null,
          query.at ?? body.at ?? null,
          query.offset ?? null,
          body.name ?? null,
          body.count ?? null,
          body.size ?? null,
        ]);
        await run('select $1::jsonb', [JSON.stringify(body)]);
        return {};
      });
      api.serve(castText, async ({ body }) => {
        await run(`select $1::${body.type}`, [body.text]);
        return {};
      });
      api.serveUpload(uploadThing, { accept: ['application/octet-stream'], maximumBytes: 1000 }, async () => ({}));
    },
  }),
);

const nest = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const wrongCharacters = 'core.validation.characters';

describeOnDatabases('values of a request that the database cannot store', (kind) => {
  let server: TestServer;
  let token: string;
  const logLines: { readonly level: string; readonly msg: string }[] = [];
  beforeAll(async () => {
    const logOutput = new Writable({
      write: (line: Buffer, _encoding, finish) => {
        logLines.push(JSON.parse(line.toString()) as (typeof logLines)[number]);
        finish();
      },
    });
    server = await startTestServer({ database: kind, plugins: [shop], log: createLog('warn', logOutput) });
    token = await server.signIn();
  });
  afterAll(() => server.close());
  beforeEach(() => void logLines.splice(0));

  const send = async (url: string, payload: string, method: 'PUT' | 'POST' = 'PUT') => {
    const answer = await server.app.inject({
      method,
      url,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      payload,
    });
    const { code, fields } = answer.json<Partial<ErrorBody>>();
    return { status: answer.statusCode, code, fields };
  };
  const refusal = (pointer: string, message: string, values?: object) => ({
    status: 400,
    code: 'E002',
    fields: [{ pointer, message, ...(values ? { values } : {}) }],
  });
  const things = '/api/shop/here/things';

  it('[SEC-06] refuses NUL and lone surrogates everywhere', async () => {
    expect(await send('/api/shop/a%00b/things', '{}')).toEqual(refusal('/shelf', wrongCharacters));
    expect(await send(`${things}?text=%00`, '{}')).toEqual(refusal('/text', wrongCharacters));
    for (const text of ['\\u0000', 'a\\uD800', '\\udfff\\ud800'])
      expect([text, await send(things, `{"name":"${text}"}`)]).toEqual([text, refusal('/name', wrongCharacters)]);
    expect(await send(things, '{"details":[{"a\\u0000":1}]}')).toEqual(refusal('/details/0/a\0', wrongCharacters));
    for (const text of ['\\ud83d\\udE00', '\\u0001\\u202e', '\\\\u0000', '\u{10ffff}\ufffe'])
      expect([text, (await send(things, `{"name":"${text}"}`)).status]).toEqual([text, 200]);
    expect(await send(savePreferences.path, '{"defaultLocation":"\\ud800"}')).toEqual(
      refusal('/defaultLocation', wrongCharacters),
    );
    expect(await send(saveProfile.path, '{"name":"\\u0000"}')).toEqual(refusal('/name', wrongCharacters));
    expect(await send(login.path, '{"username":"a\\u0000@b","password":"x"}', 'POST')).toEqual(
      refusal('/username', wrongCharacters),
    );
    expect(logLines).toEqual([]);
  });

  it('[SEC-06] refuses deep nesting without a stack overflow', async () => {
    const tooDeep = ['core.validation.depth', { max: 32 }] as const;
    for (const levels of [32, 5000, 30_000, 500_000])
      expect([levels, await send(things, `{"name":"x","details":${nest(levels)}}`)]).toEqual([
        levels,
        refusal('/details', ...tooDeep),
      ]);
    expect(await send(login.path, `{"username":${nest(5000)},"password":"x"}`, 'POST')).toEqual(
      refusal('/username', ...tooDeep),
    );
    expect(await send(login.path, nest(5000), 'POST')).toEqual(refusal('', ...tooDeep));
    expect((await send(things, `{"details":${nest(31)}}`)).status).toBe(200);
    expect(logLines).toEqual([]);
  });

  it('[SEC-06] refuses integers beyond int4 and infinite numbers', async () => {
    const max = 2147483647;
    expect(await send(things, '{"count":2147483648}')).toEqual(refusal('/count', 'core.validation.max', { max }));
    expect(await send(things, '{"count":9223372036854775808}')).toEqual(
      refusal('/count', 'core.validation.max', { max }),
    );
    expect(await send(`${things}?offset=-2147483649`, '{}')).toEqual(
      refusal('/offset', 'core.validation.min', { min: -2147483648 }),
    );
    expect(await send(things, '{"size":1e400}')).toEqual(refusal('/size', 'core.validation.number'));
    for (const body of ['{"count":2147483647,"size":1.7976931348623157e308}', '{"size":5e-324}', '{"size":1e-400}'])
      expect([body, (await send(things, body)).status]).toEqual([body, 200]);
    expect(logLines).toEqual([]);
  });

  it.each([
    '0000-01-01T00:00:00Z',
    '1899-12-31T23:59:59Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00+23:59',
    '2026-01-01t00:00:00z',
    '2026-01-01T00:00:00+0000',
    '2026-01-01T24:00:00Z',
    `2026-01-01T00:00:00.${'1'.repeat(200)}Z`,
  ])('[SEC-06] refuses an instant like %s', async (at) => {
    expect(await send(things, JSON.stringify({ at }))).toEqual(refusal('/at', 'core.validation.format'));
    expect(await send(`${things}?at=${encodeURIComponent(at)}`, '{}')).toEqual(
      refusal('/at', 'core.validation.format'),
    );
    expect(logLines).toEqual([]);
  });

  it.each(['1900-01-01T00:00:00+14:00', '9999-12-31T23:59:59.999999999-14:00', '2026-01-01T00:00:00.1Z'])(
    '[SEC-06] accepts an instant like %s',
    async (at) => expect((await send(things, JSON.stringify({ at }))).status).toBe(200),
  );

  it('[SEC-06] refuses NUL in a form field, and accepts other text', async () => {
    const upload = (name: string, value: string) => {
      const part = `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
      const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="a\0.bin"\r\n\r\nbytes\r\n--b--\r\n';
      return server.app.inject({
        method: 'POST',
        url: uploadThing.path,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        payload: part + file,
      });
    };
    const answer = await upload('name', 'a\0b');
    expect([answer.statusCode, answer.json<ErrorBody>()]).toMatchObject([
      400,
      {
        refusal: { message: 'core.refused.fieldCharacters' },
        fields: [{ pointer: '/name', message: wrongCharacters }],
      },
    ]);
    expect((await upload('name', 'a\u{1f600}b')).statusCode).toBe(200);
    expect(logLines).toEqual([]);
  });

  it('[SEC-06] answers 400 to data errors that only the database finds, and logs their details', async () => {
    for (const [type, text] of [
      ['int', '99999999999'],
      ['timestamptz', 'no date'],
      ['uuid', 'no uuid'],
      ['jsonb', '{'],
    ]) {
      logLines.splice(0);
      const answer = await server.call(castText, { body: { type: type!, text: text! } });
      expect([type, answer.status, answer.refusal.code]).toEqual([type, 400, 'E002']);
      expect(answer.refusal.message).toBe('The request holds a value that cannot be stored.');
      expect(logLines).toMatchObject([
        {
          level: 'warn',
          route: castText.path,
          err: { name: 'DatabaseError', code: expect.stringMatching(/^22/) as string },
        },
      ]);
    }
  });
});
