import type { ViewerStatus } from '#plugins/tour';
import type { ScanToken } from '../../contract/api.ts';

/** Why there is no picture or cloud, besides the reasons of all viewers. */
export type ScanReason =
  | 'tokenMissing'
  | 'tokenExpired'
  | 'noStation'
  | 'noPicture'
  | 'noCloud'
  | 'cloudPreparing'
  | 'cloudUnreadable';
export type ScanStatus = ViewerStatus<ScanReason>;

/** Undefined where scans may be seen. */
export function blockedBy({ state }: ScanToken): ScanStatus | undefined {
  if (state === 'EXPIRED') return { state: 'failed', reason: 'tokenExpired' };
  return state === 'MISSING' ? { state: 'failed', reason: 'tokenMissing' } : undefined;
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
