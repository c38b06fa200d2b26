import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { basePath, sessionChannelName, type Product } from '#core';
import type { Tokens } from '#core/api';
import { buildProduct } from '#core/testing/web';
import { boot } from './boot.ts';
import { renderSignIn } from './prerender.tsx';
import { SignInFailure } from './sign-in-failure.ts';
import type { SignInApi } from './sign-in-api.ts';
import { listSignInPaths } from './sign-in-screen.ts';
import { startSignIn } from './start.tsx';

const tokens: Tokens = {
  accessToken: 'token-1',
  refreshToken: 'cookie',
  username: 'ada@example.com',
  isAdmin: false,
  expiresIn: 600,
};
const failing = async () => {
  throw new SignInFailure('core.signIn.failed.credentials');
};
const buildApi = (changes: Partial<SignInApi> = {}): SignInApi => ({
  login: async () => tokens,
  callSecondFactor: failing,
  renew: failing,
  startSignOn: failing,
  exchangeCode: failing,
  register: failing,
  activate: failing,
  requestReset: failing,
  resetPassword: failing,
  resendCode: failing,
  loadContent: failing,
  ...changes,
});

const channels: BroadcastChannel[] = [];
/** Another tab of the same browser. */
function openOtherTab() {
  const channel = new BroadcastChannel(sessionChannelName);
  channels.push(channel);
  const receivedMessages: unknown[] = [];
  channel.addEventListener('message', (event) => receivedMessages.push(event.data));
  return { received: receivedMessages, post: (message: object) => channel.postMessage(message) };
}

/** Loads the page as the server sends it and runs its first script. */
async function loadPage(path: string, product: Product = buildProduct()): Promise<void> {
  history.replaceState(null, '', basePath + path);
  document.body.innerHTML = (await renderSignIn(product)).html;
  boot({ basePath, languages: product.languages, screens: listSignInPaths(product) });
}

async function startPage(product: Product, fakeApi: SignInApi) {
  const openedUrls: string[] = [];
  await act(async () => startSignIn(product, { api: fakeApi, leave: (url) => openedUrls.push(url) }));
  return { openedUrls, user: userEvent.setup() };
}

let errors: unknown[] = [];
beforeEach(() => {
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      matches: false,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
  errors = [];
  vi.spyOn(console, 'error').mockImplementation((...args) => errors.push(args));
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
});
afterEach(() => {
  for (const channel of channels.splice(0)) channel.close();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
  for (const name of ['username', 'isAdmin']) document.cookie = `${name}=; Path=/; Max-Age=0`;
  delete document.documentElement.dataset['resuming'];
  document.onsubmit = document.oninput = null;
  document.documentElement.lang = 'en';
});

describe('sign-in page', () => {
  it('keeps input from before hydration, without hydration warnings', async () => {
    await loadPage('/login');
    const before = screen.getByLabelText<HTMLInputElement>('Email');
    before.value = 'ada@exam';
    const { user } = await startPage(buildProduct(), buildApi());
    const after = screen.getByLabelText<HTMLInputElement>('Email');
    expect(after).toBe(before);
    await user.type(after, 'ple.com');
    expect(after.value).toBe('ada@example.com');
    expect(errors).toEqual([]);
  });

  it('repeats a submission from before hydration once', async () => {
    await loadPage('/login');
    screen.getByLabelText<HTMLInputElement>('Email').value = 'ada@example.com';
    screen.getByLabelText<HTMLInputElement>('Password').value = 'secret';
    screen.getByRole('button', { name: 'Log in' }).click();
    const login = vi.fn(failing);
    const { user } = await startPage(buildProduct(), buildApi({ login }));
    expect(await screen.findByText('Invalid credentials. Please check again')).toBeTruthy();
    expect(login.mock.calls).toEqual([['ada@example.com', 'secret', false]]);
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }));
    await user.click(screen.getByRole('link', { name: 'Back to log in' }));
    expect(login).toHaveBeenCalledOnce();
    expect(errors).toEqual([]);
  });

  it('hydrates in the prerendered language', async () => {
    document.cookie = 'language=fr; Path=/';
    await loadPage('/adminlogin?next=/admin/console/users');
    await startPage(buildProduct(), buildApi());
    expect(screen.getByRole('heading', { name: 'Connexion administrateur' })).toBeTruthy();
    expect(errors).toEqual([]);
    document.cookie = 'language=; Path=/; Max-Age=0';
  });

  it('renders a page that was not prerendered', async () => {
    history.replaceState(null, '', `${basePath}/login`);
    document.body.innerHTML = '<div id="root"></div>';
    await startPage(buildProduct(), buildApi());
    expect(screen.getByLabelText('Password')).toBeTruthy();
  });

  it('[SES-07] [RTE-16] sends the token to other tabs and opens the requested URL', async () => {
    const otherTab = openOtherTab();
    await loadPage('/login?next=/console/tour/a1%3Fpan%3D12');
    const { openedUrls, user } = await startPage(buildProduct(), buildApi());
    await user.type(screen.getByLabelText('Email'), 'ada@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await waitFor(() => expect(openedUrls).toEqual([`${basePath}/console/tour/a1?pan=12`]));
    await waitFor(() => expect(otherTab.received).toHaveLength(2));
    expect(otherTab.received).toMatchObject([
      { type: 'LOGIN', token: { accessToken: 'token-1', username: 'ada@example.com', isAdmin: false } },
      { type: 'TOKEN_VALID', token: { accessToken: 'token-1' } },
    ]);
    expect(screen.getByRole('button', { name: 'Logging in' })).toBeTruthy();
  });

  it('resumes a valid session', async () => {
    const otherTab = openOtherTab();
    document.cookie = 'username=ada%40example.com; Path=/';
    await loadPage('/login');
    const renew = vi.fn(async () => tokens);
    const { openedUrls } = await startPage(buildProduct(), buildApi({ renew }));
    await waitFor(() => expect(openedUrls).toEqual([`${basePath}/console/home`]));
    expect(renew).toHaveBeenCalledExactlyOnceWith('ada@example.com', false);
    await waitFor(() => expect(otherTab.received).toMatchObject([{ type: 'TOKEN_VALID' }]));
  });

  it('shows the form without an error if the session is invalid', async () => {
    document.cookie = 'username=ada%40example.com; Path=/';
    await loadPage('/login');
    expect(document.documentElement.dataset['resuming']).toBe('');
    const { openedUrls } = await startPage(buildProduct(), buildApi());
    await waitFor(() => expect(document.documentElement.dataset['resuming']).toBeUndefined());
    expect(openedUrls).toEqual([]);
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ada@example.com');
    expect(document.activeElement).toBe(screen.getByLabelText('Password'));
    expect(screen.queryByText(/Invalid credentials/)).toBeNull();
  });

  it('shows the admin login form to a signed-in person who is not an admin', async () => {
    document.cookie = 'username=ada%40example.com; Path=/';
    document.cookie = 'isAdmin=false; Path=/';
    await loadPage('/adminlogin');
    const renew = vi.fn(async () => tokens);
    const { openedUrls } = await startPage(buildProduct(), buildApi({ renew }));
    expect(renew).not.toHaveBeenCalled();
    expect(openedUrls).toEqual([]);
    expect(screen.getByRole('heading', { name: 'Admin log in' })).toBeTruthy();
  });

  it('resumes an admin session in the admin area', async () => {
    document.cookie = 'username=ada%40example.com; Path=/';
    document.cookie = 'isAdmin=true; Path=/';
    await loadPage('/adminlogin');
    const renew = vi.fn(async () => ({ ...tokens, isAdmin: true }));
    const { openedUrls } = await startPage(buildProduct(), buildApi({ renew }));
    await waitFor(() => expect(openedUrls).toEqual([`${basePath}/admin/console`]));
    expect(renew).toHaveBeenCalledExactlyOnceWith('ada@example.com', true);
  });

  it('[SES-09] opens home when another tab requests a reload', async () => {
    await loadPage('/login');
    const { openedUrls } = await startPage(buildProduct(), buildApi());
    openOtherTab().post({ type: 'RELOAD' });
    await waitFor(() => expect(openedUrls).toEqual([`${basePath}/console/home`]));
  });

  it("ignores the login of a non-admin in another tab at the admin login, and opens the admin area after an admin's login", async () => {
    const login = (isAdmin: boolean) => ({
      type: 'LOGIN',
      token: { accessToken: 'x', username: 'u', isAdmin, issuedAt: 1, expiresAt: 2 },
    });
    await loadPage('/adminlogin');
    const { openedUrls } = await startPage(buildProduct(), buildApi());
    const otherTab = openOtherTab();
    otherTab.post(login(false));
    otherTab.post(login(true));
    await waitFor(() => expect(openedUrls).toEqual([`${basePath}/admin/console`]));
  });

  it('prefetches the application while the person types', async () => {
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response(
          '<link rel="modulepreload" href="/dashboard/static/js/a.js"><script type="module" ' +
            'src="/dashboard/static/js/app.js"></script><link rel="stylesheet" href="/dashboard/static/css/p.css">',
        ),
    );
    await loadPage('/login');
    const { user } = await startPage(buildProduct(), buildApi());
    await user.type(screen.getByLabelText('Email'), 'a');
    await waitFor(() =>
      expect(
        [...document.head.querySelectorAll('link[rel=prefetch]')].map((link) => link.getAttribute('href')),
      ).toEqual(['/dashboard/static/js/a.js', '/dashboard/static/js/app.js', '/dashboard/static/css/p.css']),
    );
  });
});

describe('renderSignIn', () => {
  it('renders every screen in every language without style attributes', async () => {
    const page = await renderSignIn(buildProduct());
    expect([...page.html.matchAll(/<template id="([^"]+)"/g)].map((match) => match[1])).toHaveLength(14);
    expect(page.html).not.toMatch(/\sstyle="/);
    expect(page.html).toContain('Choisir un nouveau mot de passe');
    expect(page.css).toContain('.sign-in-panel');
    expect(page.css).toContain('.fui-Button');
    expect(await renderSignIn(buildProduct())).toEqual(page);
  });

  it("renders only the product's languages", async () => {
    const { html } = await renderSignIn(buildProduct({ languages: ['fr'] }));
    expect(html).not.toContain('template id="login.en"');
    expect(html).not.toContain('English');
  });

  it('escapes texts of the product', async () => {
    const { html, firstScript } = await renderSignIn(
      buildProduct({ title: '</template><script>alert(1)</script>', languages: ['en'] }),
    );
    expect(html).not.toContain('<script>alert');
    expect(firstScript).not.toContain('<');
  });
});
