import { afterAll, beforeAll, expect, it } from 'vitest';
import { getConfiguration, listAuditEntries, undoChange } from '#core/api';
import { enabledPlugin } from '#core/server';
import { describeOnDatabases, startTestServer, type TestServer } from '#core/testing/server';
import { getWelcomeText, saveWelcomeText } from '../contract/api.ts';
import manifest from '../plugin.ts';
import media from './index.ts';

describeOnDatabases('the welcome text', (database) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, media)] });
    admin = await server.signIn({ flags: ['configure', 'userManagement'] });
  });
  afterAll(() => server.close());

  const save = (en: string, version: number, token = admin) =>
    server.call(saveWelcomeText, { body: { en, fr: ' ', version }, token });
  const read = async () => (await server.call(getWelcomeText, { token: admin })).body;
  const readShown = async () => (await server.call(getConfiguration, { token: admin })).body.welcomeText;
  const undo = (change: string | null, token = admin) =>
    server.call(undoChange, { params: { change: change! }, body: {}, token });

  it('[ADM-11] is saved by an admin of all locations, with a conflict, an audit entry and undo', async () => {
    expect(await read()).toEqual({ en: '', fr: '', version: 0, updatedBy: null, updatedAt: null });
    const first = await save('**Hello**', 0);
    expect(await readShown()).toEqual({ en: '**Hello**' });
    expect((await save('**Hello**', 1)).body.change).toBeNull();
    const second = await save('Mind the step', 1);
    const lateReply = await save('Mine', 1);
    expect([lateReply.status, lateReply.refusal.current]).toMatchObject([409, { en: 'Mind the step', version: 2 }]);
    expect(await read()).toMatchObject({ version: 2, updatedBy: expect.any(String), updatedAt: expect.any(String) });
    const siteAdmin = await server.signIn({ flags: ['configure'], locations: [] });
    expect((await save('Mine', 2, siteAdmin)).status).toBe(403);
    expect((await undo(second.body.change, siteAdmin)).status).toBe(403);
    expect((await undo(second.body.change)).status).toBe(200);
    expect(await readShown()).toEqual({ en: '**Hello**' });
    expect((await undo(first.body.change)).status).toBe(200);
    expect(await readShown()).toBeUndefined();
    const { body: log } = await server.call(listAuditEntries, { query: { area: 'CONTENT' }, token: admin });
    expect(log.rows.map(({ action, name }) => [action, name])).toEqual([
      ['configuration.changeUndone', 'media.welcomeText.title'],
      ['configuration.changeUndone', 'media.welcomeText.title'],
      ['configuration.settingSaved', 'media.welcomeText.title'],
      ['configuration.settingSaved', 'media.welcomeText.title'],
    ]);
  });

  it('is refused with a link that is not allowed, or if it is too long', async () => {
    const { version } = await read();
    const refusedReply = await save('Call [us](javascript:alert(1))', version);
    expect([refusedReply.status, refusedReply.refusal.fields]).toMatchObject([
      400,
      [{ pointer: '/en', message: 'media.welcomeText.link', values: { link: 'javascript:alert(1)' } }],
    ]);
    const long = await save('x'.repeat(5001), version);
    expect([long.status, long.refusal.fields?.[0]?.message]).toEqual([400, 'core.validation.maxLength']);
    expect(await readShown()).toBeUndefined();
  });
});
