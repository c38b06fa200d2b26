import type { AxiosInstance } from 'axios';
import { errorCodes, inactiveUserMessage, refreshTokenInCookie, tokenTransportHeader, type ErrorBody } from '#core';
import type { Tokens } from '#core/api';
import { toTransferredToken, type TransferredToken } from '../session/session-channel.ts';
import { toApiError } from './to-api-error.ts';
import type { ApiError } from '../kernel/services.ts';

/** Result of one renewal attempt. `unreachable` reveals nothing about the session, so nobody is logged out. */
export type RenewalOutcome =
  | { readonly kind: 'renewed'; readonly token: TransferredToken }
  | { readonly kind: 'refused'; readonly reason: 'refused' | 'replyWithoutToken' }
  | { readonly kind: 'inactive'; readonly error: ApiError }
  | { readonly kind: 'unreachable'; readonly error: ApiError };

/** The last known person. Only a hint, because the server identifies the person by the refresh token. */
export interface RenewalHints {
  readonly username: string;
  readonly isAdmin: boolean;
}

export type RenewalCall = (hints: RenewalHints) => Promise<RenewalOutcome>;

/** Timeout of a renewal, which also limits how long the lock is held. */
const renewalTimeoutMs = 30_000;
/** Assumed lifetime of an access token if the reply does not state it. */
const defaultLifetimeSeconds = 300;

/** True for the one 401 that must not trigger a renewal. */
export function isInactiveUserError(body: ErrorBody | undefined): boolean {
  return body?.code === errorCodes.inactiveUser || body?.message === inactiveUserMessage;
}

/** Creates a function that sends `POST /auth/pub/user/token/renew` once, with the cookie. It never rejects. */
export function createRenewalCall(transport: AxiosInstance, now: () => number = Date.now): RenewalCall {
  return async ({ username, isAdmin }) => {
    try {
      const { data } = await transport.post<Partial<Tokens> | undefined>(
        '/auth/pub/user/token/renew',
        { username, isAdmin, refreshToken: refreshTokenInCookie },
        { params: { isAdmin }, headers: { [tokenTransportHeader]: 'cookie' }, timeout: renewalTimeoutMs },
      );
      if (!data?.accessToken) return { kind: 'refused', reason: 'replyWithoutToken' };
      return {
        kind: 'renewed',
        token: toTransferredToken(
          {
            accessToken: data.accessToken,
            username: data.username ?? username,
            isAdmin: data.isAdmin ?? isAdmin,
            expiresIn: data.expiresIn ?? defaultLifetimeSeconds,
          },
          now(),
        ),
      };
    } catch (cause) {
      const error = toApiError(cause);
      if (isInactiveUserError(error.body)) return { kind: 'inactive', error };
      return [400, 401, 403].includes(error.status)
        ? { kind: 'refused', reason: 'refused' }
        : { kind: 'unreachable', error };
    }
  };
}
