import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { basePath, type Product } from '#core';
import type { SignInChallenge, SignInContent, Tokens } from '#core/api';
import { buildProduct } from '#core/testing/web';
import { parseEntryParams } from './entry-params.ts';
import type { SignInApi } from './sign-in-api.ts';
import { SignInApp } from './sign-in-app.tsx';
import { SignInFailure } from './sign-in-failure.ts';
import { findScreen } from './sign-in-screen.ts';

const tokens: Tokens = {
  accessToken: 'a',
  refreshToken: 'cookie',
  username: 'ada@example.com',
  isAdmin: false,
  expiresIn: 600,
};
const bothProviders: Product['login'] = {
  type: 'AD',
  providers: [
    { id: 'first', label: 'Company account' },
    { id: 'second', label: 'Partner account' },
  ],
};

function fakeApi(changes: Partial<SignInApi> = {}) {
  const createNoop = () => vi.fn(async () => undefined);
  return {
    login: vi.fn(async (): Promise<Tokens | SignInChallenge> => tokens),
    callSecondFactor: vi.fn(async () => tokens as never),
    renew: vi.fn(async () => tokens),
    startSignOn: vi.fn(async () => 'https://idp.example/authorize'),
    exchangeCode: vi.fn(async () => tokens),
    register: createNoop(),
    activate: createNoop(),
    requestReset: createNoop(),
    resetPassword: createNoop(),
    resendCode: createNoop(),
    loadContent: vi.fn(async (): Promise<SignInContent> => ({ backgrounds: [], contacts: [] })),
    ...changes,
  } satisfies SignInApi;
}

function openPage(
  path: string,
  {
    product = buildProduct(),
    api = fakeApi(),
  }: { readonly product?: Product; readonly api?: ReturnType<typeof fakeApi> } = {},
) {
  history.replaceState(null, '', `${basePath}${path}`);
  const onFinish = vi.fn(async () => undefined);
  render(
    <SignInApp
      product={product}
      api={api}
      screen={findScreen(location.pathname, product)}
      language="en"
      entryParams={parseEntryParams(location.search)}
      onFinish={onFinish}
    />,
  );
  return { api, onFinish, user: userEvent.setup() };
}

const getEmailField = () => screen.getByLabelText<HTMLInputElement>('Email');
const getPasswordField = (label = 'Password') => screen.getByLabelText<HTMLInputElement>(label);
const getButton = (name: string) => screen.getByRole('button', { name });
const rejectWith =
  (messageId: SignInFailure['messageId'], values = {}, reference?: string) =>
  async () => {
    throw new SignInFailure(messageId, values, reference);
  };

beforeEach(() => {
  window.matchMedia = (query) =>
    Object.assign(new EventTarget(), {
      matches: false,
      media: query,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    });
});
afterEach(() => {
  cleanup();
  document.cookie = 'username=; Path=/; Max-Age=0';
  document.cookie = `language=; Path=${basePath}; Max-Age=0`;
});

describe('login', () => {
  it('[RTE-04] has a form for email and password if the profile requires it', async () => {
    const { api, onFinish, user } = openPage('/login');
    await user.type(getEmailField(), ' ada@example.com ');
    await user.type(getPasswordField(), 'correct horse{Enter}');
    expect(api.login).toHaveBeenCalledExactlyOnceWith('ada@example.com', 'correct horse', false);
    await waitFor(() => expect(onFinish).toHaveBeenCalledExactlyOnceWith(tokens));
  });

  it('[RTE-04] [PRO-02] has one button per identity provider for single sign-on', async () => {
    openPage('/login', { product: buildProduct({ login: bothProviders }) });
    expect(screen.queryByLabelText('Password')).toBeNull();
    expect(getButton('Log in with Company account')).toBeTruthy();
    expect(getButton('Log in with Partner account')).toBeTruthy();
    cleanup();
    openPage('/login', {
      product: buildProduct({ login: { type: 'AD', providers: [{ id: 'second', label: 'Partner account' }] } }),
    });
    expect(screen.getAllByRole('button', { name: /^Log in with/ })).toHaveLength(1);
  });

  it('[API-03] redirects to the chosen provider', async () => {
    const api = fakeApi({ startSignOn: vi.fn(rejectWith('core.signIn.failed.unavailable')) });
    const { user } = openPage('/login?next=/console/unit/u1', { product: buildProduct({ login: bothProviders }), api });
    await user.click(getButton('Log in with Partner account'));
    expect(api.startSignOn).toHaveBeenCalledExactlyOnceWith('second');
    expect(await screen.findByText(/The service is not available/)).toBeTruthy();
  });

  it('disables a provider that is not set up, but no other provider', async () => {
    const api = fakeApi({ startSignOn: vi.fn(rejectWith('core.signIn.failed.notSetUp')) });
    const { user } = openPage('/login', { product: buildProduct({ login: bothProviders }), api });
    await user.click(getButton('Log in with Partner account'));
    expect(
      await screen.findByText('Logging in with Partner account is not set up on this server yet. Ask your admin.'),
    ).toBeTruthy();
    const button = getButton('Partner account: not set up');
    expect(button.getAttribute('aria-disabled')).toBe('true');
    await user.click(button);
    expect(api.startSignOn).toHaveBeenCalledTimes(1);
    expect(getButton('Log in with Company account').getAttribute('aria-disabled')).not.toBe('true');
  });

  it('[RTE-05] has a form for admins at /adminlogin, and at /login/admin with single sign-on', async () => {
    const { api, user } = openPage('/adminlogin');
    expect(screen.getByRole('heading', { name: 'Admin log in' })).toBeTruthy();
    await user.type(getEmailField(), 'boss@example.com');
    await user.type(getPasswordField(), 'secret{Enter}');
    expect(api.login).toHaveBeenCalledExactlyOnceWith('boss@example.com', 'secret', true);
    cleanup();
    for (const path of ['/adminlogin', '/login/admin']) {
      openPage(path, { product: buildProduct({ login: bothProviders }) });
      expect(getPasswordField()).toBeTruthy();
      cleanup();
    }
    openPage('/login/admin');
    expect(screen.queryByRole('heading', { name: 'Admin log in' })).toBeNull();
  });

  it('[SES-16] shows invalid credentials above the button, and keeps input and focus', async () => {
    const { user } = openPage('/login', {
      api: fakeApi({ login: vi.fn(rejectWith('core.signIn.failed.credentials')) }),
    });
    await user.type(getEmailField(), 'ada@example.com');
    await user.type(getPasswordField(), 'wrong');
    await user.click(getButton('Log in'));
    const text = await screen.findByText('Invalid credentials. Please check again');
    expect(text.closest('[role=alert]')).toBeTruthy();
    expect(text.compareDocumentPosition(getButton('Log in'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect([getEmailField().value, getPasswordField().value]).toEqual(['ada@example.com', 'wrong']);
    expect(document.activeElement).toBe(getPasswordField());
  });

  it('[VAL-01] [VAL-02] focuses the first missing field and sends nothing', async () => {
    const { api, user } = openPage('/login');
    await user.click(getButton('Log in'));
    expect(screen.getByText('This is a mandatory field')).toBeTruthy();
    expect(screen.getByText('Authentication requires password')).toBeTruthy();
    expect(document.activeElement).toBe(getEmailField());
    expect(getEmailField().getAttribute('aria-invalid')).toBe('true');
    expect(api.login).not.toHaveBeenCalled();
  });

  it('validates a field on blur and clears the message after a correction', async () => {
    const { user } = openPage('/login');
    await user.type(getEmailField(), 'ada');
    expect(screen.queryByText('Enter a valid email address')).toBeNull();
    await user.tab();
    expect(screen.getByText('Enter a valid email address')).toBeTruthy();
    await user.type(getEmailField(), '@example.com');
    expect(screen.queryByText('Enter a valid email address')).toBeNull();
  });

  it.each([
    ['core.signIn.failed.throttled', { seconds: 42 }, undefined, 'Too many attempts. Wait 42 seconds, then try again.'],
    [
      'core.signIn.failed.offline',
      {},
      undefined,
      'The server cannot be reached. Check your connection; what you typed is still here.',
    ],
    ['core.signIn.failed.general', {}, 'req-7', 'Reference req-7'],
    ['core.signIn.failed.inactive', {}, undefined, 'Your Account is Inactive. Ask your admin to activate it.'],
  ] as const)('has a message for %s', async (messageId, values, reference, text) => {
    const { user } = openPage('/login', { api: fakeApi({ login: vi.fn(rejectWith(messageId, values, reference)) }) });
    await user.type(getEmailField(), 'ada@example.com');
    await user.type(getPasswordField(), 'secret{Enter}');
    expect(await screen.findByText(text)).toBeTruthy();
    expect(getPasswordField().value).toBe('secret');
  });

  it('submits once for repeated clicks', async () => {
    const api = fakeApi({ login: vi.fn(() => new Promise<Tokens>(() => undefined)) });
    const { user } = openPage('/login', { api });
    await user.type(getEmailField(), 'ada@example.com');
    await user.type(getPasswordField(), 'secret{Enter}{Enter}');
    await user.click(getButton('Logging in'));
    expect(api.login).toHaveBeenCalledTimes(1);
  });

  it('shows and hides the password, and reports Caps Lock', async () => {
    const { user } = openPage('/login');
    await user.type(getPasswordField(), 'secret');
    await user.click(getButton('Show password'));
    expect(getPasswordField().type).toBe('text');
    await user.click(getButton('Hide password'));
    expect(getPasswordField().type).toBe('password');
    expect(screen.queryByText('Caps Lock is on')).toBeNull();
    await user.type(getPasswordField(), '{CapsLock}A');
    expect(screen.getByText('Caps Lock is on')).toBeTruthy();
    await user.type(getPasswordField(), '{CapsLock}a');
    expect(screen.queryByText('Caps Lock is on')).toBeNull();
  });

  it('[PRO-20] switches to French at once, keeps the input, and saves the choice', async () => {
    const { user } = openPage('/login');
    await user.type(getEmailField(), 'ada@example.com');
    await user.click(getButton('FR, Français'));
    expect(screen.getByLabelText<HTMLInputElement>('E-mail').value).toBe('ada@example.com');
    expect(getButton('Se connecter')).toBeTruthy();
    expect(document.documentElement.lang).toBe('fr');
    expect(document.cookie).toContain('language=fr');
  });

  it('[SES-14] shows "Issue while getting user data" if the URL has this error', () => {
    openPage('/login?error=userData');
    expect(
      within(screen.getAllByRole('alert')[0] ?? document.body).getByText('Issue while getting user data'),
    ).toBeTruthy();
  });

  it("fills in the last person's email and focuses the password", () => {
    document.cookie = 'username=ada%40example.com; Path=/';
    openPage('/login');
    expect(getEmailField().value).toBe('ada@example.com');
    expect(document.activeElement).toBe(getPasswordField());
  });

  it('[PRO-01] shows the logo for dark backgrounds if the product has one', () => {
    openPage('/login', { product: buildProduct({ logo: '/light.svg', logoDark: '/dark.svg' }) });
    const logos = [...document.querySelectorAll('.sign-in-logo')];
    expect(logos.map((logo) => logo.getAttribute('src'))).toEqual(['/light.svg', '/dark.svg']);
  });

  it('[ADM-09] shows the backgrounds and contacts of admins instead of those of the profile', async () => {
    const loadContent = vi.fn(async () => ({
      backgrounds: [{ address: '/api/files/1', isVideo: false }],
      contacts: [{ name: 'Ida Holm', phone: '+4755501234' }],
    }));
    openPage('/login', { product: buildProduct({ backgrounds: ['/own.jpg'] }), api: fakeApi({ loadContent }) });
    expect(document.querySelector('.sign-in-picture')?.getAttribute('src')).toBe('/own.jpg');
    const contact = await screen.findByRole('link', { name: /Ida Holm, \+4755501234/ });
    expect(contact.getAttribute('href')).toBe('tel:+4755501234');
    const sources = [...document.querySelectorAll('.sign-in-picture')].map((picture) => picture.getAttribute('src'));
    expect(sources).toEqual(['/api/files/1']);
  });

  it('[ADM-14] shows notices of admins in the language of the page until they end', async () => {
    const notices = [
      { text: 'Outage', frenchText: null, severity: 'CRITICAL', endsInMs: null },
      { text: 'Maintenance', frenchText: 'Entretien', severity: 'INFO', endsInMs: 60_000 },
      { text: 'Over', frenchText: null, severity: 'WARNING', endsInMs: 0 },
    ] as const;
    const loadContent = vi.fn(async () => ({ backgrounds: [], contacts: [], notices: [...notices] }));
    const { user } = openPage('/login', { api: fakeApi({ loadContent }) });
    const list = () => [...document.querySelectorAll('.sign-in-admin-notice')].map(({ textContent }) => textContent);
    await waitFor(() => expect(list()).toEqual(['Critical: Outage', 'Notice: Maintenance']));
    await user.click(screen.getByRole('button', { name: /Français/ }));
    expect(list()).toEqual(['Critique\u00a0: Outage', 'Avis\u00a0: Entretien']);
  });

  it('shows the background of the profile if a network replies with a page in place of the server', async () => {
    const loadContent = vi.fn(async () => '<!doctype html>' as unknown as SignInContent);
    openPage('/login', { product: buildProduct({ backgrounds: ['/own.jpg'] }), api: fakeApi({ loadContent }) });
    await waitFor(() => expect(loadContent).toHaveBeenCalled());
    await loadContent.mock.results[0]!.value;
    expect(document.querySelector('.sign-in-picture')?.getAttribute('src')).toBe('/own.jpg');
    expect(screen.getByRole('heading', { level: 1 })).toBeTruthy();
  });

  it("[PRO-01] uses the product's branding", () => {
    openPage('/login', {
      product: buildProduct({
        title: 'Halvorsen Tours',
        shortName: 'Halvorsen',
        version: '4.5.6',
        contact: 'help@halvorsen.example',
      }),
    });
    expect(screen.getByRole('heading', { level: 1, name: 'Halvorsen Tours' })).toBeTruthy();
    expect(document.title).toBe('Halvorsen Tours');
    expect(screen.getByText('Version 4.5.6')).toBeTruthy();
    expect(screen.getByRole('link', { name: /help@halvorsen\.example/ }).getAttribute('href')).toBe(
      'mailto:help@halvorsen.example',
    );
  });
});

describe('password account', () => {
  it('[API-04] [API-06] registers with a password and activates by a mailed code', async () => {
    const { api, user } = openPage('/login/register?username=new%40example.com');
    expect(getEmailField().value).toBe('new@example.com');
    await user.type(getPasswordField('New password'), 'short');
    await user.click(getButton('Set password'));
    expect(screen.getByText('Min length 12 chars')).toBeTruthy();
    await user.type(getPasswordField('New password'), ' but longer');
    await user.click(getButton('Set password'));
    expect(api.register).toHaveBeenCalledExactlyOnceWith('new@example.com', 'short but longer');
    expect(await screen.findByText('Your password is set. We sent a code to new@example.com.')).toBeTruthy();
    expect(location.pathname).toBe(`${basePath}/login/activate`);
    await user.type(screen.getByLabelText('Code'), '12 34-56');
    await user.click(getButton('Activate'));
    expect(api.activate).toHaveBeenCalledExactlyOnceWith('new@example.com', '123456');
    expect(await screen.findByText('Your account is active. Log in now.')).toBeTruthy();
    expect(getEmailField().value).toBe('new@example.com');
  });

  it.each([
    ['/login/register', undefined, 12],
    ['/login/reset', undefined, 12],
    ['/login/register', 8, 8],
  ])('[SEC-02] shows the password rule before input: %s %s', (path, minPasswordLength, expected) => {
    const login = { type: 'EMAIL_PW', providers: [], ...(minPasswordLength ? { minPasswordLength } : {}) } as const;
    openPage(path, { product: buildProduct({ login }) });
    expect(screen.getByText(new RegExp(`^At least ${expected} characters; not a common password`))).toBeTruthy();
  });

  it('[SEC-02] shows why the server refuses a password, and keeps the input', async () => {
    const { user } = openPage('/login/register?username=new%40example.com', {
      api: fakeApi({ register: vi.fn(rejectWith('core.validation.passwordCommon')) }),
    });
    await user.type(getPasswordField('New password'), 'iloveunicorns{Enter}');
    expect(await screen.findByText(/^This password is too common/)).toBeTruthy();
    expect(getPasswordField('New password').value).toBe('iloveunicorns');
  });

  it('[API-05] [VAL-08] resets the password with a code, without revealing whether the account exists', async () => {
    const { api, user } = openPage('/login?next=/console/unit/u1');
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }));
    expect(location.search).toBe('?next=%2Fconsole%2Funit%2Fu1');
    await user.type(getEmailField(), 'ada@example.com{Enter}');
    expect(api.requestReset).toHaveBeenCalledExactlyOnceWith('ada@example.com');
    expect(await screen.findByText('If ada@example.com has an account, a code is on its way.')).toBeTruthy();
    await user.type(screen.getByLabelText('Code'), '1234S');
    await user.type(getPasswordField('New password'), 'a new password{Enter}');
    expect(screen.getByText('Only numbers are allowed')).toBeTruthy();
    await user.type(screen.getByLabelText('Code'), '{Backspace}5');
    expect(screen.getByText('The code has six digits')).toBeTruthy();
    await user.type(screen.getByLabelText('Code'), '6');
    await user.click(getButton('Change password'));
    expect(api.resetPassword).toHaveBeenCalledExactlyOnceWith('ada@example.com', 'a new password', '123456');
    expect(await screen.findByText('Your password was changed. Log in with the new one.')).toBeTruthy();
    expect(location.pathname + location.search).toBe(`${basePath}/login?next=%2Fconsole%2Funit%2Fu1`);
  });

  it('explains that a code is wrong and focuses it', async () => {
    const { user } = openPage('/login/activate?username=a%40b', {
      api: fakeApi({ activate: vi.fn(rejectWith('core.signIn.failed.code')) }),
    });
    await user.type(screen.getByLabelText('Code'), '000000{Enter}');
    expect(
      await screen.findByText(
        'This code is wrong, has expired or was requested in another browser. Check it, or request a new one.',
      ),
    ).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Code'));
  });

  it('[API-05] sends a new code, at most every 30 seconds', async () => {
    const { api, user } = openPage('/login/activate?username=a%40b');
    await user.click(getButton('Send the code again'));
    expect(api.resendCode).toHaveBeenCalledExactlyOnceWith('a@b');
    expect(
      await screen.findByText(
        'If you chose your password in this browser, a new code is on its way. Otherwise, choose it again here.',
      ),
    ).toBeTruthy();
    const [first] = screen.getAllByRole('link').filter((link) => link.getAttribute('href')?.includes('register'));
    expect(first?.textContent).toBe('Started in another browser? Choose your password again here');
    await user.click(screen.getByRole('button', { name: /Send again in \d+ s/ }));
    expect(api.resendCode).toHaveBeenCalledTimes(1);
  });

  it('links the password form of an invitation to the company login in a product with single sign-on', () => {
    openPage('/login/register', { product: buildProduct({ login: bothProviders }) });
    const link = screen.getByRole('link', { name: 'Company account? Log in without a password' });
    expect(link.getAttribute('href')).toBe(`${basePath}/login`);
  });

  it('leads back to the admin login in a product with single sign-on', () => {
    openPage('/login/forgot', { product: buildProduct({ login: bothProviders }) });
    expect(screen.getByRole('link', { name: 'Back to log in' }).getAttribute('href')).toBe(`${basePath}/adminlogin`);
  });

  it("follows the browser's back and forward", async () => {
    const { user } = openPage('/login');
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }));
    expect(screen.getByRole('heading', { name: 'Forgot your password?' })).toBeTruthy();
    history.back();
    expect(await screen.findByLabelText('Password')).toBeTruthy();
  });
});

describe('return from an identity provider', () => {
  const product = buildProduct({ login: bothProviders });

  it('[API-03] exchanges the code once and removes it from the URL', async () => {
    const { api, onFinish } = openPage('/login/return?code=c1&state=s1', { product });
    await waitFor(() => expect(onFinish).toHaveBeenCalledExactlyOnceWith(tokens));
    expect(api.exchangeCode).toHaveBeenCalledExactlyOnceWith(new URLSearchParams('code=c1&state=s1'));
    expect(location.search).toBe('');
  });

  it.each([
    ['a refusal by the provider', '?error=access_denied', fakeApi()],
    [
      'a code that the server refuses',
      '?code=c&state=s',
      fakeApi({ exchangeCode: vi.fn(rejectWith('core.signIn.failed.credentials')) }),
    ],
    ['an expired state', '?code=c&state=s', fakeApi({ exchangeCode: vi.fn(rejectWith('core.signIn.failed.code')) })],
  ])('explains the next step after %s, and leads back', async (_, search, api) => {
    openPage(`/login/return${search}`, { product, api });
    expect(
      await screen.findByText('The identity provider did not log you in. Try again, or ask your admin.'),
    ).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Back to log in' }).getAttribute('href')).toBe(`${basePath}/login`);
    expect(screen.getByRole('heading', { name: 'You are not logged in' })).toBeTruthy();
    expect(screen.queryByText('Invalid credentials. Please check again')).toBeNull();
  });

  it.each([
    ['core.signIn.failed.offline', 'The server cannot be reached. Check your connection, then log in again.'],
    ['core.signIn.failed.unavailable', 'The service is not available right now. Log in again in a moment.'],
    [
      'core.signIn.failed.general',
      'Something went wrong on our side while you were being logged in. Log in again.Reference r-17',
    ],
  ] as const)('mentions no input in the message for %s', async (messageId, text) => {
    openPage('/login/return?code=c', {
      product,
      api: fakeApi({
        exchangeCode: vi.fn(rejectWith(messageId, {}, messageId.endsWith('general') ? 'r-17' : undefined)),
      }),
    });
    expect(screen.getByRole('heading', { name: 'Logging you in' })).toBeTruthy();
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(text));
    expect(document.querySelector('main')?.textContent).not.toMatch(/what you typed|We are checking/);
  });

  it('[SES-15] explains that the person needs an account, and mentions no admin account', async () => {
    openPage('/login/return?code=c', {
      product,
      api: fakeApi({ exchangeCode: vi.fn(rejectWith('core.signIn.failed.noAccess')) }),
    });
    expect(
      await screen.findByText(
        'Your sign-in worked, but you have no account in this product. Ask your admin to invite you.',
      ),
    ).toBeTruthy();
    expect(screen.queryByText(/not an admin account/)).toBeNull();
  });

  it('explains that an account is inactive', async () => {
    openPage('/login/return?code=c', {
      product,
      api: fakeApi({ exchangeCode: vi.fn(rejectWith('core.signIn.failed.inactive')) }),
    });
    expect(await screen.findByText(/Your Account is Inactive/)).toBeTruthy();
  });
});
