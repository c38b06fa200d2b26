import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { accessFlags } from '#core';
import type { AccessExplanation, AccessRequest, OwnAccessRequest } from '#core/api';
import { buildMe, buildSite, FakeServer, pretendSize, renderApp, renderScreen } from '#core/testing/web';
import { NoAccessState } from '#core/ui';
import roles from '../index.ts';
import AccessControlScreen from './access-control-screen.tsx';

const plugins = [{ id: 'roles', settings: {}, web: roles, bridges: [] }];
const admin = buildMe({ isAdmin: true, userType: 'TENANT_ADMIN' });
const ownRequest: OwnAccessRequest = {
  uid: 'r1',
  feature: 'vrAccess',
  location: 'K',
  reason: 'Isolation of V-101',
  status: 'OPEN',
  createdAt: '2026-11-20T08:00:00.000Z',
  role: null,
  answer: null,
};
const request: AccessRequest = {
  ...ownRequest,
  person: { uid: 'jonas', name: 'Jonas', username: 'jonas@example.test' },
  answeredAt: null,
  answeredBy: null,
  version: 2,
};
const person = { ...request.person, userType: 'TENANT_USER' as const, status: 'ACTIVE' as const };

describe('AccessControlScreen', () => {
  let restoreSize: () => void;
  beforeEach(() => {
    restoreSize = pretendSize(1200, 600);
  });
  afterEach(() => restoreSize());

  const buildServer = (requests: readonly AccessRequest[] = []) =>
    new FakeServer()
      .on('GET /api/locations', { status: 200, body: [buildSite('K')] })
      .on('GET /api/access-control/people', { status: 200, body: [person] })
      .on('GET /api/access-requests', {
        status: 200,
        body: { total: requests.length, offset: 0, rows: [...requests] },
      });
  const setup = (server: FakeServer, address = '') =>
    renderScreen(<AccessControlScreen />, {
      plugins,
      server,
      me: admin,
      url: `/admin/console/access-control${address}`,
    });

  it('[RTE-10:access-control] opens for admins who manage users', async () => {
    const address = '/admin/console/access-control';
    const { unmount } = await renderApp({ plugins, server: buildServer([request]), me: admin, url: address });
    expect(await screen.findByText('Isolation of V-101')).toBeDefined();
    unmount();
    const flags = accessFlags.filter((flag) => flag !== 'userManagement');
    await renderApp({
      plugins,
      server: buildServer(),
      me: { ...admin, access: { ...admin.access, flags } },
      url: address,
    });
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/^You do not have access/);
  });

  it('[ADM-13:access-control] explains access by role, status and location', async () => {
    const explanation: AccessExplanation = {
      person,
      granted: false,
      account: true,
      feature: false,
      location: true,
      roles: [
        { uid: 'a', name: 'Crew', active: false, feature: true, location: true, through: null },
        { uid: 'b', name: 'Visitor', active: true, feature: false, location: true, through: 'K' },
      ],
    };
    const server = buildServer().on('GET /api/access-control/explanation', { status: 200, body: explanation });
    const { user } = await setup(server, '?view=explain&feature=import&location=K');
    expect(await screen.findByText('Choose a person')).toBeDefined();
    await user.click(screen.getByRole('combobox', { name: 'Person' }));
    await user.click(await screen.findByRole('option', { name: /Jonas/ }));
    expect(await screen.findByText('Jonas cannot use this: Import.')).toBeDefined();
    expect(screen.getByText('No active role has this feature.')).toBeDefined();
    const [, crew, visitor] = screen.getAllByRole('row').map(({ textContent }) => textContent);
    expect(crew).toBe('CrewRole DeactivatedYesYes, by all locations');
    expect(visitor).toMatch(/^VisitorActiveNoYes, by /);
    expect(Object.fromEntries(server.sentTo('GET /api/access-control/explanation')[0]!.query)).toEqual({
      account: 'jonas',
      feature: 'import',
      location: 'K',
    });
  });

  it('proposes the smallest sufficient role to grant a request, and declines one with a reason', async () => {
    const server = buildServer([request])
      .on('GET /api/access-requests/:request/roles', {
        status: 200,
        body: [
          { uid: 'vr', name: 'VR', flags: ['vrAccess'], allLocations: false, sufficient: true },
          { uid: 'other', name: 'Other', flags: ['import'], allLocations: true, sufficient: false },
        ],
      })
      .on('POST /api/access-requests/:request/grant', { status: 200, body: { change: 'c1' } })
      .on('POST /api/access-requests/:request/decline', { status: 200, body: { change: 'c2' } });
    const { user } = await setup(server);
    await user.click(await screen.findByRole('button', { name: 'Grant: Jonas' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByRole('radio', { name: /^VR/ })).toHaveProperty('checked', true);
    await user.click(dialog.getByRole('button', { name: 'Grant' }));
    await waitFor(() =>
      expect(server.sentTo('POST /api/access-requests/:request/grant')[0]?.body).toEqual({ role: 'vr', version: 2 }),
    );
    expect(await screen.findAllByText(/Jonas was given the access/)).not.toHaveLength(0);
    await user.click(await screen.findByRole('button', { name: 'Decline: Jonas' }));
    const form = within(await screen.findByRole('dialog'));
    await user.click(form.getByRole('button', { name: 'Decline' }));
    expect(server.sentTo('POST /api/access-requests/:request/decline')).toHaveLength(0);
    await user.type(form.getByLabelText(/^Reason/), 'Not yet');
    await user.click(form.getByRole('button', { name: 'Decline' }));
    await waitFor(() =>
      expect(server.sentTo('POST /api/access-requests/:request/decline')[0]?.body).toEqual({
        reason: 'Not yet',
        version: 2,
      }),
    );
  });

  it('names who can grant a request that exceeds the access of the admin', async () => {
    const { user } = await setup(
      buildServer([request]).on('GET /api/access-requests/:request/roles', { status: 200, body: [] }),
    );
    await user.click(await screen.findByRole('button', { name: 'Grant: Jonas' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    expect(await dialog.findByText(/User management who has the wanted access can grant the request/)).toBeTruthy();
    expect(dialog.getByRole('button', { name: 'Grant' })).toHaveProperty('disabled', true);
  });

  it('requests access from a screen without access, and shows that the request was sent', async () => {
    const server = buildServer()
      .on('GET /api/me/access-requests', { status: 200, body: [] })
      .on('POST /api/access-requests', { status: 201, body: ownRequest });
    const { user } = await renderScreen(<NoAccessState to="vrAccess" />, {
      plugins,
      server,
      url: '/console/home?location=K',
    });
    await user.click(await screen.findByRole('button', { name: 'Request access' }));
    const form = within(await screen.findByRole('dialog'));
    await user.type(form.getByLabelText(/^Reason/), 'Isolation of V-101');
    await user.click(form.getByRole('button', { name: 'Send request' }));
    expect(await screen.findByText(/^You requested access on Nov 20, 2026/)).toBeDefined();
    expect(server.sentTo('POST /api/access-requests')[0]!.body).toEqual({
      feature: 'vrAccess',
      location: 'K',
      reason: 'Isolation of V-101',
    });
    expect(screen.queryByRole('button', { name: 'Request access' })).toBeNull();
  });

  it('shows why a request was declined, and allows another request', async () => {
    const declinedRequest = { ...ownRequest, location: null, status: 'DECLINED' as const, answer: 'Not yet' };
    const server = buildServer().on('GET /api/me/access-requests', { status: 200, body: [declinedRequest] });
    await renderScreen(<NoAccessState to="vrAccess" />, { plugins, server });
    expect(await screen.findByText(/was declined: Not yet/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Request access' })).toBeDefined();
  });
});
