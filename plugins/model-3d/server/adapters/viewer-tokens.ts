import { noAccess, notFound, unavailable } from '#core/server';

export interface ViewerCredentials {
  /** Token endpoint (OAuth 2.0, client credentials). */
  readonly token: string;
  readonly client: string | undefined;
  readonly secret: string | undefined;
}

export interface ViewerToken {
  readonly token: string;
  readonly expiresInSeconds: number;
}

/** Seconds before expiry from which a token is no longer used. */
const spare = 120;
const timeoutMs = 15_000;

/**
 * Fetches tokens of the external model viewer that may only read models (scope `viewables:read`), and caches each until
 * shortly before it expires.
 */
export class ViewerTokens {
  readonly #credentials: ViewerCredentials | undefined;
  readonly #now: () => number;
  #held: { readonly token: string; readonly endsAt: number } | undefined;
  #asking: Promise<ViewerToken> | undefined;

  constructor(credentials: ViewerCredentials | undefined, now: () => number = Date.now) {
    this.#credentials = credentials;
    this.#now = now;
  }

  /**
   * @throws 404 if the product uses the built-in engine, 403 if the service refuses the client, 503 if it is
   *   unreachable
   */
  async token(): Promise<ViewerToken> {
    const left = this.#held ? Math.floor((this.#held.endsAt - this.#now()) / 1000) : 0;
    if (this.#held && left > spare) return { token: this.#held.token, expiresInSeconds: left };
    this.#asking ??= this.#ask().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #ask(): Promise<ViewerToken> {
    if (!this.#credentials) throw notFound('An external model viewer');
    const { token, client, secret } = this.#credentials;
    if (!client || !secret)
      throw unavailable(
        'The external model viewer has no client: set MODEL_VIEWER_CLIENT_ID and MODEL_VIEWER_CLIENT_SECRET on the ' +
          'server.',
      );
    const response = await fetch(token, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'viewables:read' }),
      // A redirect would send the secret to another address.
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
    const answer = response.ok
      ? ((await response.json().catch(() => undefined)) as
          | { readonly access_token?: unknown; readonly expires_in?: unknown }
          | undefined)
      : undefined;
    if (typeof answer?.access_token !== 'string')
      throw unavailable(
        `The external model viewer gave no token: it answered ${response.status}. Please try again later.`,
      );
    const expiresInSeconds = typeof answer.expires_in === 'number' ? Math.floor(answer.expires_in) : 600;
    this.#held = { token: answer.access_token, endsAt: this.#now() + expiresInSeconds * 1000 };
    return { token: answer.access_token, expiresInSeconds };
  }
}
