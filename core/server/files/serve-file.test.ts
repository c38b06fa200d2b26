import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieNames } from '#core';
import { describeOnDatabases, startTestServer, type TestServer, login } from '#core/testing/server';
import { startS3Server, type S3Server } from '../../testing/s3-server.ts';
import { LocationStore } from '../access/location-store.ts';
import { noAccess } from '../kernel/server-error.ts';
import { FileGuards } from './file-guards.ts';
import { FileStore, type FileAudience, type StoredFile } from './file-store.ts';

const bytes = randomBytes(100_000);
const here: FileAudience = { kind: 'location', location: 'HB-M10' };

interface Reply {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends the path unchanged, whereas `fetch` would normalise `..`. */
function get(
  address: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Reply> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const request = http.request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) }),
      );
      answer.on('error', reject);
    });
    request.on('error', reject).end();
  });
}

describeOnDatabases('GET /api/files', (database) => {
  describe.each(['disk', 's3'] as const)('files on %s', (storage) => {
    let s3: S3Server | undefined;
    let server: TestServer;
    let address: string;
    let files: FileStore;
    let toWholeSite: { readonly authorization: string };
    let toOtherUnit: { readonly authorization: string };
    const put = (
      audience: FileAudience,
      mediaType = 'image/jpeg',
      name = 'P-101.jpg',
      content: Uint8Array = bytes,
    ): Promise<StoredFile> => files.put({ name, mediaType, audience }, content);

    beforeAll(async () => {
      s3 = storage === 's3' ? await startS3Server() : undefined;
      server = await startTestServer({ database, ...(s3 === undefined ? {} : { config: { files: s3.config } }) });
      address = await server.url();
      files = server.service(FileStore);
      const locations = server.service(LocationStore);
      const buildLocation = (uid: string, parent: string | null) => ({
        uid,
        parent,
        label: uid,
        name: uid,
        root: 'HB',
        locationType: parent === null ? ('PRIMARY_LOCATION' as const) : ('PLATFORM_UNIT' as const),
      });
      await locations.upsert([buildLocation('HB', null), buildLocation('HB-M10', 'HB'), buildLocation('HB-M20', 'HB')]);
      toWholeSite = { authorization: `Bearer ${await server.signIn({ locations: ['HB'] })}` };
      toOtherUnit = { authorization: `Bearer ${await server.signIn({ locations: ['HB-M20'] })}` };
    });
    afterAll(async () => {
      await server.close();
      await s3?.close();
    });

    it('requires nothing, a signed-in person or access to the location, depending on the audience', async () => {
      const expectations = [
        [{ kind: 'public' }, 200, 200, 200],
        [{ kind: 'signedIn' }, 401, 200, 200],
        [here, 401, 403, 200],
      ] as const;
      for (const [audience, withoutToken, withoutAccess, withAccess] of expectations) {
        const file = await put(audience);
        const folder = await files.putFolder({ name: 'tiles', mediaType: 'application/x-tiles', audience }, [
          { path: '1/0_0.jpg', content: bytes },
        ]);
        for (const path of [files.url(file.id), files.url(folder.id, '1/0_0.jpg')]) {
          expect((await get(address, path)).status).toBe(withoutToken);
          expect((await get(address, path, toOtherUnit)).status).toBe(withoutAccess);
          const response = await get(address, path, toWholeSite);
          expect(response.status).toBe(withAccess);
          expect(response.body.equals(bytes)).toBe(true);
          expect(response.headers['content-type']).toBe('image/jpeg');
          expect(response.headers['cache-control']).toBe(
            audience.kind === 'public' ? 'public, max-age=31536000, immutable' : 'private, max-age=3600',
          );
        }
      }
    });

    it('calls the guard of a file for each request', async () => {
      const guardedAudience: FileAudience = { ...here, guard: 'tests' };
      const guardCalls: string[] = [];
      let allowed = true;
      const file = await put(guardedAudience);
      const folder = await files.putFolder(
        { name: 'tiles', mediaType: 'application/x-tiles', audience: guardedAudience },
        [{ path: '1/0_0.jpg', content: bytes }],
      );
      const paths = [files.url(file.id), files.url(folder.id, '1/0_0.jpg')];
      expect((await files.find(file.id))?.audience).toEqual(guardedAudience);
      for (const path of paths) expect([path, (await get(address, path, toWholeSite)).status]).toEqual([path, 403]);
      const guards = server.service(FileGuards);
      guards.register('tests', async ({ location, file: id, caller }) => {
        guardCalls.push(`${location} ${[file.id, folder.id].includes(id)} ${caller.uid !== ''}`);
        if (!allowed) throw noAccess('Closed.');
      });
      expect(() => guards.register('tests', async () => undefined)).toThrow('two file guards');
      for (const path of paths) {
        allowed = true;
        const response = await get(address, path, toWholeSite);
        expect([path, response.status, response.headers['cache-control']]).toEqual([path, 200, 'private, no-cache']);
        expect((await get(address, path, toOtherUnit)).status).toBe(403);
        expect((await get(address, path)).status).toBe(401);
        const conditionalHeaders = { ...toWholeSite, 'if-none-match': response.headers.etag ?? '' };
        expect((await get(address, path, conditionalHeaders)).status).toBe(304);
        allowed = false;
        expect((await get(address, path, conditionalHeaders)).status).toBe(403);
        expect((await get(address, path, { ...toWholeSite, range: 'bytes=0-9' })).status).toBe(403);
      }
      expect(new Set(guardCalls)).toEqual(new Set(['HB-M10 true true']));
    });

    it('accepts the file ticket of a signed-in browser instead of a token, but no forged one', async () => {
      const person = await server.addPerson({ locations: ['HB'] });
      const signedIn = await server.call(login, {
        body: { username: person.username, password: person.password },
        headers: { 'x-token-transport': 'cookie' },
      });
      const cookies = [signedIn.headers['set-cookie']].flat().map(String);
      const ticket = cookies.find((cookie) => cookie.startsWith(`${cookieNames.fileTicket}=`))?.split(';')[0] ?? '';
      const file = await put(here);
      expect((await get(address, files.url(file.id), { cookie: ticket })).status).toBe(200);
      expect((await get(address, files.url(file.id), { cookie: `${ticket.slice(0, -3)}AAA` })).status).toBe(401);
    });

    it('answers 404 for missing files, without caching headers', async () => {
      const folder = await files.putFolder({ name: 'tiles', mediaType: 'x', audience: here }, [
        { path: 'a.jpg', content: bytes },
      ]);
      const file = await put(here);
      await files.remove((await put(here)).id);
      for (const path of [
        `/api/files/${'0'.repeat(32)}`,
        `/api/files/${folder.id}`,
        `/api/files/${folder.id}/b.jpg`,
        `/api/files/${folder.id}/`,
        `/api/files/${file.id}/a.jpg`,
      ]) {
        const response = await get(address, path, toWholeSite);
        expect([path, response.status]).toEqual([path, 404]);
        expect(response.headers['cache-control']).not.toContain('max-age');
      }
    });

    it('serves ranges, and refuses unsatisfiable ones', async () => {
      const path = files.url((await put(here)).id);
      const range = (requestedRange: string, moreHeaders = {}): Promise<Reply> =>
        get(address, path, { ...toWholeSite, range: requestedRange, ...moreHeaders });
      for (const [requestedRange, start, end] of [
        ['bytes=0-9', 0, 9],
        ['bytes=99990-', 99_990, 99_999],
        ['bytes=-5', 99_995, 99_999],
        ['bytes=99990-500000', 99_990, 99_999],
      ] as const) {
        const response = await range(requestedRange);
        expect(response.status).toBe(206);
        expect(response.headers['content-range']).toBe(`bytes ${start}-${end}/100000`);
        expect(response.headers['content-length']).toBe(String(end - start + 1));
        expect(response.body.equals(bytes.subarray(start, end + 1))).toBe(true);
      }
      for (const requestedRange of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=9-3']) {
        const response = await range(requestedRange);
        expect([response.status, response.body.length]).toEqual([200, bytes.length]);
      }
      const unsatisfiable = await range('bytes=100000-');
      expect([unsatisfiable.status, unsatisfiable.headers['content-range']]).toEqual([416, 'bytes */100000']);
      expect(unsatisfiable.headers['cache-control']).not.toContain('max-age');
      expect(JSON.parse(unsatisfiable.body.toString())).toMatchObject({
        code: 'E002',
        reference: unsatisfiable.headers['x-request-id'],
      });
      const wholeReply = await get(address, path, toWholeSite);
      expect((await range('bytes=0-9', { 'if-range': wholeReply.headers.etag ?? '' })).status).toBe(206);
      expect((await range('bytes=0-9', { 'if-range': '"another"' })).status).toBe(200);
    });

    it("answers 304 if the browser's copy is current", async () => {
      const file = await put(here);
      const path = files.url(file.id);
      const first = await get(address, path, toWholeSite);
      expect(first.headers.etag).toBe(`"${file.sha256}"`);
      for (const tag of [first.headers.etag ?? '', `"x", W/${first.headers.etag}`, '*']) {
        const secondReply = await get(address, path, { ...toWholeSite, 'if-none-match': tag });
        expect([secondReply.status, secondReply.body.length, secondReply.headers.etag]).toEqual([
          304,
          0,
          first.headers.etag,
        ]);
      }
      expect((await get(address, path, { ...toWholeSite, 'if-none-match': '"x"' })).status).toBe(200);
      expect((await get(address, path, { 'if-none-match': '*' })).status).toBe(401);
    });

    it('answers HEAD with the headers only', async () => {
      const file = await put(here);
      const response = await get(address, files.url(file.id), toWholeSite, 'HEAD');
      expect([
        response.status,
        response.headers['content-length'],
        response.headers.etag,
        response.body.length,
      ]).toEqual([200, '100000', `"${file.sha256}"`, 0]);
    });

    it('prevents uploaded content from running as a page of the product', async () => {
      for (const mediaType of ['image/svg+xml', 'text/html', 'application/xhtml+xml', 'text/xml', 'text/javascript']) {
        const response = await get(
          address,
          files.url((await put(here, mediaType, 'x', Buffer.from('<svg onload="alert(1)"/>'))).id),
          toWholeSite,
        );
        expect(response.headers['content-security-policy']).toBe(
          "sandbox; default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
        );
        expect(response.headers['content-type']).toBe(
          mediaType === 'image/svg+xml' ? 'image/svg+xml; charset=utf-8' : mediaType,
        );
        expect(response.headers['x-content-type-options']).toBe('nosniff');
        expect(response.headers['content-disposition']).toMatch(
          mediaType === 'image/svg+xml' ? /^inline/ : /^attachment/,
        );
      }
      const photo = await get(address, files.url((await put(here)).id), toWholeSite);
      expect(photo.headers['x-content-type-options']).toBe('nosniff');
      expect(photo.headers['content-security-policy']).toBe(
        "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'",
      );
    });

    it('offers a file for download under its own name, whatever characters the name has', async () => {
      const file = await put(here, 'image/jpeg', 'Pumpe "é"\r\nSet-Cookie: a=b;.jpg');
      const response = await get(address, `${files.url(file.id)}?download=true`, toWholeSite);
      expect(response.headers['set-cookie']).toBeUndefined();
      expect(response.headers['content-disposition']).toBe(
        'attachment; filename="Pumpe _____Set-Cookie: a=b;.jpg"; ' +
          "filename*=UTF-8''Pumpe%20%22%C3%A9%22%0D%0ASet-Cookie%3A%20a%3Db%3B.jpg",
      );
    });

    it('resists path traversal', async () => {
      const folder = await files.putFolder({ name: 'tiles', mediaType: 'x', audience: { kind: 'public' } }, [
        { path: 'a/b.jpg', content: bytes },
      ]);
      const file = await put(here);
      const traversals = [
        '../x',
        '..%2fx',
        '%2e%2e/x',
        'a/../../x',
        'a/..%2f..%2fx',
        '..\\x',
        '..%5cx',
        '%2fetc%2fpasswd',
        '/etc/passwd',
        '%00',
        'a/b.jpg%00',
        `../${file.id}`,
        `..%2f${file.id}`,
        `../${file.id.slice(0, 2)}/${file.id}`,
        '%c0%ae%c0%ae/x',
        '....//x',
        'a//b.jpg',
        './a/b.jpg',
      ];
      for (const traversal of traversals) {
        const response = await get(address, `/api/files/${folder.id}/${traversal}`);
        expect([traversal, response.status >= 400 && response.status < 500]).toEqual([traversal, true]);
      }
      for (const id of ['..', '../..', '%2e%2e', 'etc', file.id.toUpperCase(), `${file.id}0`, `${file.id}%00`]) {
        const response = await get(address, `/api/files/${id}`, toWholeSite);
        expect([id, response.status >= 400 && response.status < 500]).toEqual([id, true]);
      }
      expect((await get(address, `/api/files/${folder.id}/a/b.jpg`)).status).toBe(200);
    });
  });
});
