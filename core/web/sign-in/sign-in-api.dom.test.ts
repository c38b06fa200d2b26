import axios from 'axios';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeServer, ConnectionLostError } from '#core/testing/web';
import { createSignInApi } from './sign-in-api.ts';
import { SignInFailure } from './sign-in-failure.ts';

const tokens = {
  accessToken: 'a',
  refreshToken: 'cookie',
  username: 'ada@example.com',
  isAdmin: false,
  expiresIn: 600,
};
const buildError = (code: string) => ({ code, message: 'In English', reference: 'req-1' });

let server: FakeServer;
const originalAdapter = axios.defaults.adapter;
beforeEach(() => {
  server = new FakeServer();
  axios.defaults.adapter = server.adapter;
});
afterEach(() => {
  if (originalAdapter !== undefined) axios.defaults.adapter = originalAdapter;
});
const createApi = () => createSignInApi('', () => 'fr');
const catchFailure = async (call: Promise<unknown>) => {
  const cause = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!(cause instanceof SignInFailure)) throw new Error('No SignInFailure was thrown.');
  return cause;
};

describe('signInApi', () => {
  it('[API-01] logs in with username and password, requests the cookie, and sends the language', async () => {
    server.on('POST /auth/pub/user/login', { status: 200, body: tokens });
    await expect(createApi().login('ada@example.com', 'secret', false)).resolves.toEqual(tokens);
    const [sent] = server.requests;
    expect(sent?.body).toEqual({ username: 'ada@example.com', password: 'secret' });
    expect([sent?.header('x-token-transport'), sent?.header('accept-language')]).toEqual(['cookie', 'fr']);
  });

  it('marks a login at the admin login', async () => {
    server.on('POST /auth/pub/user/login', { status: 200, body: tokens });
    await createApi().login('ada@example.com', 'secret', true);
    expect(server.requests[0]?.body).toMatchObject({ admin: true });
  });

  it('[API-02] renews by the cookie', async () => {
    server.on('POST /auth/pub/user/token/renew', { status: 200, body: tokens });
    await createApi().renew('ada@example.com', true);
    expect(server.requests[0]?.query.get('isAdmin')).toBe('true');
    expect(server.requests[0]?.body).toEqual({ username: 'ada@example.com', isAdmin: true, refreshToken: 'cookie' });
  });

  it('distinguishes a provider that is not set up from an unreachable provider', async () => {
    const unavailable = buildError('E010');
    server.on('GET /auth/pub/azure/start', { status: 503, body: unavailable });
    expect((await catchFailure(createApi().startSignOn('first'))).messageId).toBe('core.signIn.failed.unavailable');
    const notSetUp = { ...unavailable, refusal: { message: 'core.refused.providerNotSetUp' } };
    server.on('GET /auth/pub/azure/start', { status: 503, body: notSetUp });
    expect((await catchFailure(createApi().startSignOn('first'))).messageId).toBe('core.signIn.failed.notSetUp');
  });

  it.each(['core.validation.minLength', 'core.validation.passwordCommon', 'core.validation.passwordPersonal'])(
    '[SEC-02] explains why a password is refused: %s',
    async (message) => {
      const fields = [{ pointer: '/password', message, values: { min: 12 } }];
      server.on('POST /auth/api/user/register', { status: 400, body: { ...buildError('E002'), fields } });
      const failure = await catchFailure(createApi().register('ada@example.com', 'a password'));
      expect([failure.messageId, failure.values]).toEqual([message, { min: 12 }]);
    },
  );

  it("[API-03] sends the identity provider's parameters to the server", async () => {
    server.on('GET /auth/pub/azure/token', { status: 200, body: tokens });
    await createApi().exchangeCode(new URLSearchParams('code=c&state=s&iss=i&junk=1'));
    expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({ code: 'c', state: 's', iss: 'i' });
  });

  it('[API-04] [API-05] [API-06] registers, activates, resets and sends codes', async () => {
    for (const path of ['register', 'activate', 'reset/password/otp', 'reset/password', 'resend/otp'])
      server.on(`POST /auth/api/user/${path}`, { status: 200, body: {} });
    await createApi().register('a@b', 'long-enough');
    await createApi().activate('a@b', '123456');
    await createApi().requestReset('a@b');
    await createApi().resetPassword('a@b', 'long-enough', '123456');
    await createApi().resendCode('a@b');
    expect(server.requests.map(({ path, body, query }) => [path, body ?? Object.fromEntries(query)])).toEqual([
      ['/auth/api/user/register', { username: 'a@b', password: 'long-enough' }],
      ['/auth/api/user/activate', { username: 'a@b', otp: '123456' }],
      ['/auth/api/user/reset/password/otp', { username: 'a@b' }],
      ['/auth/api/user/reset/password', { username: 'a@b', password: 'long-enough', otp: '123456' }],
      ['/auth/api/user/resend/otp', { username: 'a@b' }],
    ]);
  });

  it.each([
    [401, 'E001', 'core.signIn.failed.credentials'],
    [401, 'E006', 'core.signIn.failed.inactive'],
    [403, 'E003', 'core.signIn.failed.noAccess'],
    [400, 'E011', 'core.signIn.failed.code'],
    [400, 'E002', 'core.signIn.failed.refused'],
    [429, 'E008', 'core.signIn.failed.throttled'],
    [503, 'E010', 'core.signIn.failed.unavailable'],
    [502, undefined, 'core.signIn.failed.unavailable'],
    [500, 'E000', 'core.signIn.failed.general'],
  ])('has a message for %i %s', async (status, code, messageId) => {
    server.on('POST /auth/pub/user/login', { status, body: code === undefined ? '<html>' : buildError(code) });
    const failure = await catchFailure(createApi().login('a@b', 'c', false));
    expect(failure.messageId).toBe(messageId);
    expect(failure.reference).toBe(status === 500 ? 'req-1' : undefined);
  });

  it('has a message for a missing answer', async () => {
    server.on('POST /auth/pub/user/login', () => {
      throw new ConnectionLostError();
    });
    expect((await catchFailure(createApi().login('a@b', 'c', false))).messageId).toBe('core.signIn.failed.offline');
  });
});
