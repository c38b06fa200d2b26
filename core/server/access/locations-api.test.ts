import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocationRow } from '#core';
import { listLocations } from '#core/api';
import { describeOnDatabases, createTestDatabase, startTestServer, type TestServer } from '../../testing/server.ts';
import { atLocation } from './at-location.ts';
import type { Caller } from './caller.ts';
import { LocationStore } from './location-store.ts';
import { Roles } from './roles.ts';

const buildRow = (uid: string, parent: string | null, name = uid): LocationRow => ({
  uid,
  parent,
  name,
  label: `Label of ${uid}`,
  root: 'site',
  locationType: parent === null ? 'PRIMARY_LOCATION' : 'PLATFORM_UNIT',
});

const buildCaller = (locations: 'ALL' | readonly string[]): Caller => ({
  uid: 'u',
  username: 'u',
  userType: 'TENANT_USER',
  isAdmin: false,
  session: 's',
  access: { flags: [], locations, deactivatedRoles: [] },
});

const rows = [
  buildRow('zone', 'unit1'),
  buildRow('site', null),
  buildRow('unit1', 'site'),
  buildRow('unit2', 'site'),
  buildRow('other', null),
  buildRow('deck', 'unit2'),
  buildRow('lost', 'gone'),
];

describeOnDatabases('locations', (kind) => {
  let server: TestServer;
  let store: LocationStore;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    store = server.service(LocationStore);
    await store.upsert(rows);
  });
  afterAll(() => server.close());

  const listUids = async (locations: 'ALL' | readonly string[]) =>
    (await server.call(listLocations, { token: await server.signIn({ locations }) })).body.map(({ uid }) => uid);

  it('[LOC-01] refuses requests without a token', async () => {
    expect((await server.call(listLocations, {})).status).toBe(401);
  });

  it('[LOC-01] [PRO-03] lists all locations in the order of their import', async () => {
    const { body } = await server.call(listLocations, { token: await server.signIn() });
    expect(body).toEqual(rows.map((row) => ({ ...row, version: 1 })));
  });

  it('[ACC-04] lists the granted locations with their ancestors and descendants', async () => {
    expect(await listUids(['unit2'])).toEqual(['site', 'unit2', 'deck']);
    expect(await listUids(['zone', 'other'])).toEqual(['zone', 'site', 'unit1', 'other']);
    expect(await listUids(['lost'])).toEqual(['lost']);
    expect(await listUids([])).toEqual([]);
  });

  it('[ACC-04] grants access to descendants, never to ancestors or siblings', async () => {
    const formatAccess = async (locations: 'ALL' | readonly string[]) => {
      const answers = await Promise.all(
        ['site', 'unit1', 'zone', 'deck', 'nowhere'].map((uid) => store.canAccess(buildCaller(locations), uid)),
      );
      return answers.map(Number).join('');
    };
    expect(await formatAccess(['unit1'])).toBe('01100');
    expect(await formatAccess(['site'])).toBe('11110');
    expect(await formatAccess('ALL')).toBe('11110');
    expect(await formatAccess(['nowhere'])).toBe('00000');
    expect(await formatAccess([])).toBe('00000');
  });

  it('finds the ancestors and descendants of a location', async () => {
    expect(await store.ancestors('zone')).toEqual(['zone', 'unit1', 'site']);
    expect(await store.descendants('site')).toEqual(['site', 'unit1', 'unit2', 'zone', 'deck']);
    expect(await store.related('unit1')).toEqual(['unit1', 'site', 'zone']);
    expect([await store.ancestors('nowhere'), await store.descendants('nowhere')]).toEqual([[], []]);
    expect([await store.findSite('zone'), await store.findSite('nowhere')]).toEqual(['site', undefined]);
  });

  it('[ACC-04] filters rows by location in the database', async () => {
    const person = buildCaller(['unit2', 'nowhere']);
    expect(await store.accessible(person)).toEqual(['unit2', 'deck']);
    expect(await store.accessibleRelated(person, 'site')).toEqual(['unit2', 'deck']);
    expect(await store.accessibleDescendants(person, 'unit1')).toEqual([]);
    const rowsToFilter = [{ location: 'deck' }, { location: 'zone' }, { location: 'nowhere' }, { location: 'unit2' }];
    expect(await store.filterAccessible(person, rowsToFilter)).toEqual([{ location: 'deck' }, { location: 'unit2' }]);
    const readUids = async (locations: readonly string[]) =>
      (
        await server.database
          .of<{ readonly location: { readonly uid: string } }>('core')
          .selectFrom('location as tree')
          .select('tree.uid')
          .where(atLocation('tree.uid', locations))
          .orderBy('tree.uid')
          .execute()
      ).map(({ uid }) => uid);
    expect(await readUids(await store.accessible(person))).toEqual(['deck', 'unit2']);
    expect(await readUids([])).toEqual([]);
  });

  it('answers 304 to the ETag of a client until a location changes', async () => {
    const token = await server.signIn();
    const first = await server.call(listLocations, { token });
    const etag = String(first.headers['etag']);
    const cachedReply = await server.call(listLocations, { token, headers: { 'if-none-match': etag } });
    expect([cachedReply.status, cachedReply.body]).toEqual([304, undefined]);
    expect(
      (await server.call(listLocations, { token: await server.signIn(), headers: { 'if-none-match': etag } })).status,
    ).toBe(304);
    await store.upsert([buildRow('unit2', 'site', 'Renamed')]);
    const changedReply = await server.call(listLocations, { token, headers: { 'if-none-match': etag } });
    expect(changedReply.status).toBe(200);
    expect(changedReply.body.find(({ uid }) => uid === 'unit2')?.name).toBe('Renamed');
    await store.upsert([buildRow('unit2', 'site', 'Renamed')]);
    const changedEtag = String(changedReply.headers['etag']);
    expect((await server.call(listLocations, { token, headers: { 'if-none-match': changedEtag } })).status).toBe(304);
    await store.upsert([buildRow('unit2', 'site')]);
  });

  it('keeps the order of locations when they are imported again, and appends new ones', async () => {
    await store.upsert([buildRow('newest', 'site'), ...rows.toReversed()]);
    expect((await store.all()).map(({ uid }) => uid)).toEqual([...rows.map(({ uid }) => uid), 'newest']);
  });

  it('uses the later of two rows with the same uid in one import', async () => {
    await store.upsert([buildRow('twice', null, 'First'), buildRow('twice', null, 'Second')]);
    expect((await store.find('twice'))?.name).toBe('Second');
  });

  it('handles concurrent imports of 5,000 rows', async () => {
    const before = (await store.all()).length;
    await Promise.all(
      [0, 1].map((part) =>
        store.upsert(Array.from({ length: 2500 }, (_, index) => buildRow(`many-${part}-${index}`, 'site'))),
      ),
    );
    const all = await store.all();
    expect(all).toHaveLength(before + 5000);
    const first = all.filter(({ uid }) => uid.startsWith('many-0-')).map(({ uid }) => uid);
    expect(first).toEqual(Array.from({ length: 2500 }, (_, index) => `many-0-${index}`));
  });

  it('ends the search for descendants if a location is its own descendant', async () => {
    await store.upsert([buildRow('chicken', 'egg'), buildRow('egg', 'chicken')]);
    expect(await store.descendants('egg')).toEqual(['egg', 'chicken']);
    expect(await store.ancestors('egg')).toEqual(['egg', 'chicken']);
  });

  it('[ACC-04] applies a changed role at the next request', async () => {
    const roles = server.service(Roles);
    const person = await server.addPerson({ locations: ['other'] });
    const token = await server.signIn(person);
    const listPersonsUids = async () => (await server.call(listLocations, { token })).body.map(({ uid }) => uid);
    expect(await listPersonsUids()).toEqual(['other']);
    await roles.update(person.role, { locations: ['zone'] });
    expect(await listPersonsUids()).toEqual(['zone', 'site', 'unit1']);
    await roles.setStatus(person.role, 'INACTIVE');
    expect(await listPersonsUids()).toEqual([]);
  });
});

describe('locations of two servers', () => {
  describeOnDatabases('', (kind) => {
    if (kind === 'embedded')
      return it('are not tested on an embedded database, which has one server', () => expect(kind).toBe('embedded'));
    it('change on both servers as soon as the change is announced', async () => {
      const database = await createTestDatabase(kind);
      const firstServer = await startTestServer({ database });
      const secondServer = await startTestServer({ database });
      const getStore = (server: TestServer) => server.service(LocationStore);
      expect(await getStore(secondServer).all()).toEqual([]);
      const announcement = new Promise<void>(
        (resolve) =>
          void secondServer.database.listen('core_access', (payload) => payload.includes('locations') && resolve()),
      );
      await getStore(firstServer).upsert([buildRow('site', null)]);
      await announcement;
      expect((await getStore(secondServer).all()).map(({ uid }) => uid)).toEqual(['site']);
      await firstServer.close();
      await secondServer.close();
      await database.remove();
    });
  });
});
