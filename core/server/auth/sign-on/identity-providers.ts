import * as openid from 'openid-client';
import type { Logger } from 'pino';
import type { ProviderId } from '#core';
import { coreRefusal } from '#core/api';
import type { Clock } from '../../kernel/clock.ts';
import type { ServerConfig, SignOnProvider } from '../../kernel/server-config.ts';
import { ServerError, unavailable } from '../../kernel/server-error.ts';
import { errorCodes } from '#core';
import type { SignOnTransaction } from './sign-on-transaction.ts';

/** A person's identity at an identity provider. */
export interface FederatedIdentity {
  /** With `subject` a permanent key of the person, even if the address changes. */
  readonly issuer: string;
  readonly subject: string;
  /** Undefined if the provider sends none. */
  readonly email: string | undefined;
  /** True only if the provider states that it verified the address. */
  readonly emailVerified: boolean;
}

const metadataLifetime = 60 * 60_000;
const timeoutSeconds = 10;
const scope = 'openid email profile';

/**
 * The configured OpenID Connect providers: authorization code flow with PKCE, state and nonce; also verifies the ID
 * token's signature.
 */
export class IdentityProviders {
  readonly #providers: ServerConfig['signOn'];
  readonly #returnAddress: () => string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #cached = new Map<ProviderId, { readonly configuration: openid.Configuration; readonly until: number }>();

  /** `returnAddress`: the screen that the provider redirects to; registered at the provider. */
  constructor(parts: {
    readonly providers: ServerConfig['signOn'];
    readonly returnAddress: () => string;
    readonly clock: Clock;
    readonly log: Logger;
  }) {
    this.#providers = parts.providers;
    this.#returnAddress = parts.returnAddress;
    this.#clock = parts.clock;
    this.#log = parts.log;
  }

  /**
   * The address of the provider's sign-in page, and the transaction to keep for the return.
   *
   * @throws `unavailable` (503 E010)
   */
  async begin(provider: ProviderId): Promise<{ readonly address: string; readonly transaction: SignOnTransaction }> {
    const configuration = await this.#discoverConfiguration(provider);
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const nonce = openid.randomNonce();
    const address = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#returnAddress(),
      scope,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { address: address.href, transaction: { provider, verifier, state, nonce } };
  }

  /**
   * @throws `unavailable` (503) if the provider is down; 401 E001 if it refuses the code or its reply does not match
   *   the transaction
   */
  async complete(
    transaction: SignOnTransaction,
    returned: { readonly code: string; readonly state?: string; readonly iss?: string },
  ): Promise<FederatedIdentity> {
    const configuration = await this.#discoverConfiguration(transaction.provider);
    const address = new URL(this.#returnAddress());
    address.searchParams.set('code', returned.code);
    address.searchParams.set('state', returned.state ?? transaction.state);
    // A provider that announces `iss` (RFC 9207) requires it in the response; a client that sends the code alone is
    // still protected by PKCE and nonce.
    const { issuer, authorization_response_iss_parameter_supported: announcesIssuer } = configuration.serverMetadata();
    const iss = returned.iss ?? (announcesIssuer === true ? issuer : undefined);
    if (iss !== undefined) address.searchParams.set('iss', iss);
    return this.#ask(transaction.provider, async () => {
      const tokens = await openid.authorizationCodeGrant(configuration, address, {
        pkceCodeVerifier: transaction.verifier,
        expectedState: transaction.state,
        expectedNonce: transaction.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw signOnFailed();
      const { iss, sub } = claims;
      if (typeof claims['email'] === 'string') return toIdentity(iss, sub, claims);
      return toIdentity(iss, sub, await openid.fetchUserInfo(configuration, tokens.access_token, sub));
    });
  }

  async #discoverConfiguration(id: ProviderId): Promise<openid.Configuration> {
    const cached = this.#cached.get(id);
    if (cached !== undefined && this.#clock.now() < cached.until) return cached.configuration;
    const provider = this.#providers[id];
    if (provider === undefined) {
      const prefix = `WALKDOWN_OIDC_${id.toUpperCase()}`;
      const variables = `${prefix}_ISSUER, ${prefix}_CLIENT_ID, ${prefix}_CLIENT_SECRET`;
      throw unavailable(coreRefusal('core.refused.providerNotSetUp', { variables }));
    }
    const configuration = await this.#ask(id, async () => {
      const found = await discover(provider);
      if (found !== undefined) return found;
      this.#log.error(
        { provider: id, issuer: provider.issuer },
        'The metadata of the identity provider name another issuer than the one that is set. Set the issuer of one ' +
          'tenant as its metadata name it, without /.well-known/.',
      );
      throw unavailable(
        coreRefusal('core.refused.providerNotSetUp', { variables: `WALKDOWN_OIDC_${id.toUpperCase()}_ISSUER` }),
      );
    });
    openid.enableNonRepudiationChecks(configuration);
    this.#cached.set(id, { configuration, until: this.#clock.now() + metadataLifetime });
    return configuration;
  }

  async #ask<T>(provider: ProviderId, question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof ServerError) throw error;
      // The error may contain the code or a token, so only its names are logged.
      this.#log.warn({ provider, reason: formatReason(error) }, 'The identity provider did not complete a sign-in.');
      if (isUnavailable(error)) {
        this.#cached.delete(provider);
        throw unavailable('The identity provider cannot be reached at the moment. Please try again later.');
      }
      throw signOnFailed();
    }
  }
}

export const signOnFailed = (): ServerError =>
  new ServerError(401, errorCodes.invalidCredentials, 'The sign-in could not be completed. Please start it again.');

/**
 * Undefined if the metadata name another issuer, which could claim people of another provider. The library skips this
 * check for `/.well-known/` addresses and Microsoft's multi-tenant ones.
 */
async function discover({ issuer, clientId, clientSecret }: SignOnProvider): Promise<openid.Configuration | undefined> {
  const expected = new URL(issuer);
  const found = await openid
    .discovery(expected, clientId, clientSecret.reveal(), openid.ClientSecretPost(clientSecret.reveal()), {
      timeout: timeoutSeconds,
      ...(expected.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}),
    })
    .catch((error: unknown) => {
      if (error instanceof openid.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
        return undefined;
      throw error;
    });
  return found !== undefined && new URL(found.serverMetadata().issuer).href === expected.href ? found : undefined;
}

/** Microsoft Entra sends `xms_edov` instead of the standard `email_verified`. */
function toIdentity(issuer: string, subject: string, claims: Readonly<Record<string, unknown>>): FederatedIdentity {
  const { email, email_verified: verified, xms_edov: ownedDomain } = claims;
  return {
    issuer,
    subject,
    email: typeof email === 'string' && email !== '' ? email : undefined,
    emailVerified:
      verified === true || verified === 'true' || ownedDomain === true || ownedDomain === 1 || ownedDomain === '1',
  };
}

/** No reply, a reply outside the protocol (a proxy's page, 5xx), or a timeout. */
function isUnavailable(error: unknown): boolean {
  if (error instanceof openid.ResponseBodyError) return error.status >= 500;
  if (error instanceof openid.ClientError)
    return (
      error.code === 'OAUTH_TIMEOUT' ||
      error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ||
      error.code === 'OAUTH_RESPONSE_IS_NOT_JSON'
    );
  // `fetch` rejects with a TypeError if the connection fails.
  return error instanceof TypeError && error.cause instanceof Error;
}

function formatReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
  const detail =
    error instanceof openid.ResponseBodyError
      ? error.error
      : error.cause instanceof Error && 'code' in error.cause
        ? String(error.cause.code)
        : '';
  return `${code} ${detail}`.trim();
}
