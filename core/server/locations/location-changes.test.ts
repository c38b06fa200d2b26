import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { defaultSiteRecord, type LocationRow, type LocationType } from '#core';
import {
  updateLocation,
  createLocation,
  deleteLocation,
  findLocationUse,
  listAuditEntries,
  listLocations,
  moveLocation,
  saveSite,
  undoChange,
  type NewLocation,
} from '#core/api';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '../../testing/server.ts';
import type { AuditTables } from '../audit/audit-log.ts';
import type { AccessTables } from '../access/access-tables.ts';
import { LocationContents } from '../access/location-contents.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';

const buildRow = (uid: string, parent: string | null, locationType: LocationType, root = 'K'): LocationRow => ({
  uid,
  parent,
  root,
  locationType,
  name: `Name of ${uid}`,
  label: '',
});
/** A site with two units and their levels, and another one. */
const rows = [
  buildRow('K', null, 'PRIMARY_LOCATION'),
  buildRow('K-1', 'K', 'PLATFORM_UNIT'),
  buildRow('K-2', 'K', 'PLATFORM_UNIT'),
  buildRow('K-3', 'K', 'PLATFORM_UNIT'),
  buildRow('K-1-A', 'K-1', 'LOC_LEVEL'),
  buildRow('K-1-B', 'K-1', 'LOC_LEVEL'),
  buildRow('L', null, 'PRIMARY_LOCATION', 'L'),
  buildRow('L-1', 'L', 'PLATFORM_UNIT', 'L'),
];
const newUnit: NewLocation = {
  uid: 'K-4',
  name: ' Utilities ',
  label: 'EL +12.000',
  locationType: 'PLATFORM_UNIT',
  parent: 'K',
};

describeOnDatabases('changes of locations', (kind) => {
  let server: TestServer;
  let admin: string;
  let auditor: string;
  beforeAll(async () => {
    server = await startTestServer({ database: kind, product: { timeZone: 'Europe/Oslo' } });
    await sql`create schema warehouse`.execute(tables());
    await sql`create table warehouse.item (location text)`.execute(tables());
    server
      .service(LocationContents)
      .register({ message: 'warehouse.contents.items', schema: 'warehouse', table: 'item' });
    admin = await server.signIn({ flags: ['configure'] });
    auditor = await server.signIn({ flags: ['userManagement'] });
  });
  beforeEach(async () => {
    await sql`delete from warehouse.item`.execute(tables());
    await sql`delete from core.change`.execute(tables());
    for (const table of ['location', 'audit_log'] as const) await tables().deleteFrom(table).execute();
    await server.service(LocationStore).upsert(rows);
  });
  afterAll(() => server.close());

  const tables = () => server.database.of<AccessTables & AuditTables>('core');
  const store = (location: string) => sql`insert into warehouse.item values (${location})`.execute(tables());
  const list = async () => (await server.call(listLocations, { token: admin })).body;
  const find = async (uid: string) => (await list()).find((row) => row.uid === uid);
  const listChildren = async (parent: string | null) =>
    (await list()).filter((row) => row.parent === parent).map(({ uid }) => uid);
  const create = (input: Partial<NewLocation> = {}, token = admin) =>
    server.call(createLocation, { body: { ...newUnit, ...input }, token });
  const change = (location: string, values: object, token = admin) =>
    server.call(updateLocation, {
      params: { location },
      body: { name: 'New name', label: '', locationType: 'PLATFORM_UNIT', version: 1, ...values },
      token,
    });
  const move = (location: string, parent: string | null, before: string | null, version = 1, token = admin) =>
    server.call(moveLocation, { params: { location }, body: { parent, before, version }, token });
  const remove = (location: string, token = admin) => server.call(deleteLocation, { params: { location }, token });
  const undo = (uid: string | null, token = admin) =>
    server.call(undoChange, { params: { change: uid! }, body: {}, token });
  const readMessage = ({ body }: { readonly body: unknown }) =>
    (body as { readonly refusal?: { readonly message: string } }).refusal?.message;

  it('creates a site with its record, and units below it, each with an audit entry', async () => {
    const site = await create({ uid: 'M', name: 'Mike', locationType: 'PRIMARY_LOCATION', parent: null });
    expect([site.status, await find('M')]).toEqual([
      201,
      expect.objectContaining({ root: 'M', site: defaultSiteRecord('Europe/Oslo') }),
    ]);
    const unit = await create();
    expect(await find('K-4')).toEqual({
      uid: 'K-4',
      name: 'Utilities',
      label: 'EL +12.000',
      locationType: 'PLATFORM_UNIT',
      parent: 'K',
      root: 'K',
      version: 1,
    });
    expect(await listChildren('K')).toEqual(['K-1', 'K-2', 'K-3', 'K-4']);
    const entries = await tables()
      .selectFrom('audit_log')
      .select(['action', 'subject', 'details'])
      .where('action', 'like', 'location.%')
      .orderBy('at')
      .execute();
    expect(entries).toEqual([
      expect.objectContaining({ action: 'location.created', subject: 'M' }),
      {
        action: 'location.created',
        subject: 'K-4',
        details: {
          change: unit.body.change,
          rows: [
            { table: 'location', key: { uid: 'K-4' }, before: null, after: expect.objectContaining({ uid: 'K-4' }) },
          ],
        },
      },
    ]);
  });

  it('refuses a code that is taken or malformed, and a parent that the type cannot have', async () => {
    expect((await create({ uid: 'K-1' })).body).toMatchObject({
      fields: [{ pointer: '/uid', message: 'core.validation.duplicate' }],
    });
    expect((await create({ uid: 'k-1' })).status).toBe(409);
    expect((await create({ uid: 'K/4' })).status).toBe(400);
    expect((await create({ name: '  ' })).status).toBe(400);
    expect((await create({ name: '\u200B\u2060' })).status).toBe(400);
    expect((await change('K-1', { name: '\u00AD' })).status).toBe(400);
    expect((await create({ uid: '-' })).status).toBe(400);
    const withSite = await create({ site: defaultSiteRecord('Asia/Tokyo') });
    expect([withSite.status, readMessage(withSite)]).toEqual([400, 'core.refused.locationNoSite']);
    for (const [locationType, parent] of [
      ['PRIMARY_LOCATION', 'K'],
      ['PLATFORM_UNIT', null],
      ['PLATFORM_UNIT', 'K-1'],
      ['LOC_LEVEL', 'K'],
      ['LOC_LEVEL', 'K-1-A'],
    ] as const)
      expect([locationType, parent, (await create({ locationType, parent })).status]).toEqual([
        locationType,
        parent,
        400,
      ]);
    expect(await list()).toHaveLength(rows.length);
  });

  it('answers a repeated creation with the change of the first one, unless the location has changed since', async () => {
    const first = await create();
    const repeatedReply = await create();
    expect([repeatedReply.status, repeatedReply.body]).toEqual([201, first.body]);
    const site = { uid: 'M', name: 'Mike', locationType: 'PRIMARY_LOCATION', parent: null } as const;
    const ofSite = await create(site);
    expect((await create(site)).body).toEqual(ofSite.body);
    expect(await list()).toHaveLength(rows.length + 2);
    const otherAdminToken = await server.signIn({ flags: ['configure'] });
    const statuses = [
      await create({}, otherAdminToken),
      await create({ label: '' }),
      await create({ parent: 'L' }),
      await create({ uid: 'k-4' }),
      await create({ ...site, site: defaultSiteRecord('Asia/Tokyo') }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([409, 409, 409, 409, 409]);
    await change('K-4', { name: 'Renamed' });
    expect((await create()).status).toBe(409);
    await change('K-4', { name: 'Utilities', label: 'EL +12.000', version: 2 });
    expect((await create()).status).toBe(409);
    await remove('K-4');
    const secondReply = await create();
    expect([secondReply.status, secondReply.body.change === first.body.change]).toEqual([201, false]);
    expect((await create()).body).toEqual(secondReply.body);
  });

  it('changes name, label and type, and refuses an outdated version', async () => {
    expect((await change('K-2', { locationType: 'LOC_GROUP', label: ' North ' })).status).toBe(200);
    expect(await find('K-2')).toMatchObject({
      name: 'New name',
      label: 'North',
      locationType: 'LOC_GROUP',
      version: 2,
    });
    const outdatedReply = await change('K-2', { name: 'Lost' });
    expect([outdatedReply.status, outdatedReply.body]).toEqual([
      409,
      expect.objectContaining({
        current: {
          uid: 'K-2',
          name: 'New name',
          label: 'North',
          locationType: 'LOC_GROUP',
          parent: 'K',
          root: 'K',
          version: 2,
        },
      }),
    ]);
    const withChildren = await change('K-1', { locationType: 'LOC_LEVEL' });
    expect([withChildren.status, (await find('K-1'))?.locationType]).toEqual([400, 'PLATFORM_UNIT']);
    expect((await change('K-1', { locationType: 'LOC_GROUP' })).status).toBe(200);
  });

  it('writes nothing if the values, the position or the record of a location stay the same', async () => {
    const record = { ...defaultSiteRecord('Asia/Kolkata'), verticalDatum: 'MSL' };
    const save = () => server.call(saveSite, { params: { site: 'K' }, body: record, token: admin });
    await save();
    const before = await list();
    const replies = [
      await change('K-1', { name: ' Name of K-1 ', label: ' ' }),
      await move('K-1', 'K', 'K-2'),
      await move('K-3', 'K', null),
      await move('L', null, null),
      await save(),
    ];
    expect(replies.map(({ status, body }) => [status, body.change])).toEqual(replies.map(() => [200, null]));
    expect(await list()).toEqual(before);
    const { rows: counts } = await sql`
      select (select count(*)::integer from core.audit_log where action <> 'site.saved') as entries,
        (select count(*)::integer from core.change) as changes`.execute(tables());
    expect(counts).toEqual([{ entries: 0, changes: 1 }]);
    expect((await change('K-1', { name: 'Name of K-1', version: 2 })).status).toBe(409);
  });

  it('moves a location with everything below it, before a sibling or to the end', async () => {
    expect((await move('K-3', 'K', 'K-1')).status).toBe(200);
    expect(await listChildren('K')).toEqual(['K-3', 'K-1', 'K-2']);
    expect((await move('K-1', 'K', null)).status).toBe(200);
    expect(await listChildren('K')).toEqual(['K-3', 'K-2', 'K-1']);
    expect((await move('K-1-A', 'K-2', null)).status).toBe(200);
    expect([await listChildren('K-2'), await listChildren('K-1')]).toEqual([['K-1-A'], ['K-1-B']]);
    expect((await move('L', null, 'K')).status).toBe(200);
    expect(await listChildren(null)).toEqual(['L', 'K']);
  });

  it('refuses a move below itself, to another site, to a wrong parent, or of an outdated version', async () => {
    await change('K-1', { locationType: 'LOC_GROUP' });
    await create({ uid: 'K-1-G', locationType: 'LOC_GROUP', parent: 'K-1' });
    const statuses = [
      await move('K-1', 'K-1-G', null, 2),
      await move('K-2', 'L', null),
      await move('K-2', 'K-1-A', null),
      await move('K-2', null, null),
      await move('K-1', 'K', null, 1),
      await move('K-2', 'K', 'L-1'),
      await move('K-2', 'gone', null),
    ].map(({ status }) => status);
    expect(statuses).toEqual([400, 400, 400, 400, 409, 409, 409]);
  });

  it('keeps the order after more moves between two siblings than a number has digits', async () => {
    for (let round = 0; round < 60; round += 1) {
      const [first, second, third] = await listChildren('K');
      const { version } = (await find(third!))!;
      expect((await move(third!, 'K', second!, version)).status).toBe(200);
      expect(await listChildren('K')).toEqual([first, third, second]);
    }
  });

  it('deletes a location with the locations below it, and restores them with the access of roles', async () => {
    const roles = server.service(Roles);
    const { uid: role } = await roles.create({
      name: 'Deck crew',
      flags: [],
      allLocations: false,
      locations: ['K-1-A'],
    });
    const before = await list();
    expect((await server.call(findLocationUse, { params: { location: 'K-1' }, token: admin })).body).toEqual({
      descendants: 2,
      roles: ['Deck crew'],
      contents: [],
    });
    const deleteReply = await remove('K-1');
    expect([await listChildren('K'), (await roles.find(role))?.locations]).toEqual([['K-2', 'K-3'], []]);
    expect((await undo(deleteReply.body.change)).status).toBe(200);
    const withoutVersions = (all: typeof before) => all.map((row) => ({ ...row, version: 0 }));
    expect(withoutVersions(await list())).toEqual(withoutVersions(before));
    expect((await roles.find(role))?.locations).toEqual(['K-1-A']);
    const deletedAgain = await remove('K-1');
    await sql`delete from core.role where uid = ${role}`.execute(tables());
    expect([(await undo(deletedAgain.body.change)).status, await listChildren('K-1')]).toEqual([
      200,
      ['K-1-A', 'K-1-B'],
    ]);
  });

  it('refuses to delete a location with contents, and names them', async () => {
    for (const location of ['K-1-B', 'K-1-B', 'K-3']) await store(location);
    const use = await server.call(findLocationUse, { params: { location: 'K-1' }, token: admin });
    expect(use.body.contents).toEqual([{ message: 'warehouse.contents.items', count: 2 }]);
    const refusedReply = await remove('K-1');
    expect([refusedReply.status, readMessage(refusedReply)]).toEqual([409, 'core.refused.locationInUse']);
    expect((await remove('K-1-A')).status).toBe(200);
    const createReply = await create();
    await store('K-4');
    expect((await undo(createReply.body.change)).status).toBe(409);
    expect(await find('K-4')).toBeDefined();
  });

  it('undoes each kind of change once, and the undo itself', async () => {
    const record = { ...defaultSiteRecord('Asia/Kolkata'), verticalDatum: 'MSL' };
    const changes = [
      (await create()).body,
      (await change('K-2', {})).body,
      (await move('K-3', 'K', 'K-1')).body,
      (await server.call(saveSite, { params: { site: 'K' }, body: record, token: admin })).body,
    ].map((body) => body.change);
    for (const uid of changes.toReversed()) expect((await undo(uid)).status).toBe(200);
    expect((await list()).map(({ version, ...row }) => row)).toEqual(rows);
    const secondReply = await undo(changes[0]!);
    expect([secondReply.status, readMessage(secondReply)]).toEqual([409, 'core.refused.undoDone']);
    const renameReply = await change('K-2', { version: (await find('K-2'))!.version });
    const undone = await undo(renameReply.body.change);
    expect((await undo(undone.body.change)).status).toBe(200);
    expect((await find('K-2'))?.name).toBe('New name');
    const restoreReply = await undo((await remove('K-1')).body.change);
    expect((await undo(restoreReply.body.change)).status).toBe(200);
    expect(await listChildren('K-1')).toEqual([]);
  });

  it.each([
    { locationType: 'PRIMARY_LOCATION', parent: null, before: 'K' },
    { locationType: 'PLATFORM_UNIT', parent: 'K', before: 'K-1' },
    { locationType: 'LOC_GROUP', parent: 'K', before: 'K-1' },
    { locationType: 'LOC_LEVEL', parent: 'K-1', before: 'K-1-A' },
  ] as const)(
    '[DAT-01] makes, edits, moves and removes a location ($locationType), each with undo and audit entry',
    async ({ locationType, parent, before }) => {
      const uid = 'NEW';
      const readState = async () => (await list()).map(({ version: _, ...row }) => row);
      const readVersion = async () => (await find(uid))?.version ?? 0;
      const steps = [
        ['location.created', () => create({ uid, locationType, parent })],
        ['location.changed', async () => change(uid, { locationType, version: await readVersion() })],
        ['location.moved', async () => move(uid, parent, before, await readVersion())],
        ['location.deleted', () => remove(uid)],
      ] as const;
      for (const [action, makeChange] of steps) {
        const former = await readState();
        const reply = await makeChange();
        const latter = await readState();
        expect(reply.status).toBeLessThan(300);
        expect(latter).not.toEqual(former);
        const undone = await undo(reply.body.change);
        expect([action, await readState()]).toEqual([action, former]);
        const { body: audit } = await server.call(listAuditEntries, { token: auditor, query: {} });
        expect(audit.rows.slice(0, 2)).toMatchObject([
          { action: 'location.changeUndone', subject: uid, change: { uid: undone.body.change } },
          { action, subject: uid, change: { uid: reply.body.change } },
        ]);
        await undo(undone.body.change);
        expect([action, await readState()]).toEqual([action, latter]);
      }
    },
  );

  it('redoes the deletion of a location with all below it, unless something was added below', async () => {
    const deleteReply = await remove('K-1');
    const restoreReply = await undo(deleteReply.body.change);
    const deletedAgain = await undo(restoreReply.body.change);
    expect([deletedAgain.status, await listChildren('K')]).toEqual([200, ['K-2', 'K-3']]);
    const restoredAgain = await undo(deletedAgain.body.change);
    await create({ uid: 'K-1-C', locationType: 'LOC_LEVEL', parent: 'K-1' });
    expect(readMessage(await undo(restoredAgain.body.change))).toBe('core.refused.undoChanged');
    expect(await listChildren('K-1')).toEqual(['K-1-A', 'K-1-B', 'K-1-C']);
  });

  it('does not restore a code if the same code exists in another case', async () => {
    const deleteReply = await remove('K-1-A');
    await create({ uid: 'k-1-a', locationType: 'LOC_LEVEL', parent: 'K-1' });
    expect(readMessage(await undo(deleteReply.body.change))).toBe('core.refused.undoCode');
  });

  it('undoes a change if its columns have not changed since, and refuses otherwise', async () => {
    const renameReply = await change('K-2', {});
    await move('K-2', 'K', null, 2);
    expect((await undo(renameReply.body.change)).status).toBe(200);
    expect([(await find('K-2'))?.name, await listChildren('K')]).toEqual(['Name of K-2', ['K-1', 'K-3', 'K-2']]);
    const first = await change('K-3', { name: 'First' });
    await change('K-3', { name: 'Second', version: 2 });
    const refusedReply = await undo(first.body.change);
    expect([refusedReply.status, readMessage(refusedReply), (await find('K-3'))?.name]).toEqual([
      409,
      'core.refused.undoChanged',
      'Second',
    ]);
    const deleteReply = await remove('K-1-A');
    await create({ uid: 'K-1-A', locationType: 'LOC_LEVEL', parent: 'K-1' });
    expect(readMessage(await undo(deleteReply.body.change))).toBe('core.refused.undoCode');
    const below = await remove('K-1-B');
    await remove('K-1');
    expect(readMessage(await undo(below.body.change))).toBe('core.refused.undoParent');
  });

  it('does not undo a change if the current tree cannot contain the result', async () => {
    await create({ uid: 'G', locationType: 'LOC_GROUP' });
    await create({ uid: 'H', locationType: 'LOC_GROUP', parent: 'G' });
    const movedOut = await move('H', 'K', null);
    await move('G', 'H', null);
    expect(readMessage(await undo(movedOut.body.change))).toBe('core.refused.locationCycle');
    const retypeReply = await change('K-2', { locationType: 'LOC_GROUP' });
    await create({ uid: 'U', parent: 'K-2' });
    expect(readMessage(await undo(retypeReply.body.change))).toBe('core.refused.locationChildren');
    const deleteReply = await remove('K-1-A');
    await remove('K-1-B');
    await change('K-1', { locationType: 'LOC_GROUP' });
    expect((await undo(deleteReply.body.change)).status).toBe(200);
  });

  it('does not let simultaneous changes of a location overwrite each other', async () => {
    const replies = await Promise.all([change('K-2', { name: 'One' }), change('K-2', { name: 'Two' })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('[ACC-04] needs the flag and access to the location, or to all locations for a site', async () => {
    const reader = await server.signIn({ flags: ['import'] });
    const atUnit = await server.signIn({ flags: ['configure'], locations: ['K-1'] });
    const { change: deletion } = (await remove('K-3')).body;
    const { change: siteDeletion } = (await remove('L')).body;
    const statuses = async (token: string | undefined) =>
      (
        await Promise.all([
          server.call(createLocation, { body: newUnit, ...(token ? { token } : {}) }),
          server.call(deleteLocation, { params: { location: 'K-2' }, ...(token ? { token } : {}) }),
          server.call(findLocationUse, { params: { location: 'K-2' }, ...(token ? { token } : {}) }),
          server.call(undoChange, { params: { change: deletion }, body: {}, ...(token ? { token } : {}) }),
        ])
      ).map(({ status }) => status);
    expect(await statuses(undefined)).toEqual([401, 401, 401, 401]);
    expect(await statuses(reader)).toEqual([403, 403, 403, 403]);
    expect(await statuses(atUnit)).toEqual([409, 403, 403, 403]);
    expect((await create({ uid: 'K-1-C', locationType: 'LOC_LEVEL', parent: 'K-1' }, atUnit)).status).toBe(201);
    expect((await move('K-1-A', 'K-2', null, 1, atUnit)).status).toBe(409);
    const atSite = await server.signIn({ flags: ['configure'], locations: ['K'] });
    const newSite = { uid: 'N', locationType: 'PRIMARY_LOCATION', parent: null } as const;
    expect((await create(newSite, atSite)).status).toBe(403);
    expect((await undo(siteDeletion, atSite)).status).toBe(403);
    expect((await undo(deletion, atSite)).status).toBe(200);
    expect((await undo(siteDeletion)).status).toBe(200);
    expect((await find('L-1'))?.root).toBe('L');
  });

  it('[ACC-04] undoes a move only with access to the former parent', async () => {
    const moveReply = await move('K-1-A', 'K-2', null);
    const atNewParent = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
    expect((await undo(moveReply.body.change, atNewParent)).status).toBe(403);
    const atBoth = await server.signIn({ flags: ['configure'], locations: ['K-1', 'K-2'] });
    expect((await undo(moveReply.body.change, atBoth)).status).toBe(200);
    expect(await listChildren('K-1')).toEqual(['K-1-A', 'K-1-B']);
  });

  it('[ACC-04] undoes a reorder only with access to the parent', async () => {
    const reorderReply = await move('K-2', 'K', 'K-1');
    const atUnit = await server.signIn({ flags: ['configure'], locations: ['K-2'] });
    expect((await undo(reorderReply.body.change, atUnit)).status).toBe(403);
    const atSite = await server.signIn({ flags: ['configure'], locations: ['K'] });
    const reorderedSite = await move('L', null, 'K');
    expect((await undo(reorderedSite.body.change, atSite)).status).toBe(403);
    expect((await undo(reorderReply.body.change, atSite)).status).toBe(200);
    expect(await listChildren('K')).toEqual(['K-1', 'K-2', 'K-3']);
  });

  it('uses as many statements to delete and restore 1,000 locations as for three', async () => {
    const manyRows = Array.from({ length: 999 }, (_, index) => buildRow(`K-2-${index}`, 'K-2', 'LOC_GROUP'));
    await server.service(LocationStore).upsert(manyRows);
    const counter = new QueryCounter(server.database);
    const count = async (location: string) => {
      const deletion = await counter.record(() => remove(location));
      const restoration = await counter.record(() => undo(deletion.result.body.change));
      expect([deletion.result.status, restoration.result.status]).toEqual([200, 200]);
      // The tree may also be read again, when the announcement of the last change arrives.
      return [deletion, restoration].map(
        ({ statements }) => statements.filter((statement) => /^\s*(insert|update|delete)/i.test(statement)).length,
      );
    };
    const few = await count('K-1');
    expect(Math.min(...few)).toBeGreaterThan(2);
    expect(await count('K-2')).toEqual(few);
    expect(await list()).toHaveLength(rows.length + manyRows.length);
  });
});
