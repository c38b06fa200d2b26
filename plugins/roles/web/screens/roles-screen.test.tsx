import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessFlags, contribute } from '#core';
import type { RoleEffects, RoleReply, RoleRow } from '#core/api';
import { buildMe, buildSite, FakeServer, pretendSize, renderApp, renderScreen } from '#core/testing/web';
import { settingsSections, type InstalledPlugin } from '#core/web';
import roles from '../index.ts';
import RolesScreen from './roles-screen.tsx';

const plugin: InstalledPlugin = { id: 'roles', settings: {}, web: roles, bridges: [] };
/** Builds a plugin with one settings section for each of these flags. */
const buildFeaturePlugin = (...flags: readonly (typeof accessFlags)[number][]): InstalledPlugin => ({
  id: 'fixture',
  settings: {},
  web: {
    contributions: flags.map((access, order) =>
      contribute(settingsSections, {
        id: `fixture.${access}`,
        order,
        access,
        title: 'fixture.title',
        load: async () => ({ default: () => null }),
      }),
    ),
  },
  bridges: [],
});
const featurePlugin = buildFeaturePlugin('vrAccess', 'scanAccess', 'threeDimensionalAccess', 'tourDashboardAccess');

const buildRow = (uid: string, changes: Partial<RoleRow> = {}): RoleRow => ({
  uid,
  name: `Role ${uid}`,
  status: 'ACTIVE',
  flags: ['vrAccess'],
  allLocations: false,
  builtIn: false,
  version: 3,
  createdAt: '2026-11-20T08:00:00.000Z',
  people: 12,
  locationCount: 1,
  ...changes,
});
const buildRole = (uid: string, changes: Partial<RoleReply> = {}): RoleReply => {
  const { people, locationCount, ...identity } = buildRow(uid);
  return { ...identity, locations: ['K'], ...changes };
};
const noEffects: RoleEffects = {
  people: 0,
  losing: 0,
  withoutFeature: 0,
  flags: [],
  locations: { losing: 0, gaining: 0 },
};
const admin = buildMe({ isAdmin: true, userType: 'TENANT_ADMIN' });

describe('RolesScreen', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());

  const buildServer = (rows: readonly RoleRow[] = []) =>
    new FakeServer()
      .on('GET /api/locations', {
        status: 200,
        body: [
          buildSite('K'),
          { ...buildSite('K1'), parent: 'K', root: 'K', locationType: 'PLATFORM_UNIT' },
          buildSite('M'),
        ],
      })
      .on('GET /api/roles', { status: 200, body: { total: rows.length, offset: 0, rows: [...rows] } });
  const setup = (server: FakeServer, address = '', me = admin) =>
    renderScreen(<RolesScreen />, {
      plugins: [plugin, featurePlugin],
      server,
      me,
      url: `/admin/console/acl-roles${address}`,
    });

  it('[RTE-12:acl-roles] [ACC-02:configure] opens for admins with the flag, and explains the missing flag to others', async () => {
    const address = '/admin/console/acl-roles';
    const server = buildServer([buildRow('a')]);
    const { unmount } = await renderApp({ plugins: [plugin, featurePlugin], server, me: admin, url: address });
    expect(await screen.findByText('Role a')).toBeDefined();
    unmount();
    const flags = accessFlags.filter((flag) => flag !== 'configure');
    const me = { ...admin, access: { ...admin.access, flags } };
    await renderApp({ plugins: [plugin, featurePlugin], server: buildServer(), me, url: address });
    expect(screen.queryByText('New role')).toBeNull();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^You do not have access/);
  });

  it('[ADM-03] lists roles with status, people, features and locations', async () => {
    await setup(buildServer([buildRow('a'), buildRow('b', { status: 'INACTIVE', allLocations: true, builtIn: true })]));
    const [, first, second] = await screen.findAllByRole('row');
    expect(first!.textContent).toMatch(/Role aaActive12 peopleVR1 feature1 locationOpenDeactivate/);
    expect(second!.textContent).toMatch(/Role bbInactive12 peopleVR1 featureAllOpen$/);
  });

  it('[ADM-03] groups the features of the product, and grants all locations or none', async () => {
    const server = buildServer().on('POST /api/roles', { status: 201, body: { change: 'c1' } });
    const { user } = await renderScreen(<RolesScreen />, {
      plugins: [plugin, buildFeaturePlugin(...accessFlags)],
      server,
      me: admin,
      url: '/admin/console/acl-roles?new=empty',
    });
    const readGroup = (name: string) => {
      const group = screen.getByRole('group', { name });
      expect(within(group).getByText(name)).toBeDefined();
      return within(group)
        .getAllByRole<HTMLInputElement>('checkbox')
        .map(({ labels }) => labels?.[0]?.textContent);
    };
    await screen.findByRole('tab', { name: 'Users, Import, Config', selected: true });
    expect(readGroup('Admin controls')).toEqual([
      'Admin controls',
      expect.stringMatching(/^User management/),
      expect.stringMatching(/^Import/),
      expect.stringMatching(/^Configure/),
    ]);
    expect(readGroup('Dashboards')).toEqual([
      'Dashboards',
      expect.stringMatching(/^Tour dashboard/),
      expect.stringMatching(/^Permit dashboard/),
    ]);
    await user.click(screen.getByRole('tab', { name: 'Tools, Modules, Permits' }));
    expect(readGroup('Tools')).toEqual([
      'Tools',
      expect.stringMatching(/^VR/),
      expect.stringMatching(/^Scan/),
      expect.stringMatching(/^3D model/),
      expect.stringMatching(/^PID/),
    ]);
    expect(readGroup('Modules')).toEqual([expect.stringMatching(/^PID/)]);
    expect(readGroup('WMS permits')).toEqual([expect.stringMatching(/^Permits/)]);
    const [tool, module] = screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^PID/ });
    await user.click(tool!);
    expect([tool!.checked, module!.checked]).toEqual([true, true]);
    const readTree = () =>
      within(screen.getByRole('tree', { name: 'Locations' }))
        .getAllByRole<HTMLInputElement>('checkbox')
        .map(({ checked }) => checked);
    expect(readTree()).toEqual([false, false]);
    await user.click(screen.getByRole('button', { name: 'Select all' }));
    expect(readTree()).toEqual([true, true]);
    await user.click(screen.getByRole('button', { name: 'Select none' }));
    expect(readTree()).toEqual([false, false]);
    await user.click(screen.getByRole('switch', { name: 'All locations' }));
    expect(screen.queryByRole('tree')).toBeNull();
    await user.type(screen.getByLabelText(/^Role name/), 'Everywhere');
    await user.click(screen.getByRole('button', { name: 'Create role' }));
    await waitFor(() =>
      expect(server.sentTo('POST /api/roles')[0]?.body).toEqual({
        uid: 'everywhere',
        name: 'Everywhere',
        flags: ['pidAccess'],
        allLocations: true,
        locations: [],
      }),
    );
  });

  it('[ADM-04] edits features in two tabs, and hides those that the product does not contain', async () => {
    const { user } = await setup(buildServer(), '?new=empty');
    const countChecks = () => within(screen.getByRole('tabpanel')).getAllByRole('checkbox').length;
    expect(await screen.findByRole('tab', { name: 'Users, Import, Config', selected: true })).toBeDefined();
    // The group, user management, import and configure.
    expect(countChecks()).toBe(4);
    await user.click(screen.getByRole('tab', { name: 'Tools, Modules, Permits' }));
    // The group, VR, scan and 3D model.
    expect(countChecks()).toBe(4);
    expect(screen.queryByRole('checkbox', { name: /Permits|PID/ })).toBeNull();
    expect(screen.getByRole('region', { name: 'Dashboards' }).textContent).not.toContain('Permit dashboard');
    const group = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Tools' });
    await user.click(screen.getByRole('checkbox', { name: /^Scan/ }));
    expect(group.indeterminate).toBe(true);
    await user.click(group);
    expect([group.indeterminate, group.checked]).toEqual([false, true]);
    await user.click(group);
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^VR/ }).checked).toBe(false);
  });

  it('[ADM-04] refuses a role without features, and keeps the input', async () => {
    const server = buildServer();
    const { user } = await setup(server, '?new=empty');
    await user.type(await screen.findByLabelText(/^Role name/), 'Site staff');
    expect(screen.getByLabelText<HTMLInputElement>(/^Role ID/).value).toBe('site-staff');
    await user.click(screen.getByRole('button', { name: 'Create role' }));
    expect(await screen.findByText('Select atleast one feature to create a role')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>(/^Role name/).value).toBe('Site staff');
    expect(server.sentTo('POST /api/roles')).toHaveLength(0);
  });

  it('[ADM-03] creates a role from a template with chosen locations, and reports a taken ID at the ID field', async () => {
    const server = buildServer().on('POST /api/roles', {
      status: 409,
      body: {
        code: 'E007',
        message: 'Taken.',
        reference: 'r',
        fields: [{ pointer: '/uid', message: 'core.validation.duplicate', values: { value: 'site-staff' } }],
      },
    });
    const { user } = await setup(server, '?new=siteStaff');
    await user.click(
      await screen.findByRole('treeitem', { name: /^M/ }).then((item) => within(item).getByRole('checkbox')),
    );
    await user.click(screen.getByRole('button', { name: 'Create role' }));
    expect(await screen.findByText('Duplicate value site-staff found')).toBeDefined();
    server.on('POST /api/roles', { status: 201, body: { change: 'c1' } });
    await user.type(screen.getByLabelText(/^Role ID/), '-2');
    await user.click(screen.getByRole('button', { name: 'Create role' }));
    expect(await screen.findAllByText(/Role “Site staff” was created/)).not.toHaveLength(0);
    expect(server.sentTo('POST /api/roles').at(-1)!.body).toEqual({
      uid: 'site-staff-2',
      name: 'Site staff',
      flags: ['vrAccess', 'scanAccess', 'threeDimensionalAccess'],
      allLocations: false,
      locations: ['M'],
    });
  });

  it('names the first locations of a role, and counts the others', async () => {
    const locations = ['K1', ...Array.from({ length: 13 }, (_, index) => `gone-${index + 1}`)];
    const server = buildServer();
    server.on('GET /api/roles/:role', { status: 200, body: buildRole('a') });
    const { unmount } = await setup(server, '?role=a');
    expect(await screen.findByText('At K, with everything below.')).toBeDefined();
    unmount();
    server.on('GET /api/roles/:role', { status: 200, body: buildRole('a', { locations }) });
    await setup(server, '?role=a');
    expect(await screen.findByText(/^At K › K1, gone-1, .*gone-11 and 2 more, with everything below\.$/)).toBeDefined();
  });

  it('shows before saving which access a change removes, and keeps features that the product lacks', async () => {
    const server = buildServer()
      .on('GET /api/roles/:role', {
        status: 200,
        body: buildRole('a', { flags: ['vrAccess', 'scanAccess', 'permitAccess'] }),
      })
      .on('POST /api/roles/:role/effects', {
        status: 200,
        body: { ...noEffects, people: 3, losing: 2, flags: [{ flag: 'scanAccess', losing: 2, gaining: 0 }] },
      })
      .on('PUT /api/roles/:role', { status: 200, body: { change: 'c1' } });
    const { user } = await setup(server, '?role=a');
    await user.click(await screen.findByRole('tab', { name: 'Tools, Modules, Permits' }));
    await user.click(screen.getByRole('checkbox', { name: /^Scan/ }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(dialog.getByText('2 people lose Scan.')).toBeDefined();
    expect(server.sentTo('PUT /api/roles/:role')).toHaveLength(0);
    await user.click(dialog.getByRole('button', { name: 'Save the change' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/roles/:role')[0]?.body).toMatchObject({
        flags: ['vrAccess', 'permitAccess'],
        locations: ['K'],
        version: 3,
      }),
    );
  });

  it('keeps the input after a conflict, and overwrites the newer version on request', async () => {
    const server = buildServer()
      .on('GET /api/roles/:role', { status: 200, body: buildRole('a') })
      .on('POST /api/roles/:role/effects', { status: 200, body: noEffects })
      .on('PUT /api/roles/:role', {
        status: 409,
        body: {
          code: 'E007',
          message: 'Changed.',
          reference: 'r',
          current: buildRole('a', { name: 'Theirs', version: 4 }),
        },
      });
    const { user } = await setup(server, '?role=a');
    await user.type(await screen.findByLabelText(/^Role name/), ' mine');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText(/It is now named “Theirs”/)).toBeDefined();
    server.on('PUT /api/roles/:role', { status: 200, body: { change: 'c1' } });
    await user.click(screen.getByRole('button', { name: 'Save my values' }));
    await waitFor(() =>
      expect(server.sentTo('PUT /api/roles/:role').at(-1)?.body).toMatchObject({ name: 'Role a mine', version: 4 }),
    );
  });

  it('shows the built-in role, and roles that exceed the access of the admin, read-only', async () => {
    const server = buildServer().on('GET /api/roles/:role', {
      status: 200,
      body: buildRole('a', { flags: ['vrAccess', 'import'] }),
    });
    const { unmount } = await setup(server, '?role=a', {
      ...admin,
      access: { flags: ['configure', 'vrAccess'], locations: ['K'], deactivatedRoles: [] },
    });
    expect(await screen.findByText(/allows more than your own roles/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
    unmount();
    server.on('GET /api/roles/:role', { status: 200, body: buildRole('administrator', { builtIn: true }) });
    await setup(server, '?role=administrator');
    expect(await screen.findByText(/This role is part of the product/)).toBeDefined();
    expect(screen.getByLabelText(/^Role name/)).toHaveProperty('disabled', true);
  });

  it('[ADM-05] shows how many people lose access by a deactivation, and undoes it', async () => {
    const server = buildServer([buildRow('a')])
      .on('GET /api/roles/:role', { status: 200, body: buildRole('a') })
      .on('POST /api/roles/:role/effects', {
        status: 200,
        body: {
          ...noEffects,
          people: 12,
          losing: 9,
          flags: (['vrAccess', 'permitAccess'] as const).map((flag) => ({ flag, losing: 9, gaining: 0 })),
        },
      })
      .on('PUT /api/roles/:role/status', { status: 200, body: { change: 'c1' } })
      .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Deactivate: Role a' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText('9 users lose access; 3 keep access through other roles.')).toBeDefined();
    // The product does not contain permits.
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(['9 people lose VR.']);
    await user.click(dialog.getByRole('button', { name: 'Deactivate' }));
    expect(await screen.findAllByText(/Role “Role a” was deactivated/)).not.toHaveLength(0);
    expect(server.sentTo('PUT /api/roles/:role/status')[0]!.body).toEqual({ status: 'INACTIVE', version: 3 });
    await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
    await waitFor(() => expect(server.sentTo('POST /api/changes/:change/undo')[0]?.path).toMatch(/\/c1\/undo$/));
  });
});
