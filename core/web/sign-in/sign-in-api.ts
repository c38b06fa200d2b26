import {
  refreshTokenInCookie,
  tokenTransportHeader,
  type Endpoint,
  type Language,
  type ProviderId,
  type ReplyOf,
  type RequestOf,
} from '#core';
import type {
  activate,
  exchangeCode,
  getSignInContent,
  login,
  register,
  renewToken,
  requestReset,
  resendCode,
  resetPassword,
  SignInChallenge,
  SignInContent,
  startSignOn,
  Tokens,
} from '#core/api';
import { fromFailedAnswer } from './sign-in-failure.ts';

/** Server calls of the sign-in screens. All reject with `SignInFailure`. */
export interface SignInApi {
  /** A challenge instead of tokens requires a second factor. */
  login(username: string, password: string, admin: boolean): Promise<Tokens | SignInChallenge>;
  /** Calls an endpoint of the second factor. */
  callSecondFactor<E extends Endpoint<'POST'>>(
    path: E['path'],
    body: Extract<RequestOf<E>, { body: unknown }>['body'],
  ): Promise<ReplyOf<E>>;
  /** Renews with the refresh token in the browser's cookie. */
  renew(username: string, isAdmin: boolean): Promise<Tokens>;
  /** The URL of the identity provider for the redirect. */
  startSignOn(provider: ProviderId): Promise<string>;
  /** `query` is the query of the return URL, with `code`. */
  exchangeCode(query: URLSearchParams): Promise<Tokens>;
  register(username: string, password: string): Promise<void>;
  activate(username: string, code: string): Promise<void>;
  requestReset(username: string): Promise<void>;
  resetPassword(username: string, password: string, code: string): Promise<void>;
  resendCode(username: string): Promise<void>;
  /** Loads the content that admins have set up for the screen. */
  loadContent(): Promise<SignInContent>;
}

/** Timeout of a call, long enough for a satellite link. */
const timeoutMs = 30_000;

/** Loads the HTTP client after the first paint, because the screen needs it only on submit. */
export function loadHttp() {
  return import('axios');
}

/** `base` is the base URL of the API without a trailing slash, or empty for the page's own origin. */
export function createSignInApi(apiUrl: string, language: () => Language): SignInApi {
  async function call<E extends Endpoint>(
    method: E['method'],
    path: E['path'],
    request: RequestOf<E>,
  ): Promise<ReplyOf<E>> {
    const { default: axios } = await loadHttp().catch((cause: unknown) => {
      throw fromFailedAnswer({ status: 0, body: undefined, retryAfter: undefined }, { cause });
    });
    const { query, body } = request as { readonly query?: unknown; readonly body?: unknown };
    try {
      const response = await axios.request<ReplyOf<E>>({
        method,
        url: `${apiUrl}${path}`,
        params: query,
        data: body,
        timeout: timeoutMs,
        withCredentials: apiUrl !== '',
        headers: { [tokenTransportHeader]: 'cookie', 'accept-language': language() },
      });
      return response.data;
    } catch (cause) {
      if (!axios.isAxiosError(cause)) throw cause;
      const retryAfter: unknown = cause.response?.headers['retry-after'];
      throw fromFailedAnswer(
        {
          status: cause.response?.status ?? 0,
          body: cause.response?.data,
          retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
        },
        { cause },
      );
    }
  }

  return {
    callSecondFactor: (path, body) => call('POST', path, { body } as never) as never,
    login: (username, password, admin) =>
      call<typeof login>('POST', '/auth/pub/user/login', { body: { username, password, ...(admin ? { admin } : {}) } }),
    renew: (username, isAdmin) =>
      call<typeof renewToken>('POST', '/auth/pub/user/token/renew', {
        query: { isAdmin },
        body: { username, isAdmin, refreshToken: refreshTokenInCookie },
      }),
    startSignOn: async (provider) =>
      (await call<typeof startSignOn>('GET', '/auth/pub/azure/start', { query: { provider } })).address,
    exchangeCode: (query) => {
      const otherParams = Object.fromEntries(
        ['state', 'iss', 'session_state'].flatMap((name) => (query.has(name) ? [[name, query.get(name) ?? '']] : [])),
      );
      return call<typeof exchangeCode>('GET', '/auth/pub/azure/token', {
        query: { code: query.get('code') ?? '', ...otherParams },
      });
    },
    register: async (username, password) =>
      void (await call<typeof register>('POST', '/auth/api/user/register', { body: { username, password } })),
    activate: async (username, otp) =>
      void (await call<typeof activate>('POST', '/auth/api/user/activate', { body: { username, otp } })),
    requestReset: async (username) =>
      void (await call<typeof requestReset>('POST', '/auth/api/user/reset/password/otp', { query: { username } })),
    resetPassword: async (username, password, otp) =>
      void (await call<typeof resetPassword>('POST', '/auth/api/user/reset/password', {
        body: { username, password, otp },
      })),
    resendCode: async (username) =>
      void (await call<typeof resendCode>('POST', '/auth/api/user/resend/otp', { query: { username } })),
    loadContent: () => call<typeof getSignInContent>('GET', '/auth/pub/sign-in-content', {}),
  };
}
