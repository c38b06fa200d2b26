import { noAccess, notFound, unavailable } from '#core/server';

export interface ViewerCredentials {
  /** URL of the token endpoint (OAuth 2.0, client credentials). */
  readonly tokenEndpoint: string;
  readonly client: string | undefined;
  readonly secret: string | undefined;
}

export interface ViewerToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** A cached token is replaced if it expires sooner. */
const minRemainingSeconds = 120;
const timeoutMs = 15_000;

/**
 * Fetches tokens of the external model viewer that may only read models (scope `viewables:read`), and caches each until
 * shortly before it expires.
 */
export class ViewerTokens {
  readonly #credentials: ViewerCredentials | undefined;
  readonly #now: () => number;
  #cached: { readonly token: string; readonly endsAt: number } | undefined;
  #pendingRequest: Promise<ViewerToken> | undefined;

  constructor(credentials: ViewerCredentials | undefined, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /**
   * @throws 404 if the product uses the built-in engine, 403 if the service refuses the client, 503 if it is
   *   unreachable
   */
  async getToken(): Promise<ViewerToken> {
    const remainingSeconds = this.#cached ? Math.floor((this.#cached.endsAt - this.#now()) / 1000) : 0;
    if (this.#cached && remainingSeconds > minRemainingSeconds)
      return { token: this.#cached.token, expiresInSeconds: remainingSeconds };
    this.#pendingRequest ??= this.#requestToken().finally(() => (this.#pendingRequest = undefined));
    return this.#pendingRequest;
  }

  async #requestToken(): Promise<ViewerToken> {
    if (!this.#credentials) throw notFound('An external model viewer');
    const { tokenEndpoint, client, secret } = this.#credentials;
    if (!client || !secret)
      throw unavailable(
        'The external model viewer has no client: set MODEL_VIEWER_CLIENT_ID and MODEL_VIEWER_CLIENT_SECRET on the ' +
          'server.',
      );
    const response = await fetch(tokenEndpoint, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'viewables:read' }),
      // A redirect would send the secret to another server.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw unavailable(
        'The external model viewer gave no token: it could not be reached. Please try again later.',
        cause,
      );
    });
    if (response.status === 401 || response.status === 403)
      throw noAccess('The external model viewer refused the client. Please ask the admin to check its id and secret.');
    const body = response.ok
      ? ((await response.json().catch(() => undefined)) as
          | { readonly access_token?: unknown; readonly expires_in?: unknown }
          | undefined)
      : undefined;
    if (typeof body?.access_token !== 'string')
      throw unavailable(
        `The external model viewer gave no token: it answered ${response.status}. Please try again later.`,
      );
    const expiresInSeconds = typeof body.expires_in === 'number' ? Math.floor(body.expires_in) : 600;
    this.#cached = { token: body.access_token, endsAt: this.#now() + expiresInSeconds * 1000 };
    return { token: body.access_token, expiresInSeconds };
  }
}
