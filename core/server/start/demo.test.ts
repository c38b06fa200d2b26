import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DemoLocation, DemoPlant } from '#core';
import { getConfiguration, getMe, listLocations } from '#core/api';
import { describeOnDatabases, startTestServer, type TestServer, login } from '../../testing/server.ts';
import { LocationStore } from '../access/location-store.ts';
import { Roles } from '../access/roles.ts';
import { Accounts } from '../auth/accounts.ts';
import { ensureFirstAdmin } from '../auth/ensure-first-admin.ts';
import { demoAccounts } from '../auth/demo-accounts.ts';

const buildLocation = (
  uid: string,
  parent: string | null,
  locationType: DemoLocation['locationType'],
): DemoLocation => ({
  uid,
  name: uid,
  label: uid,
  parent,
  root: 'HB',
  locationType,
});
const plant: DemoPlant = {
  name: 'Plant',
  loginBackgrounds: [],
  locations: [
    buildLocation('HB', null, 'PRIMARY_LOCATION'),
    buildLocation('HB-M10', 'HB', 'PLATFORM_UNIT'),
    buildLocation('HB-M10-L1', 'HB-M10', 'LOC_LEVEL'),
    buildLocation('HB-M20', 'HB', 'PLATFORM_UNIT'),
    buildLocation('SK', null, 'PRIMARY_LOCATION'),
  ],
};

const createContext = (server: TestServer) => ({ database: server.database });

describeOnDatabases('the people of the demo', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ database: kind });
    await server.server.seed(plant);
  });
  afterAll(() => server.close());

  const signIn = ({ username, password }: { readonly username: string; readonly password: string }) =>
    server.call(login, { body: { username, password } });
  const findAccount = (username: string) =>
    demoAccounts.find((account) => account.username === username) ?? { username, password: '' };

  it('lets people sign in, except the deactivated one', async () => {
    for (const account of demoAccounts) {
      const { status, refusal } = await signIn(account);
      expect(account.status === 'ACTIVE' ? status : refusal.code).toBe(account.status === 'ACTIVE' ? 200 : 'E006');
    }
  });

  it('gives roles access to all locations, one site or one unit', async () => {
    const listLocationUids = async (username: string) =>
      (await server.call(listLocations, { token: (await signIn(findAccount(username))).body.accessToken })).body.map(
        ({ uid }) => uid,
      );
    expect(await listLocationUids('admin@walkdown.example')).toEqual(plant.locations.map(({ uid }) => uid));
    expect(await listLocationUids('staff@walkdown.example')).toEqual(['HB', 'HB-M10', 'HB-M10-L1', 'HB-M20']);
    expect(await listLocationUids('visitor@walkdown.example')).toEqual(['HB', 'HB-M10', 'HB-M10-L1']);
  });

  it('shows a welcome text', async () => {
    const { body } = await server.call(getConfiguration, {
      token: (await signIn(findAccount('visitor@walkdown.example'))).body.accessToken,
    });
    expect(Object.keys(body.welcomeText ?? {})).toEqual(['en', 'fr']);
  });

  it('includes a deactivated role', async () => {
    const { body } = await server.call(getMe, {
      token: (await signIn(findAccount('visitor@walkdown.example'))).body.accessToken,
    });
    expect(body.access).toMatchObject({ flags: ['vrAccess'], deactivatedRoles: ['Turnaround crew'] });
  });

  it('keeps later changes if it is seeded again', async () => {
    const { services } = server.server.registrar;
    const accounts = services.find(Accounts, 'test');
    const staff = await accounts.findByUsername('staff@walkdown.example');
    await accounts.update(staff?.uid ?? '', { name: 'Renamed' });
    await services.find(Roles, 'test').update('visitor', { flags: ['vrAccess', 'pidAccess'] });
    const before = [
      await accounts.list(),
      await services.find(Roles, 'test').list(),
      await services.find(LocationStore, 'test').all(),
    ];
    await server.server.seed(plant);
    expect([
      await accounts.list(),
      await services.find(Roles, 'test').list(),
      await services.find(LocationStore, 'test').all(),
    ]).toEqual(before);
  });
});

describeOnDatabases('the first admin', (kind) => {
  it('[ACC-05] is created once on an empty database with all access flags', async () => {
    const server = await startTestServer({ database: kind });
    const results = await Promise.all(
      [1, 2, 3].map(() => ensureFirstAdmin(createContext(server), { username: 'Admin@Example.com' })),
    );
    const [admin, ...others] = results.filter((result) => result !== undefined);
    expect(others).toEqual([]);
    const { status, body } = await server.call(login, {
      body: { username: 'admin@example.com', password: admin?.password ?? '', admin: true },
    });
    expect([status, body.isAdmin]).toEqual([200, true]);
    const me = (await server.call(getMe, { token: body.accessToken })).body;
    expect([me.access.flags.length, me.access.locations]).toEqual([10, 'ALL']);
    expect(await ensureFirstAdmin(createContext(server), { username: 'second@example.com' })).toBeUndefined();
    await server.close();
  });

  it('is not created if an account exists', async () => {
    const server = await startTestServer({ database: kind });
    await server.addPerson();
    expect(
      await ensureFirstAdmin(createContext(server), { username: 'admin@example.com', password: 'given password' }),
    ).toBeUndefined();
    await server.close();
  });
});
