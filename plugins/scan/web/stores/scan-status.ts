import { ApiError } from '#core/web';
import type { ScanToken } from '../../contract/api.ts';

/** What the scan module shows in place of a picture or a cloud; `shown`: nothing is in the way. */
export type ScanStatus =
  | 'loading'
  | 'shown'
  | 'failed'
  | 'offline'
  | 'noAccess'
  | 'tokenMissing'
  | 'tokenExpired'
  | 'noStation'
  | 'noPicture'
  | 'noWebGl'
  | 'noCloud'
  | 'cloudPreparing'
  | 'cloudUnreadable';

/** Undefined where scans may be seen. */
export function blockedBy({ state }: ScanToken): 'tokenExpired' | 'tokenMissing' | undefined {
  return ({ EXPIRED: 'tokenExpired', MISSING: 'tokenMissing', NONE: undefined, VALID: undefined } as const)[state];
}

/** Of a call that failed. */
export function toFailureReason(error: unknown): 'offline' | 'noAccess' | 'failed' {
  const status = error instanceof ApiError ? error.status : undefined;
  return status === 0 ? 'offline' : status === 403 ? 'noAccess' : 'failed';
}

/** Least milliseconds between two asks: the clocks of browser and server may differ. */
const minWaitMs = 10_000;
/** Longer than this a timer of the browser cannot wait. */
const maxWaitMs = 2 ** 31 - 1;

/** Calls `then` once, when a token that is valid now has expired. Returns the way out. */
export function watchToken({ state, expiresAt }: ScanToken, then: () => void): () => void {
  if (state !== 'VALID' || expiresAt === null) return () => undefined;
  const wait = Math.min(maxWaitMs, Math.max(minWaitMs, Date.parse(expiresAt) - Date.now() + 500));
  const timer = setTimeout(then, wait);
  return () => clearTimeout(timer);
}
