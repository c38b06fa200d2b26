import type { ViewerStatus } from '#plugins/tour';
import type { ScanToken } from '../../contract/api.ts';

/** The reasons for which no image or cloud is shown, in addition to the reasons of all viewers. */
export type ScanReason =
  | 'tokenMissing'
  | 'tokenExpired'
  | 'noStation'
  | 'noPicture'
  | 'noCloud'
  | 'cloudPreparing'
  | 'cloudUnreadable';
export type ScanStatus = ViewerStatus<ScanReason>;

/** Returns the status that tells why scans may not be shown; undefined if they may. */
export function findBlockedStatus({ state }: ScanToken): ScanStatus | undefined {
  if (state === 'EXPIRED') return { state: 'failed', reason: 'tokenExpired' };
  return state === 'MISSING' ? { state: 'failed', reason: 'tokenMissing' } : undefined;
}

/** Minimum milliseconds between two checks, because the clocks of browser and server may differ. */
const minWaitMs = 10_000;
/** Maximum delay of a browser timer. */
const maxWaitMs = 2 ** 31 - 1;

/** Calls `onExpired` once when a token that is valid now has expired. Returns a cleanup function. */
export function watchToken({ state, expiresAt }: ScanToken, onExpired: () => void): () => void {
  if (state !== 'VALID' || expiresAt === null) return () => undefined;
  const waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, Date.parse(expiresAt) - Date.now() + 500));
  const timer = setTimeout(onExpired, waitMs);
  return () => clearTimeout(timer);
}
