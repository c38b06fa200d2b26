import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTHeaderParameters, type JWTPayload } from 'jose';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { Secret } from '../../kernel/secret.ts';
import type { SignOnProvider } from '../../kernel/server-config.ts';
import { IdentityProviders } from './identity-providers.ts';

const returnUrl = 'http://127.0.0.1:1/dashboard/login/return';
const clientId = 'walkdown-tests';
const clientSecret = 'a secret of the tests, 32 letters or more';
const log = pino({ level: 'silent' });

type GroupOptions = Pick<SignOnProvider, 'groupsClaim' | 'absentGroups'>;
type Sign = (claims: JWTPayload) => Promise<string> | string;

/** A provider that sends the ID token of a test, and may claim another issuer in its metadata. */
class HostileProvider {
  readonly #server: Server;
  readonly #jwk: object;
  issuer = '';
  metadataIssuer = '';
  createIdToken: () => Promise<string> | string = () => '';
  /** The reply of the userinfo endpoint. If undefined, the provider has no such endpoint. */
  userInfo: object | undefined;

  constructor(jwk: object) {
    this.#jwk = jwk;
    this.#server = createServer((request, response) => {
      const send = (body: object) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      if (request.url === '/jwks') send({ keys: [this.#jwk] });
      else if (request.url === '/token')
        void Promise.resolve(this.createIdToken()).then((idToken) =>
          send({ access_token: 'access-of-the-provider', token_type: 'Bearer', id_token: idToken }),
        );
      else if (request.url === '/userinfo') send(this.userInfo ?? {});
      else
        send({
          issuer: this.metadataIssuer,
          authorization_endpoint: `${this.issuer}/authorize`,
          token_endpoint: `${this.issuer}/token`,
          jwks_uri: `${this.issuer}/jwks`,
          ...(this.userInfo ? { userinfo_endpoint: `${this.issuer}/userinfo` } : {}),
          id_token_signing_alg_values_supported: ['ES256'],
        });
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    this.issuer = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    this.metadataIssuer = this.issuer;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('a hostile provider or a forged reply', () => {
  let provider: HostileProvider;
  let ownKey: CryptoKey;
  let foreignKeys: Awaited<ReturnType<typeof generateKeyPair>>;
  let foreignJwk: object;
  beforeAll(async () => {
    const pair = await generateKeyPair('ES256', { extractable: true });
    ownKey = pair.privateKey;
    foreignKeys = await generateKeyPair('ES256', { extractable: true });
    foreignJwk = await exportJWK(foreignKeys.publicKey);
    provider = new HostileProvider({ ...(await exportJWK(pair.publicKey)), kid: 'k', alg: 'ES256', use: 'sig' });
    await provider.listen();
  });
  afterAll(() => provider.close());

  const createProviders = (issuer: string, options: GroupOptions = {}) =>
    new IdentityProviders({
      providers: { first: { issuer, clientId, clientSecret: new Secret(clientSecret), mailDomains: [], ...options } },
      returnUrl: () => returnUrl,
      clock: systemClock,
      log,
    });
  const createSigner =
    (key: CryptoKey | Uint8Array, header: JWTHeaderParameters = { alg: 'ES256', kid: 'k' }): Sign =>
    (claims) =>
      new SignJWT(claims).setProtectedHeader(header).sign(key);
  const signIn = async (
    change: (claims: JWTPayload) => JWTPayload,
    sign: Sign = createSigner(ownKey),
    options: GroupOptions = {},
  ) => {
    const providers = createProviders(provider.issuer, options);
    const { transaction } = await providers.begin('first');
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      iss: provider.issuer,
      aud: clientId,
      sub: 'ann',
      email: 'ann@example.com',
      email_verified: true,
      nonce: transaction.nonce,
      iat: now,
      exp: now + 60,
    };
    provider.createIdToken = () => sign(change(claims));
    return providers.complete(transaction, { code: 'any', state: transaction.state });
  };
  const refusal = { status: 401, code: 'E001' };

  it('accepts a matching reply, and returns no tokens of the provider', async () => {
    expect(await signIn((claims) => claims)).toEqual({
      issuer: provider.issuer,
      subject: 'ann',
      email: 'ann@example.com',
      emailVerified: true,
      groups: 'NOT_CONFIGURED',
    });
  });

  it.each<[string, object | undefined]>([
    ['has no userinfo endpoint', undefined],
    ['sends the user info of another person', { sub: 'bob', groups: ['crew'] }],
  ])('lets a person in without groups if the provider %s', async (_, userInfo) => {
    provider.userInfo = userInfo;
    const person = await signIn((claims) => claims, undefined, { groupsClaim: 'groups' });
    expect(person).toMatchObject({ email: 'ann@example.com', emailVerified: true, groups: 'ABSENT' });
  });

  it.each<[string, object | undefined, readonly string[] | 'ABSENT']>([
    ['an empty list if the user info has no groups claim', { sub: 'ann' }, []],
    ['an empty list if there is no userinfo endpoint', undefined, []],
    ['absent groups if the user info is of another person', { sub: 'bob' }, 'ABSENT'],
  ])('with absentGroups "remove", returns %s', async (_, userInfo, groups) => {
    provider.userInfo = userInfo;
    const person = await signIn((claims) => claims, undefined, { groupsClaim: 'groups', absentGroups: 'remove' });
    expect(person.groups).toEqual(groups);
  });

  it('[SEC-07] takes the email address and its verification from the same source', async () => {
    provider.userInfo = { sub: 'ann', email: 'boss@example.com', email_verified: true, groups: ['crew'] };
    const withEmail = await signIn((claims) => ({ ...claims, email_verified: false }), undefined, {
      groupsClaim: 'groups',
    });
    expect(withEmail).toMatchObject({ email: 'ann@example.com', emailVerified: false, groups: ['crew'] });
    provider.userInfo = { sub: 'ann', email: 'boss@example.com' };
    const withoutEmail = await signIn(({ email: _, ...claims }) => claims);
    expect(withoutEmail).toMatchObject({ email: 'boss@example.com', emailVerified: false });
    provider.userInfo = undefined;
    await expect(signIn(({ email: _, ...claims }) => claims)).rejects.toMatchObject(refusal);
  });

  it.each<[string, (claims: JWTPayload) => JWTPayload]>([
    ['the nonce of another sign-in', (claims) => ({ ...claims, nonce: 'nonce-of-another-sign-in' })],
    ['no nonce', ({ nonce: _, ...claims }) => claims],
    ['another audience', (claims) => ({ ...claims, aud: 'another-client' })],
    ['our audience and another authorised party', (claims) => ({ ...claims, aud: [clientId, 'x'], azp: 'x' })],
    ['another issuer', (claims) => ({ ...claims, iss: 'https://login.example.com' })],
    ['an expiry in the past', (claims) => ({ ...claims, iat: 1, exp: 2 })],
    ['no subject', ({ sub: _, ...claims }) => claims],
  ])('[SEC-07] refuses an ID token with %s', async (_, change) => {
    await expect(signIn(change)).rejects.toMatchObject(refusal);
  });

  it.each<[string, () => Sign]>([
    ['no signature', () => (claims) => new UnsecuredJWT(claims).encode()],
    ['the signature of another key', () => createSigner(foreignKeys.privateKey)],
    [
      'a key of its own in the header',
      () =>
        createSigner(foreignKeys.privateKey, {
          alg: 'ES256',
          kid: 'k',
          jwk: foreignJwk,
          jku: 'http://127.0.0.1:1/jwks',
        }),
    ],
    [
      "the client's secret as key",
      () => createSigner(new TextEncoder().encode(clientSecret), { alg: 'HS256', kid: 'k' }),
    ],
  ])('[SEC-07] refuses an ID token with %s', async (_, sign) => {
    await expect(signIn((claims) => claims, sign())).rejects.toMatchObject(refusal);
  });

  it.each(['', '/.well-known/openid-configuration'])(
    '[SEC-07] refuses metadata with another issuer if the configured path is "%s"',
    async (path) => {
      provider.metadataIssuer = 'https://login.example.com';
      await expect(createProviders(provider.issuer + path).begin('first')).rejects.toMatchObject({
        status: 503,
        userMessage: { message: 'core.refused.providerNotSetUp' },
      });
      provider.metadataIssuer = provider.issuer;
    },
  );
});
