import { screen } from '@testing-library/react';
import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import { describe, expect, it, vi } from 'vitest';
import { basePath, cookieNames, sessionChannelName, storageKeys } from '#core';
import { BrowserStorage, HttpClient, Notifications, Session, useService, useText } from '#core/web';
import { buildMe, buildProduct, FakeServer, renderScreen, createWebHarness, type WebHarness } from '#core/testing/web';

const refusedReply = { status: 401, body: { code: 'E005', message: 'The token is expired.', reference: 'r' } };
const expiredText =
  'Your session has expired. Please click Login to login again in a new tab. On successful login you can come back ' +
  'to this tab and continue your work.';

function readNotices({ core }: WebHarness) {
  return core.notifications.notices.map(({ message, area, kind, action, dismissable }) => ({
    text: core.i18n.text(message),
    area,
    kind,
    href: action?.href,
    newTab: action?.newTab,
    label: action && core.i18n.text(action.label),
    dismissable,
  }));
}

/** A server that refuses every token and renewal. */
function createRefusingServer(): FakeServer {
  return new FakeServer().on('GET /api/thing', refusedReply).on('POST /auth/pub/user/token/renew', refusedReply);
}

async function openExpired(setup: Parameters<typeof createWebHarness>[0] = {}): Promise<WebHarness> {
  const harness = await createWebHarness({ server: createRefusingServer(), ...setup });
  await harness.core.i18n.loadAllMessages(['core']);
  void harness.core.host.root
    .get(HttpClient)
    .raw({ url: '/api/thing' })
    .catch(() => undefined);
  await vi.waitFor(() => expect(harness.core.session.state).toBe('expired'));
  return harness;
}

/** Messages that other tabs receive, over a real BroadcastChannel. */
function openOtherTab() {
  const channel = new BroadcastChannel(sessionChannelName);
  const receivedMessages: { readonly type: string }[] = [];
  channel.addEventListener('message', (event: MessageEvent<{ readonly type: string }>) =>
    receivedMessages.push(event.data),
  );
  return {
    received: receivedMessages,
    post: (message: object) => channel.postMessage(message),
    close: () => channel.close(),
  };
}

describe('expired session', () => {
  it('[SES-08] [SES-11] shows a red banner with the specified text, whose login link opens a new tab', async () => {
    const harness = await openExpired();
    expect(readNotices(harness)).toEqual([
      {
        text: expiredText,
        area: 'top',
        kind: 'error',
        href: `${basePath}/login`,
        newTab: true,
        label: 'Login',
        dismissable: false,
      },
    ]);
  });

  it('[SES-08] links admins to the admin login, and everybody to the configured logout URL', async () => {
    expect(readNotices(await openExpired({ me: buildMe({ isAdmin: true }) }))[0]?.href).toBe(`${basePath}/adminlogin`);
    const product = buildProduct({
      login: { type: 'AD', providers: [], logoutAddress: 'https://sso.example.com/out' },
    });
    expect(readNotices(await openExpired({ product }))[0]?.href).toBe('https://sso.example.com/out');
  });

  it('[SES-06] shows "Failed to renew token" if the renewal returns no access token', async () => {
    const harness = await openExpired({
      server: createRefusingServer().on('POST /auth/pub/user/token/renew', {
        status: 200,
        body: {},
        isMalformed: true,
      }),
    });
    expect(readNotices(harness).map(({ text }) => text)).toEqual([expiredText, 'Failed to renew token']);
  });

  it('[SES-07] sends TOKEN_INVALID to other tabs over a real channel', async () => {
    const otherTab = openOtherTab();
    await openExpired();
    await vi.waitFor(() => expect(otherTab.received.map(({ type }) => type)).toContain('TOKEN_INVALID'));
    otherTab.close();
  });

  it('[SES-08] [SES-10] keeps unsaved input through TOKEN_INVALID and TOKEN_VALID', async () => {
    const server = new FakeServer().on('POST /api/thing', ({ token, body }) =>
      token === 'new' ? { status: 200, body } : refusedReply,
    );
    server.on('POST /auth/pub/user/token/renew', refusedReply);
    const Form = observer(function Form() {
      const http = useService(HttpClient);
      const t = useText();
      const { notices: visibleNotices } = useService(Notifications);
      const [saved, setSaved] = useState('');
      return (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const note = new FormData(event.currentTarget).get('note');
            void http
              .raw<{ readonly note: string }>({ method: 'POST', url: '/api/thing', data: { note } })
              .then((reply) => setSaved(reply.note));
          }}
        >
          {visibleNotices.map(({ id, message }) => (
            <p key={id} role="alert">
              {t(message)}
            </p>
          ))}
          <input name="note" aria-label="note" />
          <button type="submit">save</button>
          <output>{saved}</output>
        </form>
      );
    });
    const harness = await renderScreen(<Form />, { server });
    await harness.user.type(screen.getByLabelText('note'), 'valve 4 leaks');
    await harness.user.click(screen.getByText('save'));
    expect((await screen.findByRole('alert')).textContent).toBe(expiredText);

    const otherTab = openOtherTab();
    const now = Date.now() + 1;
    otherTab.post({
      type: 'TOKEN_VALID',
      token: {
        accessToken: 'new',
        username: 'ada@example.com',
        isAdmin: false,
        issuedAt: now,
        expiresAt: now + 50_000,
      },
    });
    expect(await screen.findByText('valve 4 leaks')).toBeDefined();
    expect(screen.queryByRole('alert')).toBeNull();
    expect((screen.getByLabelText('note') as HTMLInputElement).value).toBe('valve 4 leaks');
    otherTab.close();
  });
});

describe('logout', () => {
  it('[SES-17] [SES-12] informs server and tabs, clears storage, and opens the login', async () => {
    const server = new FakeServer().on('POST /auth/pub/user/logout', { status: 200, body: {} });
    const harness = await createWebHarness({ server });
    document.cookie = `${cookieNames.username}=ada@example.com; Path=/`;
    localStorage.setItem('foreign', '1');
    const otherTab = openOtherTab();
    await harness.core.session.logout();
    expect(server.sentTo('POST /auth/pub/user/logout')).toHaveLength(1);
    expect(harness.page.opened).toEqual(['/login']);
    expect(harness.core.session.me).toBeUndefined();
    expect(Object.keys(localStorage)).toEqual(['foreign']);
    expect(document.cookie).not.toContain('ada');
    await vi.waitFor(() => expect(otherTab.received.map(({ type }) => type)).toEqual(['LOGOUT']));
    otherTab.close();
  });

  it('[SES-17] ends this session after a logout in another tab', async () => {
    const harness = await createWebHarness();
    harness.core.host.root.get(BrowserStorage).set(storageKeys.tourSession, { location: 'x' });
    const otherTab = openOtherTab();
    otherTab.post({ type: 'LOGOUT' });
    await vi.waitFor(() => expect(harness.page.opened).toEqual(['/login']));
    expect([harness.core.session.state, sessionStorage.length]).toEqual(['signedOut', 0]);
    otherTab.close();
  });

  it('[SES-14] opens the logout URL for a deactivated account, else the user or admin login', async () => {
    const server = () => new FakeServer().on('POST /auth/pub/user/logout', { status: 200, body: {} });
    const person = await createWebHarness({ server: server() });
    await person.core.session.logout({ error: 'userData' });
    expect(person.page.opened).toEqual(['/login?error=userData']);
    const admin = await createWebHarness({ server: server(), me: buildMe({ isAdmin: true }) });
    await admin.core.session.logout({ error: 'userData' });
    expect(admin.page.opened).toEqual(['/adminlogin']);
    const secondHarness = await createWebHarness({
      server: server(),
      product: buildProduct({ login: { type: 'AD', providers: [], logoutAddress: 'https://sso.example.com/out' } }),
    });
    await secondHarness.core.session.logout({ error: 'userData' });
    expect(secondHarness.page.externalUrls).toEqual(['https://sso.example.com/out']);
  });

  it('opens the login if the server is unreachable, and does not resume the session', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    document.cookie = `${cookieNames.username}=ada@example.com; Path=/`;
    const harness = await createWebHarness({
      server: new FakeServer().on('POST /auth/pub/user/logout', { status: 503 }),
    });
    await harness.core.session.logout();
    expect(harness.page.opened).toEqual(['/login']);
    const nextHarness = await createWebHarness({ me: null });
    await expect(nextHarness.core.session.resume()).resolves.toBe(false);
    expect(nextHarness.server.requests).toEqual([]);
  });
});

describe('session', () => {
  it('[SES-09] reloads the page after RELOAD of another tab', async () => {
    const harness = await createWebHarness();
    const otherTab = openOtherTab();
    otherTab.post({ type: 'RELOAD' });
    await vi.waitFor(() => expect(harness.page.reloads).toBe(1));
    otherTab.close();
  });

  it('[SES-07] asks the other tabs to reload', async () => {
    const harness = await createWebHarness();
    const otherTab = openOtherTab();
    harness.core.session.reloadAll();
    await vi.waitFor(() => expect(otherTab.received.map(({ type }) => type)).toEqual(['RELOAD']));
    expect(harness.page.reloads).toBe(1);
    otherTab.close();
  });

  it('[SES-07] opens home after a LOGIN of another person and clears the data of the first', async () => {
    const harness = await createWebHarness();
    const otherTab = openOtherTab();
    const now = Date.now();
    otherTab.post({
      type: 'LOGIN',
      token: { accessToken: 'b', username: 'bob@example.com', isAdmin: false, issuedAt: now, expiresAt: now + 1000 },
    });
    await vi.waitFor(() => expect(harness.page.opened).toEqual(['/console/home']));
    expect([harness.core.session.me, localStorage.length]).toEqual([undefined, 0]);
    otherTab.close();
  });

  it('[SES-12] stores the keys of the specification, and no token', async () => {
    await createWebHarness({
      me: buildMe({
        access: { flags: ['import'], locations: ['l-1'], deactivatedRoles: [] },
        preferences: { language: 'fr' },
      }),
    });
    const storedValues = Object.fromEntries(
      Object.keys(localStorage).map((key) => [key, JSON.parse(localStorage.getItem(key) ?? '') as unknown]),
    );
    expect(storedValues).toMatchObject({
      'walkdown.userData': { email: 'ada@example.com', isAdmin: false },
      'walkdown.accessControl': { flags: ['import'] },
      'walkdown.customization': { language: 'fr' },
      'walkdown.allowedLocations': ['l-1'],
      'walkdown.loginSession': { username: 'ada@example.com' },
    });
    expect(JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie).not.toContain('test-token');
  });

  it('[SES-12] stores the keys of a tab in its session storage', async () => {
    const { core } = await createWebHarness();
    const storage = core.host.root.get(BrowserStorage);
    for (const key of [storageKeys.tourSession, storageKeys.tourCategory, storageKeys.modelView])
      storage.set(key, { of: key });
    expect(Object.keys(sessionStorage)).toHaveLength(3);
    expect(storage.get(storageKeys.tourSession)).toEqual({ of: 'tourSession' });
  });

  it('reports values that another tab has changed or cleared', async () => {
    const { core } = await createWebHarness();
    const listener = vi.fn();
    const changeInOtherTab = (key: string | null, storageArea: Storage = localStorage): void =>
      void window.dispatchEvent(new StorageEvent('storage', { key, storageArea }));
    const stop = core.host.root.get(BrowserStorage).onChange('outbox', listener);
    changeInOtherTab('walkdown.other');
    changeInOtherTab('walkdown.outbox', sessionStorage);
    expect(listener).not.toHaveBeenCalled();
    changeInOtherTab('walkdown.outbox');
    changeInOtherTab(null);
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    changeInOtherTab('walkdown.outbox');
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('saves and applies preferences', async () => {
    const server = new FakeServer().on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
    const { core } = await createWebHarness({ server });
    await core.host.root.get(Session).savePreferences({ theme: 'dark' });
    expect(core.session.me?.preferences).toEqual({ theme: 'dark' });
    await vi.waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
  });
});
