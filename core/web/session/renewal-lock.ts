import { renewalLockName } from '#core';

/** Runs `work` in one tab at a time. `contended` is true if another tab may just have done the same work. */
export type RenewalLock = <T>(work: (contended: boolean) => Promise<T>) => Promise<T>;

const presenceLockName = 'walkdown.tab';

/**
 * A lock shared by all tabs, released when a tab closes. Without the Web Locks API, as on a page without TLS, several
 * tabs may renew at once. They first request the token from each other, and the server's grace period accepts a second
 * renewal.
 */
export function openRenewalLock(locks: LockManager | undefined): RenewalLock {
  if (!locks) return (work) => work(true);
  return async (work) => {
    const outcome = await locks.request(renewalLockName, { ifAvailable: true }, async (lock) =>
      lock ? { result: await work(false) } : undefined,
    );
    return outcome ? outcome.result : locks.request(renewalLockName, () => work(true));
  };
}

/** Holds a lock until this tab closes, by which other tabs know that it has a session. */
export function holdPresenceLock(locks: LockManager | undefined): void {
  void locks
    ?.request(presenceLockName, { mode: 'shared' }, () => new Promise<never>(() => undefined))
    .catch(() => undefined);
}

/** Returns true if another tab has a session, or if that is unknown. */
export async function isOtherTabPresent(locks: LockManager | undefined): Promise<boolean> {
  if (!locks) return true;
  const { held } = await locks.query();
  return held?.some((lock) => lock.name === presenceLockName) ?? true;
}
