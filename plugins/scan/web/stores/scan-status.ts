import type { ViewerStatus } from '#plugins/tour';
import type { ScanToken } from '../../contract/api.ts';

/** Why no image or cloud is shown, in addition to the reasons of all viewers. */
export type ScanReason =
  | 'tokenMissing'
  | 'tokenExpired'
  | 'noStation'
  | 'noPicture'
  | 'noCloud'
  | 'cloudPreparing'
  | 'cloudUnreadable';
export type ScanStatus = ViewerStatus<ScanReason>;

/** Undefined if scans may be shown. */
export function blockedBy({ state }: ScanToken): ScanStatus | undefined {
  if (state === 'EXPIRED') return { state: 'failed', reason: 'tokenExpired' };
  return state === 'MISSING' ? { state: 'failed', reason: 'tokenMissing' } : undefined;
}

/** Minimum milliseconds between two checks, because the clocks of browser and server may differ. */
const minWaitMs = 10_000;
/** Maximum delay of a browser timer. */
const maxWaitMs = 2 ** 31 - 1;

/** Calls `then` once when a token that is valid now has expired. Returns a cleanup function. */
export function watchToken({ state, expiresAt }: ScanToken, then: () => void): () => void {
  if (state !== 'VALID' || expiresAt === null) return () => undefined;
  const wait = Math.min(maxWaitMs, Math.max(minWaitMs, Date.parse(expiresAt) - Date.now() + 500));
  const timer = setTimeout(then, wait);
  return () => clearTimeout(timer);
}
