import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { OwnSession } from '#core/api';
import { buildMe, buildProduct, FakeServer, renderApp, renderScreen, type WebSetup } from '#core/testing/web';
import account from '../index.ts';
import SettingsScreen from './settings-screen.tsx';

const plugins = [{ id: 'account', settings: {}, web: account, bridges: [] }];
const bravo = [{ uid: 'b', name: 'Bravo', label: '', parent: null, root: 'b', locationType: 'PRIMARY_LOCATION' }];
const buildSession = (id: string, rest: Partial<OwnSession> = {}): OwnSession => ({
  id,
  device: `Firefox ${id}`,
  address: '192.0.2.1',
  createdAt: '2026-11-20T08:00:00.000Z',
  lastUsedAt: '2026-11-20T09:00:00.000Z',
  current: false,
  ...rest,
});
const buildServer = () =>
  new FakeServer()
    .on('GET /api/locations', { status: 200, body: bravo })
    .on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }))
    .on('PUT /api/me', ({ body }) => ({ status: 200, body: buildMe(body as { name: string }) }))
    .on('PUT /api/me/password', { status: 200, body: {} })
    .on('GET /api/me/second-factor', {
      status: 200,
      body: { available: true, required: false, since: null, recoveryCodesLeft: 0 },
    })
    .on('GET /api/me/sessions', { status: 200, body: [buildSession('now', { current: true }), buildSession('old')] });
const show = (setup: WebSetup = {}) =>
  renderScreen(<SettingsScreen />, { plugins, server: buildServer(), url: '/console/settings', ...setup });

describe('settings', () => {
  it('[RTE-08:settings] opens at /console/settings', async () => {
    await renderApp({ plugins, server: buildServer(), url: '/console/settings' });
    expect(await screen.findByRole('heading', { level: 1, name: 'Settings' })).toBeDefined();
    expect(await screen.findByRole('region', { name: 'Defaults' })).toBeDefined();
  });

  it('[LOC-05] offers name, default location, default tool and default view, and saves changes', async () => {
    const { user, server } = await show();
    expect((await screen.findByLabelText<HTMLInputElement>(/^Name/)).value).toBe('Ada');
    await user.selectOptions(await screen.findByLabelText('Default location'), 'b');
    await waitFor(() =>
      expect(server.sentTo('PUT /api/me/preferences').at(-1)?.body).toEqual({ defaultLocation: 'b' }),
    );
    await user.selectOptions(screen.getByLabelText('Default view of the home screen'), 'list');
    await waitFor(() =>
      expect(server.sentTo('PUT /api/me/preferences').at(-1)?.body).toEqual({
        defaultLocation: 'b',
        defaultView: 'list',
      }),
    );
    expect(screen.getByLabelText('Default tool')).toBeDefined();
    await user.selectOptions(screen.getByLabelText('Default location'), '');
    await waitFor(() => expect(server.sentTo('PUT /api/me/preferences').at(-1)?.body).toEqual({ defaultView: 'list' }));
  });

  it('[SEC-04] lists the sessions of a person, and ends one session or all others', async () => {
    const { user, server } = await show();
    server
      .on('DELETE /api/me/sessions/:session', { status: 200, body: {} })
      .on('POST /api/me/sessions/end-others', { status: 200, body: { ended: 1 } });
    const section = within(await screen.findByRole('region', { name: 'Sessions' }));
    const [ownItem, otherItem] = await section.findAllByRole('listitem');
    expect(ownItem!.textContent).toMatch(/Firefox now.*192\.0\.2\.1.*This session/);
    expect(within(ownItem!).queryByRole('button')).toBeNull();
    await user.click(within(otherItem!).getByRole('button', { name: 'End the session on Firefox old' }));
    expect(await section.findByText(/must sign in again/)).toBeDefined();
    expect(server.sentTo('DELETE /api/me/sessions/:session')[0]!.path).toMatch(/\/old$/);
    server.on('GET /api/me/sessions', { status: 200, body: [buildSession('now', { current: true })] });
    await user.click(section.getByRole('button', { name: 'End all other sessions' }));
    await waitFor(() => expect(section.queryByRole('button', { name: 'End all other sessions' })).toBeNull());
    expect(server.sentTo('POST /api/me/sessions/end-others')).toHaveLength(1);
  });

  it('shows that the locations are loading, and offers a retry after a failure', async () => {
    let sendReply: (reply: { status: number; body: unknown }) => void = () => undefined;
    const server = buildServer().on('GET /api/locations', () => new Promise((resolve) => (sendReply = resolve)));
    const { user } = await show({ server, me: { ...buildMe({}), preferences: { defaultLocation: 'b' } } });
    const section = within(await screen.findByRole('region', { name: 'Defaults' }));
    expect(section.queryByLabelText('Default location')).toBeNull();
    expect(section.getByRole('progressbar', { name: 'Loading' })).toBeDefined();
    expect(section.getByLabelText('Default tool')).toBeDefined();
    sendReply({ status: 500, body: { code: 'E000', message: 'x', reference: 'r' } });
    const retryButton = await section.findByRole('button', { name: 'Try again' });
    expect(section.queryByLabelText('Default location')).toBeNull();
    server.on('GET /api/locations', { status: 200, body: bravo });
    await user.click(retryButton);
    expect((await section.findByLabelText<HTMLSelectElement>('Default location')).value).toBe('b');
  });

  it('applies language and theme immediately, and saves them for other devices', async () => {
    const { user, server } = await show();
    await user.selectOptions(await screen.findByLabelText('Language'), 'fr');
    expect(await screen.findByRole('heading', { level: 1, name: 'Paramètres' })).toBeDefined();
    await user.click(screen.getByLabelText('Sombre'));
    expect(document.documentElement.dataset.theme).toBe('dark');
    await waitFor(() =>
      expect(server.sentTo('PUT /api/me/preferences').at(-1)?.body).toEqual({ language: 'fr', theme: 'dark' }),
    );
  });

  it('shows an error at an empty name field, and saves a valid name', async () => {
    const { user, server } = await show();
    const name = await screen.findByLabelText(/^Name/);
    await user.clear(name);
    await user.click(screen.getByRole('button', { name: 'Save name' }));
    expect(screen.getByText('This is Mandatory')).toBeDefined();
    expect(document.activeElement).toBe(name);
    await user.type(name, 'Ada Lovelace');
    await user.click(screen.getByRole('button', { name: 'Save name' }));
    await waitFor(() => expect(server.sentTo('PUT /api/me')[0]?.body).toEqual({ name: 'Ada Lovelace' }));
  });

  it('requires the same new password twice, and keeps the input if the server refuses the change', async () => {
    const { user, server } = await show();
    server.on('PUT /api/me/password', {
      status: 400,
      body: {
        code: 'E002',
        message: 'x',
        reference: 'r',
        fields: [{ pointer: '/current', message: 'core.validation.currentPassword' }],
      },
    });
    await user.type(await screen.findByLabelText(/^Current password/), 'old one');
    await user.type(screen.getByLabelText(/^New password\*?$/), 'a new password');
    await user.type(screen.getByLabelText(/^Repeat new password/), 'another one');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(screen.getByText('The passwords do not match')).toBeDefined();
    expect(server.sentTo('PUT /api/me/password')).toHaveLength(0);
    await user.clear(screen.getByLabelText(/^Repeat new password/));
    await user.type(screen.getByLabelText(/^Repeat new password/), 'a new password');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText('The current password is incorrect')).toBeDefined();
    expect(screen.getByLabelText<HTMLInputElement>(/^Current password/).value).toBe('old one');
  });

  it('[SEC-02] shows the password policy, and a refusal of the server at the field', async () => {
    const { user, server } = await show();
    server.on('PUT /api/me/password', {
      status: 400,
      body: {
        code: 'E002',
        message: 'x',
        reference: 'r',
        fields: [{ pointer: '/next', message: 'core.validation.passwordPersonal' }],
      },
    });
    expect(await screen.findByText(/^At least 12 characters; not a common password/)).toBeDefined();
    await user.type(screen.getByLabelText(/^Current password/), 'old one');
    await user.type(screen.getByLabelText(/^New password\*?$/), 'too short');
    await user.type(screen.getByLabelText(/^Repeat new password/), 'too short');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(screen.getByText('Min length 12 chars')).toBeDefined();
    await user.type(screen.getByLabelText(/^New password\*?$/), ' ada lovelace');
    await user.type(screen.getByLabelText(/^Repeat new password/), ' ada lovelace');
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    expect(await screen.findByText(/^This password is only your name/)).toBeDefined();
  });

  it('shows no password fields under single sign-on', async () => {
    await show({ product: buildProduct({ login: { type: 'AD', providers: [{ id: 'first', label: 'X' }] } }) });
    expect(await screen.findByText(/log in with your company account/)).toBeDefined();
    expect(screen.queryByLabelText(/^Current password/)).toBeNull();
  });
});
