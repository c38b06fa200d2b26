import type { ViewerStatus } from '#plugins/tour';
import type { ScanToken } from '../../contract/api.ts';

/** Why no panorama or point cloud is shown, in addition to the reasons of all viewers. */
export type ScanReason =
  | 'tokenMissing'
  | 'tokenExpired'
  | 'noStation'
  | 'noPicture'
  | 'noCloud'
  | 'cloudPreparing'
  | 'cloudUnreadable';
export type ScanStatus = ViewerStatus<ScanReason>;

/** Returns the status if the scan token forbids to show scans; undefined if they may be shown. */
export function findBlockedStatus({ state }: ScanToken): ScanStatus | undefined {
  if (state === 'EXPIRED') return { state: 'failed', reason: 'tokenExpired' };
  return state === 'MISSING' ? { state: 'failed', reason: 'tokenMissing' } : undefined;
}

/** Minimum milliseconds between two checks, because the clocks of browser and server may differ. */
const minWaitMs = 10_000;
/** Maximum delay of a browser timer. */
const maxWaitMs = 2 ** 31 - 1;

/**
 * Calls `onExpired` once when a token that is valid now has expired, or after `maxWaitMs`, when it may still be valid.
 * Returns a cleanup function.
 */
export function watchToken({ state, expiresAt }: ScanToken, onExpired: () => void): () => void {
  if (state !== 'VALID' || expiresAt === null) return () => undefined;
  const waitMs = Math.min(maxWaitMs, Math.max(minWaitMs, Date.parse(expiresAt) - Date.now() + 500));
  const timer = setTimeout(onExpired, waitMs);
  return () => clearTimeout(timer);
}
