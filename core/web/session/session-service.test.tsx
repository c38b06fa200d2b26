import { screen } from '@testing-library/react';
import { useState } from 'react';
import { observer } from 'mobx-react-lite';
import { describe, expect, it, vi } from 'vitest';
import { basePath, cookieNames, sessionChannelName, storageKeys } from '#core';
import { BrowserStorage, HttpClient, Notifications, Session, useService, useText } from '#core/web';
import { buildMe, buildProduct, FakeServer, renderScreen, WebHarness, type WebStage } from '#core/testing/web';

const refused = { status: 401, body: { code: 'E005', message: 'The token is expired.', reference: 'r' } };
const expiredText =
  'Your session has expired. Please click Login to login again in a new tab. On successful login you can come back ' +
  'to this tab and continue your work.';

function notices({ core }: WebStage) {
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
function refusing(): FakeServer {
  return new FakeServer().on('GET /api/thing', refused).on('POST /auth/pub/user/token/renew', refused);
}

async function expired(setup: Parameters<typeof WebHarness>[0] = {}): Promise<WebStage> {
  const harness = await WebHarness({ server: refusing(), ...setup });
  await harness.core.i18n.prepareAll(['core']);
  void harness.core.host.root
    .get(HttpClient)
    .raw({ url: '/api/thing' })
    .catch(() => undefined);
  await vi.waitFor(() => expect(harness.core.session.state).toBe('expired'));
  return harness;
}

/** Messages that other tabs receive, over a real BroadcastChannel. */
function otherTab() {
  const channel = new BroadcastChannel(sessionChannelName);
  const received: { readonly type: string }[] = [];
  channel.addEventListener('message', (event: MessageEvent<{ readonly type: string }>) => received.push(event.data));
  return { received, post: (message: object) => channel.postMessage(message), close: () => channel.close() };
}

describe('expired session', () => {
  it('[SES-08] [SES-11] shows a red banner with the specified text, whose login link opens a new tab', async () => {
    const harness = await expired();
    expect(notices(harness)).toEqual([
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

  it('[SES-08] links admins to the admin login, and everybody to the configured logout address', async () => {
    expect(notices(await expired({ me: buildMe({ isAdmin: true }) }))[0]?.href).toBe(`${basePath}/adminlogin`);
    const product = buildProduct({
      login: { type: 'AD', providers: [], logoutAddress: 'https://sso.example.com/out' },
    });
    expect(notices(await expired({ product }))[0]?.href).toBe('https://sso.example.com/out');
  });

  it('[SES-06] says "Failed to renew token" if the renewal brings no access token', async () => {
    const harness = await expired({
      server: refusing().on('POST /auth/pub/user/token/renew', { status: 200, body: {}, isMalformed: true }),
    });
    expect(notices(harness).map(({ text }) => text)).toEqual([expiredText, 'Failed to renew token']);
  });

  it('[SES-07] sends TOKEN_INVALID to the other tabs, over a real channel', async () => {
    const other = otherTab();
    await expired();
    await vi.waitFor(() => expect(other.received.map(({ type }) => type)).toContain('TOKEN_INVALID'));
    other.close();
  });

  it('[SES-08] [SES-10] follows TOKEN_INVALID and TOKEN_VALID of another tab and keeps unsaved input', async () => {
    const server = new FakeServer().on('POST /api/thing', ({ token, body }) =>
      token === 'new' ? { status: 200, body } : refused,
    );
    server.on('POST /auth/pub/user/token/renew', refused);
    const Form = observer(function Form() {
      const http = useService(HttpClient);
      const t = useText();
      const { notices: shown } = useService(Notifications);
      const [saved, setSaved] = useState('');
      return (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const typed = new FormData(event.currentTarget).get('note');
            void http
              .raw<{ readonly note: string }>({ method: 'POST', url: '/api/thing', data: { note: typed } })
              .then(({ note }) => setSaved(note));
          }}
        >
          {shown.map(({ id, message }) => (
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

    const other = otherTab();
    const now = Date.now() + 1;
    other.post({
      type: 'TOKEN_VALID',
      tokens: {
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
    other.close();
  });
});

describe('logout', () => {
  it('[SES-17] [SES-12] informs server and tabs, clears storage, and opens the login', async () => {
    const server = new FakeServer().on('POST /auth/pub/user/logout', { status: 200, body: {} });
    const harness = await WebHarness({ server });
    document.cookie = `${cookieNames.username}=ada@example.com; Path=/`;
    localStorage.setItem('foreign', '1');
    const other = otherTab();
    await harness.core.session.logout();
    expect(server.sentTo('POST /auth/pub/user/logout')).toHaveLength(1);
    expect(harness.page.opened).toEqual(['/login']);
    expect(harness.core.session.me).toBeUndefined();
    expect(Object.keys(localStorage)).toEqual(['foreign']);
    expect(document.cookie).not.toContain('ada');
    await vi.waitFor(() => expect(other.received.map(({ type }) => type)).toEqual(['LOGOUT']));
    other.close();
  });

  it('[SES-17] ends this session after a logout in another tab', async () => {
    const harness = await WebHarness();
    harness.core.host.root.get(BrowserStorage).set(storageKeys.tourSession, { location: 'x' });
    const other = otherTab();
    other.post({ type: 'LOGOUT' });
    await vi.waitFor(() => expect(harness.page.opened).toEqual(['/login']));
    expect([harness.core.session.state, sessionStorage.length]).toEqual(['signedOut', 0]);
    other.close();
  });

  it('[SES-14] leads a deactivated account to the logout address, else to the login of its kind', async () => {
    const server = () => new FakeServer().on('POST /auth/pub/user/logout', { status: 200, body: {} });
    const person = await WebHarness({ server: server() });
    await person.core.session.logout({ error: 'userData' });
    expect(person.page.opened).toEqual(['/login?error=userData']);
    const admin = await WebHarness({ server: server(), me: buildMe({ isAdmin: true }) });
    await admin.core.session.logout({ error: 'userData' });
    expect(admin.page.opened).toEqual(['/adminlogin']);
    const elsewhere = await WebHarness({
      server: server(),
      product: buildProduct({ login: { type: 'AD', providers: [], logoutAddress: 'https://sso.example.com/out' } }),
    });
    await elsewhere.core.session.logout({ error: 'userData' });
    expect(elsewhere.page.left).toEqual(['https://sso.example.com/out']);
  });

  it('opens the login if the server is unreachable, and does not resume the session', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    document.cookie = `${cookieNames.username}=ada@example.com; Path=/`;
    const harness = await WebHarness({ server: new FakeServer().on('POST /auth/pub/user/logout', { status: 503 }) });
    await harness.core.session.logout();
    expect(harness.page.opened).toEqual(['/login']);
    const next = await WebHarness({ me: null });
    await expect(next.core.session.resume()).resolves.toBe(false);
    expect(next.server.requests).toEqual([]);
  });
});

describe('session', () => {
  it('[SES-09] reloads the page after RELOAD of another tab', async () => {
    const harness = await WebHarness();
    const other = otherTab();
    other.post({ type: 'RELOAD' });
    await vi.waitFor(() => expect(harness.page.reloads).toBe(1));
    other.close();
  });

  it('[SES-07] asks the other tabs to reload', async () => {
    const harness = await WebHarness();
    const other = otherTab();
    harness.core.session.reloadAll();
    await vi.waitFor(() => expect(other.received.map(({ type }) => type)).toEqual(['RELOAD']));
    expect(harness.page.reloads).toBe(1);
    other.close();
  });

  it('[SES-07] opens home after a LOGIN of another person and clears the data of the first', async () => {
    const harness = await WebHarness();
    const other = otherTab();
    const now = Date.now();
    other.post({
      type: 'LOGIN',
      tokens: { accessToken: 'b', username: 'bob@example.com', isAdmin: false, issuedAt: now, expiresAt: now + 1000 },
    });
    await vi.waitFor(() => expect(harness.page.opened).toEqual(['/console/home']));
    expect([harness.core.session.me, localStorage.length]).toEqual([undefined, 0]);
    other.close();
  });

  it('[SES-12] stores what the specification names, and no token', async () => {
    await WebHarness({
      me: buildMe({
        access: { flags: ['import'], locations: ['l-1'], deactivatedRoles: [] },
        preferences: { language: 'fr' },
      }),
    });
    const stored = Object.fromEntries(
      Object.keys(localStorage).map((key) => [key, JSON.parse(localStorage.getItem(key) ?? '') as unknown]),
    );
    expect(stored).toMatchObject({
      'walkdown.userData': { email: 'ada@example.com', isAdmin: false },
      'walkdown.accessControl': { flags: ['import'] },
      'walkdown.customization': { language: 'fr' },
      'walkdown.allowedLocations': ['l-1'],
      'walkdown.loginSession': { username: 'ada@example.com' },
    });
    expect(JSON.stringify({ ...localStorage, ...sessionStorage }) + document.cookie).not.toContain('test-token');
  });

  it('[SES-12] separates the storage keys of each tab', async () => {
    const { core } = await WebHarness();
    const storage = core.host.root.get(BrowserStorage);
    for (const key of [storageKeys.tourSession, storageKeys.tourCategory, storageKeys.modelView])
      storage.set(key, { of: key });
    expect(Object.keys(sessionStorage)).toHaveLength(3);
    expect(storage.get(storageKeys.tourSession)).toEqual({ of: 'tourSession' });
  });

  it('saves preferences and shows them', async () => {
    const server = new FakeServer().on('PUT /api/me/preferences', ({ body }) => ({ status: 200, body }));
    const { core } = await WebHarness({ server });
    await core.host.root.get(Session).savePreferences({ theme: 'dark' });
    expect(core.session.me?.preferences).toEqual({ theme: 'dark' });
    await vi.waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
  });
});
