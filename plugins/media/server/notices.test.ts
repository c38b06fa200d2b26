import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BodyOf, LocationRow } from '#core';
import { getMe, getSignInContent, undoChange } from '#core/api';
import { enabledPlugin, LocationStore } from '#core/server';
import { describeOnDatabases, EventReader, QueryCounter, startTestServer, type TestServer } from '#core/testing/server';
import { deleteNotice, dismissNotice, listNotices, listShownNotices, saveNotice } from '../contract/api.ts';
import { maxShownNotices } from '../contract/values.ts';
import manifest from '../plugin.ts';
import media from './index.ts';
import type { MediaTables } from './tables.ts';

const buildSite = (uid: string): LocationRow => ({
  uid,
  name: uid,
  label: '',
  parent: null,
  root: uid,
  locationType: 'PRIMARY_LOCATION',
});
const hour = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();
type Body = BodyOf<typeof saveNotice>;
const buildNotice = (changes: Partial<Body> = {}): Body => ({
  text: 'Crane work at M10',
  frenchText: null,
  severity: 'INFO',
  area: 'TOP',
  location: null,
  onLogin: false,
  startsAt: inHours(-1),
  endsAt: inHours(1),
  version: 0,
  ...changes,
});

describeOnDatabases('notices', (database) => {
  let server: TestServer;
  let admin: string;
  let visitor: string;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins: [enabledPlugin(manifest, {}, media)] });
    await server.service(LocationStore).upsert(['HB', 'NW'].map(buildSite));
    admin = await server.signIn({ flags: ['configure'] });
    visitor = await server.signIn({ flags: [], locations: ['NW'] });
  });
  afterAll(() => server.close());
  const tables = () => server.database.of<MediaTables>('media');
  beforeEach(async () => {
    await tables().deleteFrom('notice').execute();
  });

  const save = (changes: Partial<Body> = {}, notice: string = randomUUID(), token = admin) =>
    server.call(saveNotice, { params: { notice }, body: buildNotice(changes), token });
  const list = async () => (await server.call(listNotices, { query: {}, token: admin })).body;
  const listShown = async (token = admin) => (await server.call(listShownNotices, { token })).body.notices;
  const listTexts = async (token = admin) => (await listShown(token)).map(({ text }) => text);
  const dismiss = (notice: string, token = visitor) =>
    server.call(dismissNotice, { params: { notice }, body: {}, token });

  it('[ADM-14] are created once, changed and withdrawn, with undo, and browsers are notified', async () => {
    const events = await EventReader.connect(await server.url(), visitor);
    const uid = randomUUID();
    expect((await save({ text: ' Crane work ', frenchText: ' ' }, uid)).status).toBe(200);
    await events.waitFor(({ topic }) => topic === 'core.noticesChanged');
    await events.close();
    expect((await list()).rows).toMatchObject([{ uid, text: 'Crane work', frenchText: null, version: 1 }]);
    expect((await save({ text: 'Crane work until noon', version: 1 }, uid)).status).toBe(200);
    const lateReply = await save({ text: 'Crane work today', version: 1 }, uid);
    expect([lateReply.status, lateReply.refusal.current]).toMatchObject([
      409,
      { text: 'Crane work until noon', version: 2 },
    ]);
    const params = { notice: uid };
    const { body } = await server.call(deleteNotice, { params, query: { version: 2 }, token: admin });
    expect(await listTexts()).toEqual([]);
    await server.call(undoChange, { params: { change: body.change! }, body: {}, token: admin });
    expect(await listTexts()).toEqual(['Crane work until noon']);
  });

  it.each<readonly [string, Partial<Body>, number, string]>([
    ['without a text', { text: '\u200B' }, 400, 'core.validation.mandatory'],
    ['with a text that is too long', { text: 'x'.repeat(501) }, 400, 'core.validation.maxLength'],
    ['that ends before it starts', { endsAt: inHours(-2) }, 400, 'media.notice.endsEarly'],
    ['of a location on the login screen', { location: 'HB', onLogin: true }, 400, 'media.notice.loginForAll'],
    ['of an unknown location', { location: 'XX' }, 404, ''],
  ])('are refused %s', async (_, changes, status, message) => {
    const reply = await save(changes);
    expect([reply.status, reply.refusal.fields?.[0]?.message ?? '']).toEqual([status, message]);
    expect((await list()).total).toBe(0);
  });

  it('are written by people with access to their location, and notices to everybody by people with access to all locations', async () => {
    const siteAdmin = await server.signIn({ flags: ['configure'], locations: ['HB'] });
    const at = async (location: string | null) => (await save({ location }, randomUUID(), siteAdmin)).status;
    expect([await at('HB'), await at('NW'), await at(null)]).toEqual([200, 403, 403]);
    const uid = randomUUID();
    const { body } = await save({}, uid);
    expect((await save({ location: 'HB', version: 1 }, uid, siteAdmin)).status).toBe(403);
    const undone = await server.call(undoChange, { params: { change: body.change! }, body: {}, token: siteAdmin });
    expect(undone.status).toBe(403);
    const deletionReply = await server.call(deleteNotice, {
      params: { notice: uid },
      query: { version: 1 },
      token: siteAdmin,
    });
    expect(deletionReply.status).toBe(403);
  });

  it('are sent to people with access to their location until they end', async () => {
    await save({ text: 'Ended', startsAt: inHours(-2), endsAt: inHours(-1) });
    expect((await server.call(getMe, { token: visitor })).body.notices).toBeUndefined();
    await save({ text: 'Later', startsAt: inHours(24), endsAt: null });
    await save({ text: 'Here', location: 'NW' });
    await save({ text: 'Elsewhere', location: 'HB', startsAt: inHours(-3) });
    expect(await listTexts(visitor)).toEqual(['Here', 'Later']);
    expect(await listTexts()).toEqual(['Here', 'Elsewhere', 'Later']);
    expect((await server.call(getMe, { token: visitor })).body.notices).toBe(true);
    const counter = new QueryCounter(server.database);
    const { statements } = await counter.record(() => listShown(visitor));
    expect(statements.filter((statement) => statement.includes('notice'))).toHaveLength(1);
  });

  it('[ADM-14] are sent in the order of severity, so that many other notices cannot displace a severe one', async () => {
    const old = buildNotice({ startsAt: inHours(-9), endsAt: null });
    await tables()
      .insertInto('notice')
      .values(
        Array.from({ length: maxShownNotices }, (_, index) => ({
          uid: randomUUID(),
          text: `Old ${index}`,
          severity: old.severity,
          area: old.area,
          starts_at: new Date(index % 2 === 0 ? old.startsAt : inHours(99)),
        })),
      )
      .execute();
    await save({ text: 'Evacuate', severity: 'CRITICAL' });
    await save({ text: 'New' });
    const texts = await listTexts();
    expect([texts.length, ...texts.slice(0, 2)]).toEqual([maxShownNotices, 'Evacuate', 'New']);
  });

  it('stay hidden from people who dismissed them until they are changed, unless they are critical', async () => {
    const uid = randomUUID();
    await save({}, uid);
    expect([(await dismiss(uid)).status, (await dismiss(uid)).status]).toEqual([200, 200]);
    expect([await listTexts(visitor), await listTexts()]).toEqual([[], ['Crane work at M10']]);
    expect((await server.call(getMe, { token: visitor })).body.notices).toBeUndefined();
    await save({ text: 'Crane work at M11', version: 1 }, uid);
    expect(await listTexts(visitor)).toEqual(['Crane work at M11']);
    await dismiss(uid);
    await save({ severity: 'CRITICAL', text: 'Evacuate', version: 2 }, uid);
    const refusedReply = await dismiss(uid);
    expect([refusedReply.status, refusedReply.refusal.refusal?.message]).toEqual([400, 'media.refused.noticeCritical']);
    expect(await listTexts(visitor)).toEqual(['Evacuate']);
    const otherUid = randomUUID();
    await save({ location: 'HB' }, otherUid);
    expect((await dismiss(otherUid)).status).toBe(404);
  });

  it('are shown on the login screen if they are chosen for it, the most severe first', async () => {
    const content = async () => (await server.call(getSignInContent, {})).body.notices;
    await save({ text: 'People only' });
    await save({ text: 'Later', onLogin: true, startsAt: inHours(1), endsAt: null });
    expect(await content()).toBeUndefined();
    await save({ text: 'Maintenance', frenchText: 'Entretien', onLogin: true });
    await save({ text: 'Outage', severity: 'CRITICAL', onLogin: true, startsAt: inHours(-2), endsAt: null });
    expect(await content()).toEqual([
      { text: 'Outage', frenchText: null, severity: 'CRITICAL', endsInMs: null },
      { text: 'Maintenance', frenchText: 'Entretien', severity: 'INFO', endsInMs: expect.any(Number) },
    ]);
  });
});
