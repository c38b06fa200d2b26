import type { AxiosInstance } from 'axios';
import { errorCodes, inactiveUserMessage, refreshTokenInCookie, tokenTransportHeader, type ErrorBody } from '#core';
import type { Tokens } from '#core/api';
import { transferredTokens, type TransferredTokens } from '../session/session-channel.ts';
import { toApiError } from './to-api-error.ts';
import type { ApiError } from '../kernel/services.ts';

/** Result of one renewal attempt. `unreachable` says nothing about the session, so nobody is logged out. */
export type RenewalOutcome =
  | { readonly kind: 'renewed'; readonly tokens: TransferredTokens }
  | { readonly kind: 'refused'; readonly reason: 'refused' | 'noAccessToken' }
  | { readonly kind: 'inactive'; readonly error: ApiError }
  | { readonly kind: 'unreachable'; readonly error: ApiError };

/** Hints about the person; the refresh token itself identifies them. */
export interface RenewalHint {
  readonly username: string;
  readonly isAdmin: boolean;
}

export type RenewalCall = (hint: RenewalHint) => Promise<RenewalOutcome>;

/** Timeout of a renewal in ms, which also bounds the time the lock is held. */
const renewalTimeoutMs = 30_000;

/** True for the one 401 that must not trigger a renewal. */
export function saysInactive(body: ErrorBody | undefined): boolean {
  return body?.code === errorCodes.inactiveUser || body?.message === inactiveUserMessage;
}

/** Sends `POST /auth/pub/user/token/renew` once; the refresh token is in its cookie. Never rejects. */
export function renewalCall(transport: AxiosInstance, now: () => number = Date.now): RenewalCall {
  return async ({ username, isAdmin }) => {
    try {
      const { data } = await transport.post<Partial<Tokens> | undefined>(
        '/auth/pub/user/token/renew',
        { username, isAdmin, refreshToken: refreshTokenInCookie },
        { params: { isAdmin }, headers: { [tokenTransportHeader]: 'cookie' }, timeout: renewalTimeoutMs },
      );
      if (!data?.accessToken) return { kind: 'refused', reason: 'noAccessToken' };
      return {
        kind: 'renewed',
        tokens: transferredTokens(
          {
            accessToken: data.accessToken,
            username: data.username ?? username,
            isAdmin: data.isAdmin ?? isAdmin,
            expiresIn: data.expiresIn ?? 300,
          },
          now(),
        ),
      };
    } catch (cause) {
      const error = toApiError(cause);
      if (saysInactive(error.body)) return { kind: 'inactive', error };
      return [400, 401, 403].includes(error.status)
        ? { kind: 'refused', reason: 'refused' }
        : { kind: 'unreachable', error };
    }
  };
}
