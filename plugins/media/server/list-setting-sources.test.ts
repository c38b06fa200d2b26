import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getSettings } from '#core/api';
import { enabledPlugin } from '#core/server';
import { buildVideo, describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { saveContact, saveNotice, saveWelcomeText } from '../contract/api.ts';
import manifest from '../plugin.ts';
import media from './index.ts';

describeOnDatabases('the settings of media', (database) => {
  let server: TestServer;
  let token: string;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, media)] });
    token = await server.signIn({ flags: ['configure', 'import'], username: 'ida@example.test' });
  });
  afterAll(() => server.close());

  const upload = async (path: string, content: BlobPart, name: string) => {
    const form = new FormData();
    form.append('file', new Blob([content]), name);
    const url = `${await server.url()}/api/media/${path}`;
    const reply = await fetch(url, { method: 'POST', body: form, headers: { authorization: `Bearer ${token}` } });
    expect(reply.status).toBe(200);
  };
  const readSettings = async () =>
    (await server.call(getSettings, { token })).body.stored.map(({ key, count, changedBy }) => [key, count, changedBy]);

  it('[ADM-11] count welcome text, contact detail, images, and images and video, with the last author', async () => {
    expect(await readSettings()).toEqual([
      ['media.welcomeText', 0, null],
      ['media.contactDetail', 0, null],
      ['media.images', 0, null],
      ['media.imagesAndVideo', 0, null],
      ['media.notices', 0, null],
    ]);
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>';
    await server.call(saveWelcomeText, { body: { en: 'Hello', fr: 'Bonjour', version: 0 }, token });
    const contact = {
      ...{ name: 'Ida Holm', jobTitle: null, category: 'SITE' as const, email: 'ida@example.test', phone: null },
      ...{ location: null, languages: ['English'], sequence: 0, onLogin: false, version: 0 },
    };
    await server.call(saveContact, { params: { contact: randomUUID() }, body: contact, token });
    await upload('login-backgrounds/images?version=0', drawing, 'one.svg');
    await upload('login-backgrounds/images?version=1', drawing, 'two.svg');
    await upload('login-backgrounds/images?version=2', drawing, 'three.svg');
    await upload(`items/${randomUUID()}/file`, drawing, 'plan.svg');
    await upload(`items/${randomUUID()}/file`, new Uint8Array(buildVideo()), 'sea.mp4');
    const notice = {
      ...{ text: 'Crane work', frenchText: null, severity: 'INFO' as const, area: 'TOP' as const, location: null },
      ...{ onLogin: false, startsAt: '2126-01-10T08:00:00.000Z', endsAt: null, version: 0 },
    };
    await server.call(saveNotice, { params: { notice: randomUUID() }, body: notice, token });
    const author = 'Person ida@example.test';
    expect(await readSettings()).toEqual([
      ['media.welcomeText', 2, author],
      ['media.contactDetail', 1, author],
      ['media.images', 3, author],
      ['media.imagesAndVideo', 2, author],
      ['media.notices', 1, author],
    ]);
  });
});
