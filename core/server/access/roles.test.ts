import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeOnDatabases, startTestServer, type TestServer } from '../../testing/server.ts';
import { LocationStore } from './location-store.ts';
import { Roles } from './roles.ts';

describeOnDatabases('roles', (kind) => {
  let server: TestServer;
  let roles: Roles;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    roles = server.service(Roles);
    await server.service(LocationStore).upsert(
      ['a', 'b'].map((uid) => ({
        uid,
        name: uid,
        label: uid,
        parent: null,
        root: uid,
        locationType: 'PRIMARY_LOCATION' as const,
      })),
    );
  });
  afterAll(() => server.close());

  it('[ACC-01] saves roles with their locations and sorts their flags in the fixed order', async () => {
    const createdRole = await roles.create({
      name: 'Staff',
      flags: ['vrAccess', 'userManagement'],
      allLocations: false,
      locations: ['b', 'a', 'b'],
    });
    expect(createdRole).toMatchObject({
      name: 'Staff',
      status: 'ACTIVE',
      flags: ['userManagement', 'vrAccess'],
      allLocations: false,
      locations: ['a', 'b'],
    });
    expect(await roles.find(createdRole.uid)).toEqual(createdRole);
    expect(await roles.update(createdRole.uid, { name: 'Crew', locations: ['a'] })).toMatchObject({
      name: 'Crew',
      flags: ['userManagement', 'vrAccess'],
      locations: ['a'],
    });
    expect(await roles.setStatus(createdRole.uid, 'INACTIVE')).toMatchObject({ status: 'INACTIVE', locations: ['a'] });
    expect((await roles.list()).map(({ name }) => name)).toContain('Crew');
  });

  it('refuses the name of another role, regardless of case, and changes nothing', async () => {
    await roles.create({ name: 'Unique', flags: [], allLocations: false });
    const otherRole = await roles.create({ name: 'Other', flags: ['import'], allLocations: false });
    await expect(roles.create({ name: 'UNIQUE', flags: [], allLocations: false })).rejects.toMatchObject({
      status: 409,
      fields: [{ pointer: '/name' }],
    });
    await expect(roles.update(otherRole.uid, { flags: [], name: 'unique' })).rejects.toMatchObject({ status: 409 });
    expect(await roles.find(otherRole.uid)).toEqual(otherRole);
  });

  it('refuses an unknown location and creates nothing', async () => {
    const before = await roles.list();
    await expect(
      roles.create({ name: 'Nowhere', flags: [], allLocations: false, locations: ['a', 'nowhere'] }),
    ).rejects.toMatchObject({ status: 400 });
    expect(await roles.list()).toEqual(before);
  });

  it('reports that a role does not exist', async () => {
    expect(await roles.find('none')).toBeUndefined();
    await expect(roles.update('none', { name: 'x' })).rejects.toMatchObject({ status: 404 });
    await expect(roles.setStatus('none', 'INACTIVE')).rejects.toMatchObject({ status: 404 });
  });
});
