import * as openid from 'openid-client';
import type { Logger } from 'pino';
import { errorCodes, type ProviderId } from '#core';
import { coreRefusal } from '#core/api';
import type { Clock } from '../../kernel/clock.ts';
import type { ServerConfig, SignOnProvider } from '../../kernel/server-config.ts';
import { ServerError, unavailable } from '../../kernel/server-error.ts';
import type { SignOnTransaction } from './sign-on-transaction.ts';

/** A person's identity at an identity provider. */
export interface FederatedIdentity {
  /** Together with `subject`, a permanent key of the person, even if the address changes. */
  readonly issuer: string;
  readonly subject: string;
  /** Undefined if the provider sends none. */
  readonly email: string | undefined;
  /** True only if the provider states that it verified the address. */
  readonly emailVerified: boolean;
  /**
   * The groups that the configured claim names. `NOT_CONFIGURED` without a configured claim, `ABSENT` if the provider
   * did not send the claim, `OVERAGE` if there are too many groups for a token, so that the provider only refers to
   * them.
   */
  readonly groups: readonly string[] | 'NOT_CONFIGURED' | 'ABSENT' | 'OVERAGE';
}

const metadataLifetimeMs = 60 * 60_000;
const timeoutSeconds = 10;
const scope = 'openid email profile';

/**
 * Signs people in at the configured OpenID Connect providers by the authorization code flow with PKCE, state and nonce.
 * Also verifies the signature of the ID token.
 */
export class IdentityProviders {
  readonly #providers: ServerConfig['signOn'];
  readonly #returnUrl: () => string;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #configurations = new Map<
    ProviderId,
    { readonly configuration: openid.Configuration; readonly expiresAt: number }
  >();

  /**
   * `returnUrl` returns the URL of the screen to which the provider redirects. The URL is registered at the provider.
   */
  constructor(options: {
    readonly providers: ServerConfig['signOn'];
    readonly returnUrl: () => string;
    readonly clock: Clock;
    readonly log: Logger;
  }) {
    this.#providers = options.providers;
    this.#returnUrl = options.returnUrl;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /**
   * Returns the URL of the provider's sign-in page, and the transaction that `complete` needs.
   *
   * @throws `unavailable` (503 E010)
   */
  async begin(provider: ProviderId): Promise<{ readonly url: string; readonly transaction: SignOnTransaction }> {
    const configuration = await this.#discoverConfiguration(provider);
    const verifier = openid.randomPKCECodeVerifier();
    const state = openid.randomState();
    const nonce = openid.randomNonce();
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: this.#returnUrl(),
      scope,
      code_challenge: await openid.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    return { url: url.href, transaction: { provider, verifier, state, nonce } };
  }

  /**
   * @throws `unavailable` (503) if the provider is down; 401 E001 if it refuses the code or its reply does not match
   *   the transaction
   */
  async complete(
    transaction: SignOnTransaction,
    returnParams: { readonly code: string; readonly state?: string; readonly iss?: string },
  ): Promise<FederatedIdentity> {
    const configuration = await this.#discoverConfiguration(transaction.provider);
    const callbackUrl = new URL(this.#returnUrl());
    callbackUrl.searchParams.set('code', returnParams.code);
    callbackUrl.searchParams.set('state', returnParams.state ?? transaction.state);
    // For a provider that announces `iss` (RFC 9207) the library requires it, but some clients send the code alone. PKCE
    // and nonce still protect them.
    const { issuer, authorization_response_iss_parameter_supported: announcesIssuer } = configuration.serverMetadata();
    const iss = returnParams.iss ?? (announcesIssuer === true ? issuer : undefined);
    if (iss !== undefined) callbackUrl.searchParams.set('iss', iss);
    return this.#callProvider(transaction.provider, async () => {
      const tokens = await openid.authorizationCodeGrant(configuration, callbackUrl, {
        pkceCodeVerifier: transaction.verifier,
        expectedState: transaction.state,
        expectedNonce: transaction.nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw createSignOnError();
      const { sub } = claims;
      const { groupsClaim, absentGroups } = this.#providers[transaction.provider] ?? {};
      const hasEmail = typeof claims['email'] === 'string';
      const isComplete = hasEmail && (groupsClaim === undefined || claims[groupsClaim] !== undefined);
      const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
      const userInfo: Readonly<Record<string, unknown>> | undefined =
        isComplete || (hasEmail && !hasUserInfo)
          ? {}
          : await openid.fetchUserInfo(configuration, tokens.access_token, sub).catch((error: unknown) => {
              // Without user info only the groups are missing, and missing groups do not refuse a person.
              if (!hasEmail) throw error;
              const reason = formatReason(error);
              this.#log.warn({ provider: transaction.provider, reason }, 'The identity provider sent no user info.');
              return undefined;
            });
      const groups = readGroups({ ...claims, ...userInfo }, groupsClaim);
      return {
        // The email address and its verification come from the same source.
        ...toIdentity(claims.iss, sub, hasEmail ? claims : (userInfo ?? {})),
        // A failed call for the user info says nothing about groups.
        groups: groups === 'ABSENT' && absentGroups === 'remove' && userInfo ? [] : groups,
      };
    });
  }

  async #discoverConfiguration(id: ProviderId): Promise<openid.Configuration> {
    const cachedEntry = this.#configurations.get(id);
    if (cachedEntry !== undefined && this.#clock.now() < cachedEntry.expiresAt) return cachedEntry.configuration;
    const provider = this.#providers[id];
    if (provider === undefined) {
      const prefix = `WALKDOWN_OIDC_${id.toUpperCase()}`;
      const variables = `${prefix}_ISSUER, ${prefix}_CLIENT_ID, ${prefix}_CLIENT_SECRET`;
      throw unavailable(coreRefusal('core.refused.providerNotSetUp', { variables }));
    }
    const configuration = await this.#callProvider(id, async () => {
      const providerConfiguration = await discover(provider);
      if (providerConfiguration !== undefined) return providerConfiguration;
      this.#log.error(
        { provider: id, issuer: provider.issuer },
        'The metadata of the identity provider contains another issuer than the configured one. Configure the issuer ' +
          'of one tenant exactly as its metadata spells it, without /.well-known/.',
      );
      throw unavailable(
        coreRefusal('core.refused.providerNotSetUp', { variables: `WALKDOWN_OIDC_${id.toUpperCase()}_ISSUER` }),
      );
    });
    openid.enableNonRepudiationChecks(configuration);
    this.#configurations.set(id, { configuration, expiresAt: this.#clock.now() + metadataLifetimeMs });
    return configuration;
  }

  async #callProvider<T>(provider: ProviderId, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof ServerError) throw error;
      // The error may contain the code or a token, so only its error codes are logged.
      this.#log.warn({ provider, reason: formatReason(error) }, 'The identity provider did not complete a sign-in.');
      if (isUnavailable(error)) {
        this.#configurations.delete(provider);
        throw unavailable('The identity provider cannot be reached at the moment. Please try again later.');
      }
      throw createSignOnError();
    }
  }
}

export const createSignOnError = (): ServerError =>
  new ServerError(401, errorCodes.invalidCredentials, 'The sign-in could not be completed. Please start it again.');

/**
 * Returns undefined if the metadata contains another issuer, which could claim people of another provider. The library
 * skips this check for `/.well-known/` URLs and for Microsoft's multi-tenant URLs.
 */
async function discover({ issuer, clientId, clientSecret }: SignOnProvider): Promise<openid.Configuration | undefined> {
  const issuerUrl = new URL(issuer);
  const providerConfiguration = await openid
    .discovery(issuerUrl, clientId, clientSecret.reveal(), openid.ClientSecretPost(clientSecret.reveal()), {
      timeout: timeoutSeconds,
      ...(issuerUrl.protocol === 'http:' ? { execute: [openid.allowInsecureRequests] } : {}),
    })
    .catch((error: unknown) => {
      if (error instanceof openid.ClientError && error.code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED')
        return undefined;
      throw error;
    });
  return providerConfiguration !== undefined &&
    new URL(providerConfiguration.serverMetadata().issuer).href === issuerUrl.href
    ? providerConfiguration
    : undefined;
}

/** Microsoft Entra sends `xms_edov` instead of the standard `email_verified`. */
function toIdentity(
  issuer: string,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): Omit<FederatedIdentity, 'groups'> {
  const { email, email_verified: emailVerified, xms_edov: domainIsVerified } = claims;
  return {
    issuer,
    subject,
    email: typeof email === 'string' && email !== '' ? email : undefined,
    emailVerified:
      emailVerified === true ||
      emailVerified === 'true' ||
      domainIsVerified === true ||
      domainIsVerified === 1 ||
      domainIsVerified === '1',
  };
}

/** Accepts a list of strings, or one string. Microsoft Entra replaces more than 200 groups by `_claim_names`. */
function readGroups(claims: Readonly<Record<string, unknown>>, claim: string | undefined): FederatedIdentity['groups'] {
  if (claim === undefined) return 'NOT_CONFIGURED';
  const value = claims[claim];
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.filter((group) => typeof group === 'string');
  const references = claims['_claim_names'];
  return typeof references === 'object' && references !== null && claim in references ? 'OVERAGE' : 'ABSENT';
}

/** Whether the provider sent no reply in time, or a reply outside the protocol such as a proxy's page or a 5xx. */
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
