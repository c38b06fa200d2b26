import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateLocation, createLocation, deleteLocation, listAuditEntries, undoChange } from '#core/api';
import { describeOnDatabases, QueryCounter, startTestServer, type TestServer } from '../../testing/server.ts';
import { AuditLog } from './audit-log.ts';

describeOnDatabases('the audit log', (kind) => {
  let server: TestServer;
  let admin: string;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    admin = await server.signIn({ userType: 'TENANT_ADMIN', flags: ['userManagement', 'configure'] });
    const create = (uid: string, name: string) =>
      server.call(createLocation, {
        body: { uid, name, label: '', locationType: 'PRIMARY_LOCATION', parent: null },
        token: admin,
      });
    await create('K', 'Kestrel');
    await create('M', 'Merlin');
    const values = { name: 'Kestrel A', label: '', locationType: 'PRIMARY_LOCATION' as const, version: 1 };
    const { body } = await server.call(updateLocation, { params: { location: 'K' }, body: values, token: admin });
    await server.call(undoChange, { params: { change: body.change! }, body: {}, token: admin });
    await server.call(deleteLocation, { params: { location: 'M' }, token: admin });
    await server
      .service(AuditLog)
      .record(
        { actor: null, action: 'signIn.refused', subject: 'unknown', details: { reason: 'accountUnknown' } },
        server.database.of('core'),
      );
  });
  afterAll(() => server.close());

  type Query = Parameters<typeof list>[0];
  async function list(
    query: {
      text?: string;
      area?: 'SIGN_IN' | 'PEOPLE' | 'CONTENT';
      from?: string;
      to?: string;
      offset?: number;
      limit?: number;
    } = {},
    token = admin,
  ) {
    return (await server.call(listAuditEntries, { query, token })).body;
  }
  const listActions = async (query: Query, token?: string) =>
    (await list({ area: 'CONTENT', ...query }, token)).rows.map(({ action, name }) => `${action} ${name}`);

  it('lists entries with person, subject and values before and after, latest first', async () => {
    const { total, rows } = await list({ area: 'CONTENT' });
    expect([total, rows.map(({ action, subject }) => `${action} ${subject}`)]).toEqual([
      5,
      [
        'location.deleted M',
        'location.changeUndone K',
        'location.changed K',
        'location.created M',
        'location.created K',
      ],
    ]);
    expect(rows[2]).toMatchObject({
      actor: { name: expect.any(String) as string },
      name: 'Kestrel A',
      location: 'K',
      details: { rows: [{ before: { name: 'Kestrel' }, after: { name: 'Kestrel A' } }] },
    });
  });

  it('marks changes that can be undone, and changes that were undone', async () => {
    const { rows } = await list({ area: 'CONTENT' });
    expect(rows.map(({ change }) => change?.undone)).toEqual([false, false, true, false, false]);
    expect((await list({ area: 'SIGN_IN' })).rows[0]).toMatchObject({
      action: 'signIn.refused',
      actor: null,
      change: null,
    });
  });

  it('finds entries by a part of a name, uid or action, by time and by area', async () => {
    expect(await listActions({ text: 'kestrel a' })).toEqual([
      'location.changeUndone Kestrel A',
      'location.changed Kestrel A',
    ]);
    expect(await listActions({ text: 'LOCATION.DEL' })).toEqual(['location.deleted Merlin']);
    expect(await listActions({ text: '%' })).toEqual([]);
    expect(await listActions({ to: '2000-01-01T00:00:00Z' })).toEqual([]);
    expect(await listActions({ from: '2000-01-01T00:00:00Z', text: 'merlin', limit: 1, offset: 1 })).toEqual([
      'location.created Merlin',
    ]);
  });

  it('leaves out entries about locations without access, and those of deleted ones', async () => {
    const nearToken = await server.signIn({ flags: ['userManagement'], locations: ['K'] });
    expect(await listActions({}, nearToken)).toEqual([
      'location.changeUndone Kestrel A',
      'location.changed Kestrel A',
      'location.created Kestrel',
    ]);
    const nowhere = await server.signIn({ flags: ['userManagement'], locations: [] });
    expect(await listActions({}, nowhere)).toEqual([]);
  });

  it('leaves out entries about contents that were written without a location, except those of the whole product', async () => {
    const database = server.database.of('core');
    const record = (action: string, details = {}) =>
      server.service(AuditLog).record({ actor: null, action, subject: action, details }, database);
    await sql`
      insert into core.change (uid, at, author, owner, action, subject, name, location)
      values ('whole', now(), 'a', 'test', 'test.imported', 's', 'n', ''),
        ('tree', now(), 'a', 'location', 'test.tree', 's', 'n', '')`.execute(database);
    await record('test.former', { change: 'none' });
    await record('test.tree', { change: 'tree' });
    await record('test.imported', { change: 'whole' });
    await record('sessions.ended');
    const nearToken = await server.signIn({ flags: ['userManagement'], locations: ['K'] });
    expect(await listActions({ text: 'test.' }, nearToken)).toEqual(['test.imported null']);
    expect(await listActions({ text: 'test.' })).toEqual(['test.imported null', 'test.tree null', 'test.former null']);
    expect((await list({ area: 'SIGN_IN', text: 'sessions.ended' }, nearToken)).total).toBe(1);
  });

  it('needs as many queries for 300 entries as for five', async () => {
    const counter = new QueryCounter(server.database);
    await list();
    const { statements } = await counter.record(() => list());
    const audit = server.service(AuditLog);
    for (let index = 0; index < 300; index++)
      await audit.record(
        { actor: null, action: 'test.changed', subject: `many-${index}`, location: 'K' },
        server.database.of('core'),
      );
    const { result, statements: laterStatements } = await counter.record(() => list({ limit: 1000 }));
    expect(result.rows.length).toBeGreaterThan(300);
    expect(laterStatements.length).toBe(statements.length);
  });
});
