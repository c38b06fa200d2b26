import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BodyOf, LocationRow } from '#core';
import { getSignInContent, undoChange } from '#core/api';
import { enabledPlugin, LocationStore } from '#core/server';
import {
  buildBridge,
  describeAccess,
  describeOnDatabases,
  QueryCounter,
  startTestServer,
  type TestServer,
} from '#core/testing/server';
import { pushImport, undoImport } from '#plugins/imports/api';
import { imports, importsManifest } from '#plugins/imports/testing/server';
import { deleteContact, listContacts, saveContact } from '../contract/api.ts';
import manifest from '../plugin.ts';
import importsBridge from './bridges/imports.ts';
import media from './index.ts';
import type { MediaTables } from './tables.ts';

const plugins = [enabledPlugin(importsManifest, { endSessions: false }, imports), enabledPlugin(manifest, {}, media)];
const bridges = [buildBridge('media', 'imports', importsBridge)];
describeAccess('access to media', plugins, bridges);

const buildSite = (uid: string): LocationRow => ({
  uid,
  name: uid,
  label: '',
  parent: null,
  root: uid,
  locationType: 'PRIMARY_LOCATION',
});
type Body = BodyOf<typeof saveContact>;
const buildContact = (changes: Partial<Body> = {}): Body => ({
  name: 'Ida Holm',
  jobTitle: null,
  category: 'SITE',
  email: 'ida@example.test',
  phone: null,
  location: null,
  languages: ['English'],
  sequence: 0,
  onLogin: false,
  version: 0,
  ...changes,
});

describeOnDatabases('contacts', (database) => {
  let server: TestServer;
  let admin: string;
  let visitor: string;
  beforeAll(async () => {
    server = await startTestServer({ database, plugins, bridges });
    await server.service(LocationStore).upsert(['HB', 'NW'].map(buildSite));
    admin = await server.signIn({ flags: ['import'] });
    visitor = await server.signIn({ flags: [], locations: ['NW'] });
  });
  afterAll(() => server.close());
  const tables = () => server.database.of<MediaTables>('media');
  beforeEach(async () => {
    await tables().deleteFrom('contact').execute();
  });

  const save = (changes: Partial<Body> = {}, contact: string = randomUUID()) =>
    server.call(saveContact, { params: { contact }, body: buildContact(changes), token: admin });
  const list = async (token = admin, query = {}) => (await server.call(listContacts, { token, query })).body;
  const undo = (change: string | null, token = admin) =>
    server.call(undoChange, { params: { change: change! }, body: {}, token });

  it('[ADM-13:contact-details] are created once, changed and deleted, with undo', async () => {
    const uid = randomUUID();
    const { body: creation } = await save({ name: ' Ida Holm ', phone: '0047 (0)55-50.12 34', email: '' }, uid);
    const [contact] = (await list()).rows;
    expect(contact).toMatchObject({ uid, name: 'Ida Holm', email: null, phone: '+4755501234', version: 1 });
    expect((await save({ jobTitle: 'Shift lead', version: 1 }, uid)).status).toBe(200);
    const outdatedReply = await save({ jobTitle: 'Planner', version: 1 }, uid);
    expect([outdatedReply.status, outdatedReply.refusal.current]).toMatchObject([
      409,
      { jobTitle: 'Shift lead', version: 2 },
    ]);
    const params = { contact: uid };
    const { body: deletion } = await server.call(deleteContact, { params, query: { version: 2 }, token: admin });
    expect((await list()).total).toBe(0);
    expect((await undo(deletion.change)).status).toBe(200);
    expect((await list()).rows[0]).toMatchObject({ jobTitle: 'Shift lead' });
    expect((await undo(creation.change)).status).toBe(409);
  });

  it.each<readonly [string, Partial<Body>, number, string]>([
    ['without email and phone', { email: ' ' }, 400, 'media.contact.unreachable'],
    ['with an invalid phone number', { phone: '0555 123' }, 400, 'media.contact.phoneFormat'],
    ['without a name', { name: '\u200B' }, 400, 'core.validation.mandatory'],
    ['with a name that is taken', { name: 'IDA HOLM' }, 409, 'media.refused.contactExists'],
    ['at an unknown location', { location: 'XX' }, 404, ''],
  ])('are refused %s', async (_, changes, status, message) => {
    await save();
    const { status: replyStatus, refusal } = await save({ name: 'Another', ...changes });
    expect(replyStatus).toBe(status);
    expect(refusal.fields?.[0]?.message ?? refusal.refusal?.message ?? '').toBe(message);
  });

  it('are saved at a location by people with access to it, and for everybody by people with access to all locations', async () => {
    const siteAdmin = await server.signIn({ flags: ['import'], locations: ['HB'] });
    const saveAt = (location: string | null) =>
      server.call(saveContact, {
        params: { contact: randomUUID() },
        body: buildContact({ name: `At ${location}`, location }),
        token: siteAdmin,
      });
    expect((await saveAt('HB')).status).toBe(200);
    expect((await saveAt('NW')).status).toBe(403);
    expect((await saveAt(null)).status).toBe(403);
    const { body } = await save({ name: 'Everybody', location: null });
    expect((await undo(body.change, siteAdmin)).status).toBe(403);
  });

  it('are shown to people with access to their location, in their order, page by page', async () => {
    await save({ name: 'Second', sequence: 2 });
    await save({ name: 'First', sequence: 1, location: 'HB' });
    expect((await list()).rows.map(({ name }) => name)).toEqual(['First', 'Second']);
    expect((await list(admin, { offset: 1, limit: 1 })).rows.map(({ name }) => name)).toEqual(['Second']);
    expect((await list(visitor)).rows.map(({ name }) => name)).toEqual(['Second']);
    const counter = new QueryCounter(server.database);
    const { statements } = await counter.record(() => list());
    expect(statements.filter((statement) => statement.includes('contact'))).toHaveLength(2);
  });

  it('are shown with their email address and phone number on the login screen, if they are chosen for it', async () => {
    await save({ name: 'Hidden' });
    await save({ name: 'Help desk', phone: '+4755501234', onLogin: true, jobTitle: 'Secret', location: 'HB' });
    expect((await server.call(getSignInContent, {})).body.contacts).toEqual([
      { name: 'Help desk', email: 'ida@example.test', phone: '+4755501234' },
    ]);
  });

  const push = async (
    rows: readonly Readonly<Record<string, unknown>>[],
    mode: 'UPSERT' | 'REPLACE' = 'UPSERT',
    dryRun = false,
  ) => {
    const body = { uid: randomUUID(), kind: 'media.contacts', site: 'HB', mode, dryRun };
    const { body: reply } = await server.call(pushImport, {
      token: admin,
      body: { ...body, sheets: { contacts: rows as never } },
    });
    return reply;
  };

  it('[ADM-13:contact-details] [DAT-05] [DAT-09] are imported for a site and undone, and other contacts stay unchanged', async () => {
    const readContacts = async () => (await list()).rows.map(({ version: _, ...contact }) => contact);
    const undoBatch = async (batch: string) =>
      (await server.call(undoImport, { token: admin, params: { batch }, body: { dryRun: false } })).body;
    await save({ name: 'Shared by all' });
    const ida = {
      name: 'Ida Holm',
      category: 'SITE',
      phone: '+47 55\u00a050 12 34',
      location: 'hb',
      languages: ['Norsk'],
    };
    const jo = { name: 'Jo Doe', category: 'Emergency', email: 'jo@example.test', location: 'HB', onLogin: true };
    const before = await readContacts();
    const dryRun = await push([ida, jo], 'UPSERT', true);
    expect(dryRun.import).toMatchObject({ phase: 'PREVIEW', sheets: [{ added: 2 }] });
    expect(await readContacts()).toEqual(before);
    const undone = await push([ida, jo]);
    expect(await undoBatch(undone.import.uid)).toMatchObject({ reversed: 2, kept: 0, blocked: 0 });
    expect(await readContacts()).toEqual(before);
    const first = await push([ida, jo]);
    expect(first.findings).toEqual([]);
    expect(first.import).toMatchObject({ result: 'SUCCESS' });
    const contacts = (await list()).rows;
    expect(contacts.find(({ name }) => name === 'Ida Holm')?.phone).toBe('+4755501234');
    expect(contacts.map(({ name, location, category }) => [name, location, category])).toEqual([
      ['Ida Holm', 'HB', 'SITE'],
      ['Jo Doe', 'HB', 'EMERGENCY'],
      ['Shared by all', null, 'SITE'],
    ]);
    const secondReply = await push([{ ...ida, phone: '+4755501234', location: 'HB' }, jo]);
    expect(secondReply.import.sheets[0]).toMatchObject({ added: 0, changed: 0, unchanged: 2 });
    const imported = await readContacts();
    const replacement = await push(
      [{ ...ida, phone: '+4755501234', location: 'HB', jobTitle: 'Shift lead' }],
      'REPLACE',
    );
    expect(replacement.import.sheets[0]).toMatchObject({ changed: 1, removed: 1 });
    expect((await list()).rows.map(({ name, jobTitle }) => [name, jobTitle])).toEqual([
      ['Ida Holm', 'Shift lead'],
      ['Shared by all', null],
    ]);
    expect(await undoBatch(replacement.import.uid)).toMatchObject({ reversed: 2, kept: 0, blocked: 0 });
    expect(await readContacts()).toEqual(imported);
  });

  it('are imported only if they can be reached', async () => {
    const { findings } = await push([
      { name: 'A', category: 'SITE', location: 'HB' },
      { name: 'B', category: 'SITE', location: 'HB', phone: '0555' },
      { name: 'C', category: 'SITE', location: 'NW', phone: '+4755501234' },
    ]);
    expect(findings.map(({ column, message }) => [column, message])).toEqual([
      ['phone', 'media.refused.contactUnreachable'],
      ['phone', 'media.refused.phone'],
      ['location', 'imports.refused.reference'],
    ]);
    expect((await list()).total).toBe(0);
  });
});
