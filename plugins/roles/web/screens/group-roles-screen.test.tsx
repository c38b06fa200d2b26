import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GroupRole, GroupRoleChoices } from '#core/api';
import { buildMe, buildProduct, FakeServer, pretendSize, renderScreen } from '#core/testing/web';
import roles from '../index.ts';
import GroupRolesScreen from './group-roles-screen.tsx';

const plugins = [{ id: 'roles', settings: {}, web: roles, bridges: [] }];
const me = buildMe({ isAdmin: true, userType: 'TENANT_ADMIN' });
const product = buildProduct({ login: { type: 'AD', providers: [{ id: 'first', label: 'Company account' }] } });
const address = '/admin/console/role-groups';
const crew: GroupRole = {
  uid: 'g1',
  provider: 'first',
  group: 'plant-crew',
  role: { uid: 'crew', name: 'Crew', status: 'ACTIVE' },
};
const choices: GroupRoleChoices = {
  providers: [{ id: 'first', claim: 'groups' }],
  roles: [{ uid: 'crew', name: 'Crew' }],
};
const toPage = (rows: readonly GroupRole[]) => ({
  status: 200,
  body: { total: rows.length, offset: 0, rows: [...rows] },
});
const buildServer = (rows: readonly GroupRole[], groupChoices = choices) =>
  new FakeServer()
    .on('GET /api/group-roles', toPage(rows))
    .on('GET /api/group-role-choices', { status: 200, body: groupChoices });

describe('GroupRolesScreen', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());

  it('assigns a role to a group, removes it, and undoes the removal', async () => {
    const server = buildServer([]).on('POST /api/group-roles', { status: 201, body: { change: 'c1' } });
    const { user } = await renderScreen(<GroupRolesScreen />, { plugins, server, me, product, url: address });
    expect(await screen.findByText('Company account: groups', { exact: false })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Add a group' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.type(dialog.getByLabelText(/^Group/), ' plant-crew ');
    await user.selectOptions(dialog.getByLabelText(/^Role/), 'crew');
    server.on('GET /api/group-roles', toPage([crew]));
    await user.click(dialog.getByRole('button', { name: 'Add a group' }));
    await screen.findAllByText('“plant-crew” gives the role “Crew”.');
    expect(server.sentTo('POST /api/group-roles')[0]?.body).toMatchObject({
      provider: 'first',
      group: 'plant-crew',
      role: 'crew',
    });
    server
      .on('POST /api/group-roles/:groupRole/delete', { status: 200, body: { change: 'c2' } })
      .on('POST /api/changes/:change/undo', { status: 200, body: { change: 'c3' } });
    await user.click(await screen.findByRole('button', { name: 'Remove “Crew” from “plant-crew”' }));
    await screen.findAllByText('“plant-crew” no longer gives the role “Crew”.');
    await user.click(screen.getAllByRole('button', { name: 'Undo' })[0]!);
    await waitFor(() => expect(server.sentTo('POST /api/changes/:change/undo')[0]?.path).toMatch(/\/c2\/undo$/));
  });

  it('explains the missing configuration if no provider has a claim for groups', async () => {
    const server = buildServer([], { ...choices, providers: [{ id: 'first', claim: null }] });
    await renderScreen(<GroupRolesScreen />, { plugins, server, me, product, url: address });
    expect(await screen.findByText(/WALKDOWN_OIDC_FIRST_GROUPS_CLAIM/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Add a group' }).getAttribute('aria-disabled')).toBe('true');
  });
});
