import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { personColumns } from '#core';
import type { Person, PersonChoices } from '#core/api';
import {
  buildMe,
  buildSite,
  FakeServer,
  type FakeReply,
  pretendSize,
  renderApp,
  renderScreen,
  type WebSetup,
} from '#core/testing/web';
import users from '../index.ts';
import UsersScreen from './users-screen.tsx';

const plugins = [{ id: 'users', settings: {}, web: users, bridges: [] }];
const me = buildMe({
  isAdmin: true,
  access: { flags: ['userManagement', 'import'], locations: 'ALL', deactivatedRoles: [] },
});
const role = { uid: 'staff', name: 'Staff', status: 'ACTIVE' as const };
const buildPerson = (uid: string, rest: Partial<Person> = {}): Person => ({
  uid,
  username: `${uid}@example.test`,
  name: `Person ${uid}`,
  status: 'ACTIVE',
  accountType: 'TENANT_USER',
  createdAt: '2026-11-20T08:00:00.000Z',
  invitedAt: null,
  secondFactor: false,
  userType: { uid: 'c', name: 'Contractor', frenchName: 'Prestataire' },
  section: null,
  department: null,
  division: null,
  businessUnit: null,
  roles: [{ ...role, fromGroup: false }],
  version: 3,
  ...rest,
});
const choices: PersonChoices = {
  roles: [
    { ...role, flags: ['vrAccess', 'import'], allLocations: false, locations: ['K'] },
    { uid: 'crew', name: 'Crew', status: 'ACTIVE', flags: ['vrAccess'], allLocations: false, locations: [] },
    { uid: 'gone', name: 'Gone', status: 'INACTIVE', flags: [], allLocations: false, locations: [] },
  ],
  masters: [
    { uid: 'c', type: 'USER_TYPE', name: 'Contractor', frenchName: 'Prestataire', active: true },
    { uid: 'ops', type: 'SECTION', name: 'Operations', frenchName: null, active: true },
    { uid: 'old', type: 'SECTION', name: 'Abandoned', frenchName: null, active: false },
  ],
};
const toPage = (rows: readonly Person[]) => ({
  status: 200,
  body: { total: rows.length, offset: 0, rows: [...rows] },
});
const buildServer = (rows: readonly Person[] = [buildPerson('a'), buildPerson('b', { status: 'INVITED' })]) =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: [buildSite('K')] })
    .on('GET /api/people-choices', { status: 200, body: choices })
    .on('GET /api/people', toPage(rows))
    .on('GET /api/audit', { status: 200, body: { total: 0, offset: 0, rows: [] } });

describe('user screens', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());
  const show = (server: FakeServer, address = '/admin/console/user-list', rest: WebSetup = {}) =>
    renderScreen(<UsersScreen />, { plugins, server, me, url: address, ...rest });

  describe('the list', () => {
    it('[ADM-01] [RTE-10:user-list] shows people, filters by status and role, and sorts by columns', async () => {
      const server = buildServer();
      const { user } = await renderApp({ plugins, server, me, url: '/admin/console/user-list' });
      const [, first, second] = await screen.findAllByRole('row');
      expect(first!.textContent).toMatch(/Person a.*a@example\.test.*Active.*Contractor.*Staff.*Nov 20, 2026/);
      expect(second!.textContent).toMatch(/Invited/);
      await user.selectOptions(screen.getByLabelText('Status'), 'Inactive');
      await user.selectOptions(screen.getByLabelText('Role'), 'Staff');
      await user.type(screen.getByLabelText('Name or email'), 'ann');
      await user.click(within(screen.getByRole('columnheader', { name: 'Email' })).getByRole('button'));
      await waitFor(() =>
        expect(Object.fromEntries(server.sentTo('GET /api/people').at(-1)!.query)).toMatchObject({
          status: 'INACTIVE',
          role: 'staff',
          text: 'ann',
          sort: 'username',
          direction: 'ascending',
        }),
      );
    });

    it('[ADM-01] shows that it loads, and then the values of all columns', async () => {
      localStorage.setItem(`walkdown.users.columns.${me.uid}`, JSON.stringify(personColumns));
      const toMaster = (name: string) => ({ uid: name, name, frenchName: null });
      const person = buildPerson('a', {
        section: toMaster('Operations'),
        department: toMaster('Production'),
        division: toMaster('Offshore'),
        businessUnit: toMaster('Energy'),
      });
      let sendReply: (reply: FakeReply) => void = () => undefined;
      const server = buildServer().on('GET /api/people', () => new Promise((resolve) => (sendReply = resolve)));
      await show(server);
      expect(await screen.findByLabelText('Loading')).toBeDefined();
      expect(screen.queryByRole('row')).toBeNull();
      await act(async () => sendReply(toPage([person])));
      const [, row] = await screen.findAllByRole('row');
      expect(screen.queryByLabelText('Loading')).toBeNull();
      const cells = within(row!).getAllByRole('gridcell');
      const titles = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
      expect(titles.map((title, index) => [title, cells[index]!.textContent]).slice(1)).toEqual([
        ['Name', 'Person a'],
        ['Email', 'a@example.test'],
        ['Status', 'Active'],
        ['User type', 'Contractor'],
        ['Account type', 'User'],
        ['Created', expect.stringMatching(/^Nov 20, 2026/)],
        ['Section', 'Operations'],
        ['Department', 'Production'],
        ['Division', 'Offshore'],
        ['Business unit', 'Energy'],
        ['Roles', 'Staff'],
      ]);
    });

    it('[ADM-01] requests all people, or only active or inactive ones', async () => {
      const server = buildServer();
      const { user } = await show(server);
      const status = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Status' });
      expect([...status.options].map(({ text }) => text)).toEqual(['All', 'Active', 'Inactive']);
      const readRequest = () => server.sentTo('GET /api/people').at(-1)!.query.get('status');
      await screen.findAllByRole('row');
      expect([status.value, readRequest()]).toEqual(['ALL', null]);
      for (const [option, value] of [
        ['Active', 'ACTIVE'],
        ['Inactive', 'INACTIVE'],
        ['All', null],
      ] as const) {
        await user.selectOptions(status, option);
        await waitFor(() => expect(readRequest()).toBe(value));
      }
    });

    it('[ADM-01] [ANA-04:users] shows a failure, and after a retry an empty list', async () => {
      const failedReply = { status: 500, body: { code: 'E000', message: 'x', reference: 'r' } };
      const server = buildServer().on('GET /api/people', failedReply);
      const { user } = await show(server);
      expect(await screen.findByText('FAILED TO LOAD')).toBeDefined();
      server.on('GET /api/people', toPage([]));
      await user.click(screen.getByRole('button', { name: 'Try again' }));
      expect(await screen.findByText('No users found')).toBeDefined();
    });

    it('[ACC-02:user-list] refuses people without userManagement', async () => {
      const otherPerson = buildMe({
        isAdmin: true,
        access: { flags: ['configure'], locations: 'ALL', deactivatedRoles: [] },
      });
      const server = buildServer();
      await renderApp({ plugins, server, me: otherPerson, url: '/admin/console/user-list' });
      expect(await screen.findByText(/You do not have access/)).toBeDefined();
      expect(server.sentTo('GET /api/people')).toEqual([]);
    });

    it('remembers the chosen columns in this browser', async () => {
      const first = await show(buildServer());
      await screen.findAllByRole('row');
      await first.user.click(screen.getByRole('button', { name: 'Columns' }));
      await first.user.click(await screen.findByRole('checkbox', { name: 'Section' }));
      await first.user.keyboard('{Escape}');
      expect(await screen.findByRole('columnheader', { name: 'Section' })).toBeDefined();
      first.unmount();
      await show(buildServer());
      expect(await screen.findByRole('columnheader', { name: 'Section' })).toBeDefined();
    });

    it('deactivates several people after a confirmation, and undoes it', async () => {
      const server = buildServer()
        .on('POST /api/people/status', { status: 200, body: { change: 'c1' } })
        .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c2' } });
      const { user } = await show(server);
      await user.click(await screen.findByRole('checkbox', { name: 'Select Person a' }));
      await user.click(screen.getByRole('checkbox', { name: 'Select Person b' }));
      await user.click(screen.getByRole('button', { name: 'Deactivate' }));
      await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Deactivate' }));
      expect((await screen.findAllByText(/2 users were deactivated/)).length).toBeGreaterThan(0);
      expect(server.sentTo('POST /api/people/status')[0]!.body).toEqual({ people: ['a', 'b'], status: 'INACTIVE' });
      expect(screen.queryByText('2 selected')).toBeNull();
      await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
      expect((await screen.findAllByText(/The deactivation was undone/)).length).toBeGreaterThan(0);
    });

    it('assigns a role to the selected people', async () => {
      const server = buildServer().on('POST /api/people/roles', { status: 200, body: { change: 'c1' } });
      const { user } = await show(server);
      await user.click(await screen.findByRole('checkbox', { name: 'Select Person a' }));
      await user.click(screen.getByRole('button', { name: 'Assign role' }));
      const dialog = within(await screen.findByRole('dialog'));
      expect(dialog.queryByRole('option', { name: 'Gone' })).toBeNull();
      await user.selectOptions(dialog.getByLabelText(/^Role/), 'Crew');
      await user.click(dialog.getByRole('button', { name: 'Assign role' }));
      await waitFor(() =>
        expect(server.sentTo('POST /api/people/roles')[0]!.body).toEqual({ people: ['a'], role: 'crew' }),
      );
    });

    it('[IMP-08:user-list] sends filter, language and day with the export', async () => {
      const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
      const server = buildServer().on('POST /api/users/export', {
        status: 200,
        body: { address: '/api/files/x', name: 'USER_LIST_20261126.xlsx' },
      });
      const { user } = await show(server, '/admin/console/user-list?status=ACTIVE');
      await user.click(await screen.findByRole('button', { name: 'Export list' }));
      await waitFor(() => expect(click).toHaveBeenCalled());
      expect(server.sentTo('POST /api/users/export')[0]!.body).toMatchObject({
        status: 'ACTIVE',
        language: 'en',
        day: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) as string,
      });
    });
  });

  describe('the form', () => {
    const edit = '/admin/console/user?person=a';

    it('[ADM-02] [RTE-10:user] invites a new person', async () => {
      const server = buildServer()
        .on('POST /api/people', { status: 201, body: { change: 'c1' } })
        .on('GET /api/people/:person', { status: 200, body: buildPerson('n') });
      const { user } = await renderApp({ plugins, server, me, url: '/admin/console/user' });
      await user.click(await screen.findByRole('button', { name: 'Invite' }));
      expect(server.sentTo('POST /api/people')).toEqual([]);
      await user.type(screen.getByLabelText(/^Name/), 'Anna Berg');
      await user.type(screen.getByLabelText(/^Email/), 'anna@example.test');
      expect(screen.queryByRole('option', { name: 'Abandoned' })).toBeNull();
      await user.selectOptions(screen.getByLabelText('Section'), 'Operations');
      await user.click(screen.getByRole('checkbox', { name: 'Crew' }));
      await user.click(screen.getByRole('button', { name: 'Invite' }));
      await waitFor(() =>
        expect(server.sentTo('POST /api/people').at(-1)?.body).toEqual({
          uid: expect.any(String) as string,
          username: 'anna@example.test',
          name: 'Anna Berg',
          accountType: 'TENANT_USER',
          userType: null,
          section: 'ops',
          department: null,
          division: null,
          businessUnit: null,
          roles: ['crew'],
        }),
      );
      expect(await screen.findByRole('heading', { level: 1, name: 'Person n' })).toBeDefined();
    });

    it('[ADM-02] shows before saving which access the person loses', async () => {
      const server = buildServer()
        .on('GET /api/people/:person', { status: 200, body: buildPerson('a', { accountType: 'TENANT_ADMIN' }) })
        .on('PUT /api/people/:person', { status: 200, body: { change: 'c1' } });
      const { user } = await show(server, edit);
      await user.click(await screen.findByRole('checkbox', { name: 'Staff' }));
      await user.click(screen.getByRole('checkbox', { name: 'Crew' }));
      await user.selectOptions(screen.getByLabelText('Account type'), 'User');
      const lossNotice = within((await screen.findByText('With these values the person loses:')).parentElement!);
      expect(lossNotice.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
        'The admin area',
        'Imports',
        'The location “K”',
      ]);
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() =>
        expect(server.sentTo('PUT /api/people/:person')[0]?.body).toMatchObject({
          version: 3,
          roles: ['crew'],
          accountType: 'TENANT_USER',
          status: 'ACTIVE',
        }),
      );
      expect((await screen.findAllByText(/“Person a” was changed/)).length).toBeGreaterThan(0);
    });

    it('keeps the input after a conflict, and overwrites the newer version', async () => {
      const theirPerson = buildPerson('a', { name: 'Theirs', version: 9 });
      const body = { code: 'E007', message: 'Changed.', reference: 'r', current: theirPerson };
      const server = buildServer()
        .on('GET /api/people/:person', { status: 200, body: buildPerson('a') })
        .on('PUT /api/people/:person', { status: 409, body });
      const { user } = await show(server, edit);
      await user.type(await screen.findByLabelText(/^Name/), '!');
      await user.click(screen.getByRole('button', { name: 'Save' }));
      expect(await screen.findByText(/changed this person meanwhile: Theirs/)).toBeDefined();
      server.on('PUT /api/people/:person', { status: 200, body: { change: 'c1' } });
      await user.click(screen.getByRole('button', { name: 'Save my values' }));
      await waitFor(() =>
        expect(server.sentTo('PUT /api/people/:person')[1]?.body).toMatchObject({ name: 'Person a!', version: 9 }),
      );
    });

    it('resends an invitation, and lists sign-ins', async () => {
      const server = buildServer()
        .on('GET /api/people/:person', {
          status: 200,
          body: buildPerson('a', { status: 'INVITED', invitedAt: '2026-11-20T08:00:00.000Z' }),
        })
        .on('POST /api/people/:person/invitation', { status: 200, body: {} })
        .on('GET /api/audit', {
          status: 200,
          body: {
            total: 1,
            offset: 0,
            rows: [
              {
                id: '1',
                at: '2026-11-21T08:00:00.000Z',
                actor: null,
                action: 'signIn.refused',
                subject: 'a',
                name: null,
                location: null,
                details: { device: 'Firefox', address: '192.0.2.1' },
                change: null,
              },
            ],
          },
        });
      const { user } = await show(server, edit);
      expect((await screen.findByText('Refused sign-in')).closest('li')!.textContent).toMatch(/Firefox, 192\.0\.2\.1/);
      expect(Object.fromEntries(server.sentTo('GET /api/audit')[0]!.query)).toMatchObject({
        area: 'SIGN_IN',
        subject: 'a',
      });
      await user.click(screen.getByRole('button', { name: 'Send invitation again' }));
      expect(await screen.findByText('The invitation was sent.')).toBeDefined();
    });

    it('shows roles from groups of the identity provider, removes them and assigns them manually', async () => {
      const server = buildServer()
        .on('GET /api/people/:person', {
          status: 200,
          body: buildPerson('a', {
            roles: [
              { ...role, fromGroup: true },
              { uid: 'crew', name: 'Crew', status: 'ACTIVE', fromGroup: true },
            ],
          }),
        })
        .on('PUT /api/people/:person', { status: 200, body: { change: 'c1' } });
      const { user } = await show(server, edit);
      const box = await screen.findByRole<HTMLInputElement>('checkbox', { name: /^Staff \(from a group/ });
      expect([box.checked, screen.getByRole<HTMLInputElement>('checkbox', { name: 'Staff' }).checked]).toEqual([
        true,
        false,
      ]);
      expect(screen.getByText(/returns at the next login/)).toBeDefined();
      await user.click(box);
      await user.click(screen.getByRole('checkbox', { name: 'Crew' }));
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() =>
        expect(server.sentTo('PUT /api/people/:person')[0]?.body).toMatchObject({
          roles: ['crew'],
          removedGroupRoles: [role.uid],
        }),
      );
    });

    it('[SEC-03] resets a second factor after a confirmation', async () => {
      const server = buildServer()
        .on('GET /api/people/:person', { status: 200, body: buildPerson('a', { secondFactor: true }) })
        .on('POST /api/people/:person/second-factor/reset', { status: 200, body: {} });
      const { user } = await show(server, edit);
      await user.click(await screen.findByRole('button', { name: 'Reset second factor' }));
      const dialog = within(await screen.findByRole('alertdialog'));
      expect(dialog.getByText('Reset the second factor of Person a?')).toBeDefined();
      server.on('GET /api/people/:person', { status: 200, body: buildPerson('a') });
      await user.click(dialog.getByRole('button', { name: 'Reset second factor' }));
      await waitFor(() => expect(screen.queryByRole('button', { name: 'Reset second factor' })).toBeNull());
      expect(server.sentTo('POST /api/people/:person/second-factor/reset')).toHaveLength(1);
    });
  });
});
