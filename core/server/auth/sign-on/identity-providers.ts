import * as openid from 'openid-client';
import type { Logger } from 'pino';
import type { ProviderId } from '#core';
import { coreRefusal } from '#core/api';
import type { Clock } from '../../kernel/clock.ts';
import type { ServerConfig, SignOnProvider } from '../../kernel/server-config.ts';
import { ServerError, unavailable } from '../../kernel/server-error.ts';
import { errorCodes } from '#core';
import type { SignOnTransaction } from './sign-on-transaction.ts';

/** Who signed in at an identity provider. */
export interface FederatedIdentity {
  /** With `subject` it names one person for ever, whatever their address becomes. */
  readonly issuer: string;
  readonly subject: string;
  /** Undefined where the provider tells none. */
  readonly email: string | undefined;
  /** True only where the provider says that it checked that the address is this person's. */
  readonly emailVerified: boolean;
}

const metadataLifetime = 60 * 60_000;
const timeoutSeconds = 10;
const scope = 'openid email profile';

/**
 * The configured OpenID Connect providers: authorization code flow with PKCE, state and nonce; the ID token's signature
 * is checked too.
 */
export class IdentityProviders {
  readonly #providers: ServerConfig['signOn'];
  readonly #returnAddress: () => string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #known = new Map<ProviderId, { readonly configuration: openid.Configuration; readonly until: number }>();

  /** `returnAddress`: our screen that the provider sends the browser back to; registered there. */
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
   * The address of the provider's sign-in page, and what must be kept for the return. Throws `unavailable` (503 E010).
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
   * Throws `unavailable` (503) where the provider is away, 401 E001 where it does not accept the code or its answer
   * does not fit the transaction.
   */
  async complete(
    transaction: SignOnTransaction,
    returned: { readonly code: string; readonly state?: string; readonly iss?: string },
  ): Promise<FederatedIdentity> {
    const configuration = await this.#discoverConfiguration(transaction.provider);
    const address = new URL(this.#returnAddress());
    address.searchParams.set('code', returned.code);
    address.searchParams.set('state', returned.state ?? transaction.state);
    // A provider that announces `iss` (RFC 9207) must be answered with it; a client that hands over the code alone is
    // bound by PKCE and nonce all the same.
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
    const known = this.#known.get(id);
    if (known !== undefined && this.#clock.now() < known.until) return known.configuration;
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
    this.#known.set(id, { configuration, until: this.#clock.now() + metadataLifetime });
    return configuration;
  }

  async #ask<T>(provider: ProviderId, question: () => Promise<T>): Promise<T> {
    try {
      return await question();
    } catch (error) {
      if (error instanceof ServerError) throw error;
      // The error may hold the code or a token: only its names are logged.
      this.#log.warn({ provider, reason: formatReason(error) }, 'The identity provider did not complete a sign-in.');
      if (isAway(error)) {
        this.#known.delete(provider);
        throw unavailable('The identity provider cannot be reached at the moment. Please try again later.');
      }
      throw signOnFailed();
    }
  }
}

export const signOnFailed = (): ServerError =>
  new ServerError(401, errorCodes.invalidCredentials, 'The sign-in could not be completed. Please start it again.');

/**
 * Undefined where the metadata name another issuer: who may write them could speak for the people of another provider.
 * The library does not compare it for addresses with `/.well-known/` and for Microsoft's that serve several tenants.
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

/** Microsoft's directory says `xms_edov` in place of the standard `email_verified`. */
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

/** No answer, an answer that is none of the protocol (a proxy's page, 5xx), or one that took too long. */
function isAway(error: unknown): boolean {
  if (error instanceof openid.ResponseBodyError) return error.status >= 500;
  if (error instanceof openid.ClientError)
    return (
      error.code === 'OAUTH_TIMEOUT' ||
      error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM' ||
      error.code === 'OAUTH_RESPONSE_IS_NOT_JSON'
    );
  // `fetch` rejects with a TypeError where there is no connection.
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
