import { renewalLockName } from '#core';

/** Runs `work` in one tab at a time. `contended`: another tab may just have completed the same work. */
export type RenewalLock = <T>(work: (contended: boolean) => Promise<T>) => Promise<T>;

const presenceLockName = 'walkdown.tab';

/**
 * A lock shared by all tabs, released when a tab closes. Without the Web Locks API (a page without TLS) tabs are not
 * exclusive: they ask each other first, and the server's grace period covers the rest.
 */
export function openRenewalLock(locks: LockManager | undefined): RenewalLock {
  if (!locks) return (work) => work(true);
  return async (work) => {
    const free = await locks.request(renewalLockName, { ifAvailable: true }, async (lock) =>
      lock ? { result: await work(false) } : undefined,
    );
    return free ? free.result : locks.request(renewalLockName, () => work(true));
  };
}

/** Signals to other tabs that this one has a session, until it closes. */
export function showPresence(locks: LockManager | undefined): void {
  void locks
    ?.request(presenceLockName, { mode: 'shared' }, () => new Promise<never>(() => undefined))
    .catch(() => undefined);
}

/** Whether another tab has a session; true if unknown. */
export async function othersArePresent(locks: LockManager | undefined): Promise<boolean> {
  if (!locks) return true;
  const { held } = await locks.query();
  return held?.some((lock) => lock.name === presenceLockName) ?? true;
}
