import { renewalLockName } from '#core';

/** Runs `work` while no other tab runs any. `contended` tells it that another tab may just have done the same. */
export type RenewalLock = <T>(work: (contended: boolean) => Promise<T>) => Promise<T>;

const presenceLockName = 'walkdown.tab';

/**
 * The lock that all tabs share. A tab that closes gives it back by itself. Where the browser has no locks (a page
 * served without TLS) tabs do not exclude each other: they ask each other first, and the server's grace covers the
 * rest.
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

/** Shows other tabs that this one has a session, for as long as it lives. */
export function showPresence(locks: LockManager | undefined): void {
  void locks
    ?.request(presenceLockName, { mode: 'shared' }, () => new Promise<never>(() => undefined))
    .catch(() => undefined);
}

/** Whether another tab has a session; true where that cannot be known. */
export async function othersArePresent(locks: LockManager | undefined): Promise<boolean> {
  if (!locks) return true;
  const { held } = await locks.query();
  return held?.some((lock) => lock.name === presenceLockName) ?? true;
}
