import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { defaultSiteRecord, type DemoPlant, type LocationRow, type SiteRecord } from '#core';
import { getMe, listLocations, saveSite } from '#core/api';
import { describeOnDatabases, openTestDatabase, startTestServer, type TestServer } from '../../testing/server.ts';
import { writeBackup } from '../backup/backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { coreParts } from '../core-parts.ts';
import { DiskBlobs } from '../files/disk-blobs.ts';
import { listMigrationOwners } from '../start/server.ts';
import type { AuthTables } from '../auth/auth-tables.ts';
import type { AccessTables } from './access-tables.ts';
import { LocationStore } from './location-store.ts';
import { SiteStore } from './site-store.ts';

const buildRow = (uid: string, parent: string | null, root: string): LocationRow => ({
  uid,
  parent,
  name: uid,
  label: uid,
  root,
  locationType: parent === null ? 'PRIMARY_LOCATION' : 'PLATFORM_UNIT',
});
const rows = [
  buildRow('oslo', null, 'oslo'),
  buildRow('oslo-unit', 'oslo', 'oslo'),
  buildRow('mumbai', null, 'mumbai'),
  buildRow('mumbai-unit', 'mumbai', 'mumbai'),
  buildRow('plain', null, 'plain'),
];

const oslo: SiteRecord = {
  timeZone: 'Europe/Oslo',
  frame: { crs: 25_832, origin: { east: 597_000.125, north: 6_643_000.5, up: -12 }, rotation: -17.25, unit: 'm' },
  verticalDatum: 'NN2000',
};
const mumbai: SiteRecord = {
  timeZone: 'Asia/Kolkata',
  frame: { crs: 'local', origin: { east: 0, north: 0, up: 0 }, rotation: 180, unit: 'ftUS' },
  verticalDatum: null,
};

describeOnDatabases('records of sites', (kind) => {
  let server: TestServer;
  let sites: SiteStore;
  let locations: LocationStore;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, product: { timeZone: 'America/New_York' } });
    const { services } = server.server.registrar;
    [sites, locations] = [services.find(SiteStore, 'test'), services.find(LocationStore, 'test')];
    await locations.upsert(rows);
    admin = await server.signIn({ flags: ['configure'] });
    await sites.save('mumbai', mumbai);
  });
  afterAll(() => server.close());

  const save = (site: string, body: unknown, token = admin) =>
    server.call(saveSite, { params: { site }, body: body as SiteRecord, token });
  const listRecords = async (token: string) =>
    Object.fromEntries(
      (await server.call(listLocations, { token })).body.flatMap(({ uid, site }) => (site ? [[uid, site]] : [])),
    );

  it('saves a record for an admin, audits it and returns it for every location of the site', async () => {
    expect(await sites.recordAt('oslo-unit')).toEqual(defaultSiteRecord('America/New_York'));
    const answer = await save('oslo', oslo);
    expect([answer.status, answer.body]).toEqual([200, { change: expect.any(String) }]);
    expect(await Promise.all(['oslo', 'oslo-unit', 'mumbai-unit'].map((uid) => sites.recordAt(uid)))).toEqual([
      oslo,
      oslo,
      mumbai,
    ]);
    const log = await server.database
      .of<AuthTables>('core')
      .selectFrom('audit_log')
      .selectAll()
      .where('subject', '=', 'oslo')
      .execute();
    const { uid } = (await server.call(getMe, { token: admin })).body;
    expect(log).toMatchObject([
      {
        actor: uid,
        action: 'site.saved',
        details: { rows: [{ table: 'site', key: { location: 'oslo' }, after: { time_zone: 'Europe/Oslo' } }] },
        request: answer.headers['x-request-id'],
      },
    ]);
  });

  it("returns the defaults, in the deployment's time zone, for a site without a record and an unknown location", async () => {
    const defaults: SiteRecord = {
      timeZone: 'America/New_York',
      frame: { crs: 'local', origin: { east: 0, north: 0, up: 0 }, rotation: 0, unit: 'm' },
      verticalDatum: null,
    };
    expect([await sites.recordAt('plain'), await sites.recordAt('nowhere')]).toEqual([defaults, defaults]);
  });

  it('includes the records only in the locations of people who can access the site', async () => {
    expect(await listRecords(admin)).toEqual({ oslo, mumbai });
    expect(await listRecords(await server.signIn({ locations: ['mumbai-unit'] }))).toEqual({ mumbai });
    expect(await listRecords(await server.signIn({ locations: ['plain'] }))).toEqual({});
    expect(await listRecords(await server.signIn({ locations: [] }))).toEqual({});
  });

  it('refuses people without the flag or without access to the whole site', async () => {
    const signInAt = (...accessibleLocations: string[]) =>
      server.signIn({ flags: ['configure'], locations: accessibleLocations });
    expect((await save('oslo', mumbai, await signInAt('mumbai'))).status).toBe(403);
    expect((await save('oslo', mumbai, await signInAt('oslo-unit'))).status).toBe(403);
    expect((await save('oslo', mumbai, await server.signIn({ flags: ['import'] }))).status).toBe(403);
    expect(await sites.recordAt('oslo')).toEqual(oslo);
    expect((await save('oslo', oslo, await signInAt('oslo'))).status).toBe(200);
  });

  it('refuses a change that is based on an outdated record', async () => {
    const changedSite = { ...mumbai, verticalDatum: 'MSL' };
    const saveBased = (base: SiteRecord) =>
      server.call(saveSite, { params: { site: 'mumbai' }, body: { ...changedSite, base }, token: admin });
    const outdatedReply = await saveBased(oslo);
    expect([outdatedReply.status, outdatedReply.body]).toEqual([
      409,
      expect.objectContaining({ current: expect.objectContaining({ uid: 'mumbai', site: mumbai }) }),
    ]);
    expect((await saveBased(mumbai)).status).toBe(200);
    await sites.save('mumbai', mumbai);
  });

  it('refuses a record for a location that is no site', async () => {
    expect((await save('oslo-unit', oslo)).status).toBe(404);
    await expect(sites.save('nowhere', oslo)).rejects.toMatchObject({ status: 404 });
  });

  it.each<readonly [string, object, string]>([
    ['a time zone that does not exist', { timeZone: 'Europe/Atlantis' }, '/timeZone'],
    ['an offset in place of a time zone', { timeZone: '+05:30' }, '/timeZone'],
    ['an empty time zone', { timeZone: '' }, '/timeZone'],
    ['a CRS with a fraction', { frame: { ...oslo.frame, crs: 25_832.5 } }, '/frame/crs'],
    ['a CRS outside of the EPSG range', { frame: { ...oslo.frame, crs: 0 } }, '/frame/crs'],
    ['a CRS by another name', { frame: { ...oslo.frame, crs: 'EPSG:25832' } }, '/frame/crs'],
    [
      'an origin that is no number',
      { frame: { ...oslo.frame, origin: { east: null, north: 0, up: 0 } } },
      '/frame/origin/east',
    ],
    [
      'an origin beyond the earth',
      { frame: { ...oslo.frame, origin: { east: 0, north: 1e9, up: 0 } } },
      '/frame/origin/north',
    ],
    ['a rotation beyond a half turn', { frame: { ...oslo.frame, rotation: 180.5 } }, '/frame/rotation'],
    ['a rotation of minus a half turn', { frame: { ...oslo.frame, rotation: -180 } }, '/frame/rotation'],
    ['an unknown unit', { frame: { ...oslo.frame, unit: 'yd' } }, '/frame/unit'],
    ['a datum of white space', { verticalDatum: ' ' }, '/verticalDatum'],
    ['a field that is not known', { colour: 'red' }, '/colour'],
  ])('refuses %s in the API and in the service', async (_what, change, pointer) => {
    const invalidRecord = { ...oslo, ...change };
    const answer = await save('oslo', invalidRecord);
    expect([answer.status, answer.refusal.fields?.map((field) => field.pointer)]).toEqual([
      400,
      expect.arrayContaining([pointer]),
    ]);
    await expect(sites.save('oslo', invalidRecord)).rejects.toMatchObject({ status: 400 });
    expect(await sites.recordAt('oslo')).toEqual(oslo);
  });

  it('refuses numbers that are not finite', async () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const invalidRecord = { ...oslo, frame: { ...oslo.frame, origin: { ...oslo.frame.origin, up: value } } };
      await expect(sites.save('oslo', invalidRecord)).rejects.toMatchObject({ status: 400 });
    }
  });

  it('reads records from memory without a query', async () => {
    await sites.recordAt('oslo');
    const { database } = server;
    await database.query('alter table core.site rename to away');
    const readAll = async () => {
      try {
        return await Promise.all(rows.map(({ uid }) => sites.recordAt(uid)));
      } finally {
        await database.query('alter table core.away rename to site');
      }
    };
    const siteRecords = await readAll();
    expect(siteRecords.map(({ timeZone }) => timeZone).slice(0, 4)).toEqual([
      oslo.timeZone,
      oslo.timeZone,
      mumbai.timeZone,
      mumbai.timeZone,
    ]);
  });

  it('uses UTC instead of a time zone that this machine does not know', async () => {
    const tables = server.database.of<AccessTables>('core');
    await tables.updateTable('site').set({ time_zone: 'Mars/Olympus_Mons' }).where('location', '=', 'mumbai').execute();
    await locations.upsert(rows);
    expect(await sites.recordAt('mumbai-unit')).toEqual({ ...mumbai, timeZone: 'UTC' });
    expect((await listRecords(admin)).mumbai?.timeZone).toBe('Mars/Olympus_Mons');
    await sites.save('mumbai', mumbai);
    expect(await sites.recordAt('mumbai-unit')).toEqual(mumbai);
  });

  it('keeps records when their locations are imported again', async () => {
    await locations.upsert(rows.map((row) => ({ ...row, name: `${row.name} renamed` })));
    expect(await listRecords(admin)).toEqual({ oslo, mumbai });
  });

  it('backs up and restores records', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'walkdown-sites-'));
    const file = path.join(folder, 'backup.tar.gz');
    const blobs = new DiskBlobs(path.join(folder, 'files'));
    const owners = listMigrationOwners(coreParts, []);
    const target = await openTestDatabase(kind);
    try {
      await writeBackup(file, { database: server.database, blobs });
      await restoreBackup(file, { database: target, blobs, migrationSources: owners });
      const restoredServer = await startTestServer({ database: target });
      const restoredSites = restoredServer.service(SiteStore);
      expect([await restoredSites.recordAt('oslo-unit'), await restoredSites.recordAt('mumbai')]).toEqual([
        oslo,
        mumbai,
      ]);
      await restoredServer.close();
    } finally {
      await target.close();
      await rm(folder, { recursive: true });
    }
  });

  it('seeds demo records once and keeps later changes', async () => {
    const plant: DemoPlant = {
      name: 'Plant',
      locations: [
        { ...rows[0]!, site: mumbai },
        { ...rows[4]!, site: mumbai },
      ],
      loginBackgrounds: [],
    };
    await server.server.seed(plant);
    expect([await sites.recordAt('oslo'), await sites.recordAt('plain')]).toEqual([oslo, mumbai]);
  });
});
