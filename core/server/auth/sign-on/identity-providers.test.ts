import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIdentityProvider, type TestIdentityProvider } from '../../../testing/identity-provider.ts';
import { systemClock } from '../../kernel/clock.ts';
import { Secret } from '../../kernel/secret.ts';
import { IdentityProviders } from './identity-providers.ts';

const registeredUrl = 'http://127.0.0.1:1/dashboard/login/return';
const lines: string[] = [];
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });

const readCode = (url: URL): string => {
  const code = url.searchParams.get('code');
  if (code === null) throw new Error(`The provider sent no code: ${url.search}`);
  return code;
};

describe('identity providers', () => {
  let provider: TestIdentityProvider;
  let providers: IdentityProviders;
  beforeAll(async () => {
    provider = await startIdentityProvider(registeredUrl);
    providers = new IdentityProviders({
      providers: { first: provider.configuration },
      returnUrl: () => registeredUrl,
      clock: systemClock,
      log,
    });
  });
  afterAll(() => provider.stop());

  it('[API-03] identifies a person whose code, state and nonce match', async () => {
    const { url, transaction } = await providers.begin('first');
    const returnUrl = await provider.signIn(url, 'ann@example.com');
    const person = await providers.complete(transaction, {
      code: readCode(returnUrl),
      state: returnUrl.searchParams.get('state') ?? '',
      iss: returnUrl.searchParams.get('iss') ?? '',
    });
    expect(person).toEqual({
      issuer: provider.configuration.issuer,
      subject: 'ann@example.com',
      email: 'ann@example.com',
      emailVerified: true,
      groups: 'NOT_CONFIGURED',
    });
  });

  it('accepts a code without state and issuer, as the specified endpoint sends it', async () => {
    const { url, transaction } = await providers.begin('first');
    const code = readCode(await provider.signIn(url, 'unverified@example.com'));
    expect(await providers.complete(transaction, { code })).toEqual({
      issuer: provider.configuration.issuer,
      subject: 'unverified@example.com',
      email: 'unverified@example.com',
      emailVerified: false,
      groups: 'NOT_CONFIGURED',
    });
  });

  it('requests sign-in with PKCE, state and nonce', async () => {
    const { url, transaction } = await providers.begin('first');
    const parameters = new URL(url).searchParams;
    expect(parameters.get('code_challenge_method')).toBe('S256');
    expect(parameters.get('code_challenge')).not.toBe(transaction.verifier);
    expect(parameters.get('state')).toBe(transaction.state);
    expect(parameters.get('nonce')).toBe(transaction.nonce);
    expect(parameters.get('redirect_uri')).toBe(registeredUrl);
  });

  it.each(['replayed', 'of another sign-in', 'with a false state', 'made up'])(
    'refuses a code and logs no code if it is %s',
    async (fault) => {
      const { url, transaction } = await providers.begin('first');
      const code = readCode(await provider.signIn(url, 'ann@example.com'));
      const otherSignOn = await providers.begin('first');
      if (fault === 'replayed') await providers.complete(transaction, { code });
      lines.length = 0;
      const attempts: Record<string, () => Promise<unknown>> = {
        replayed: () => providers.complete(transaction, { code }),
        'of another sign-in': () => providers.complete(otherSignOn.transaction, { code }),
        'with a false state': () => providers.complete(transaction, { code, state: 'false' }),
        'made up': () => providers.complete(transaction, { code: 'made-up' }),
      };
      await expect(attempts[fault]?.()).rejects.toMatchObject({ status: 401, code: 'E001' });
      expect(lines).toHaveLength(1);
      expect(lines.join()).not.toContain(code);
    },
  );

  it('answers 503 for a provider that is not configured', async () => {
    await expect(providers.begin('second')).rejects.toMatchObject({
      status: 503,
      code: 'E010',
      userMessage: {
        message: 'core.refused.providerNotSetUp',
        sentence: expect.stringContaining('WALKDOWN_OIDC_SECOND_CLIENT_SECRET') as string,
      },
    });
  });

  it('answers 503 if the provider answers with an error page', async () => {
    const brokenServer = createServer((_, response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
    );
    await new Promise<void>((resolve) => brokenServer.listen(0, '127.0.0.1', resolve));
    const issuer = `http://127.0.0.1:${(brokenServer.address() as AddressInfo).port}`;
    const behindProxy = new IdentityProviders({
      providers: { first: { issuer, clientId: 'x', clientSecret: new Secret('y'), mailDomains: [] } },
      returnUrl: () => registeredUrl,
      clock: systemClock,
      log,
    });
    await expect(behindProxy.begin('first')).rejects.toMatchObject({ status: 503, code: 'E010' });
    await new Promise((resolve) => brokenServer.close(resolve));
  });

  it('answers 503 if the provider is down, before or during a sign-in', async () => {
    const stoppedProvider = await startIdentityProvider(registeredUrl);
    const stoppedProviders = new IdentityProviders({
      providers: { first: stoppedProvider.configuration },
      returnUrl: () => registeredUrl,
      clock: systemClock,
      log,
    });
    const { url, transaction } = await stoppedProviders.begin('first');
    const code = readCode(await stoppedProvider.signIn(url, 'ann@example.com'));
    await stoppedProvider.stop();
    await expect(stoppedProviders.complete(transaction, { code })).rejects.toMatchObject({ status: 503, code: 'E010' });
    await expect(stoppedProviders.begin('first')).rejects.toMatchObject({ status: 503, code: 'E010' });
  });
});
