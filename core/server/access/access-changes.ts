import { token } from '#core';

/** A change that invalidates caches in all processes. `anything` means that announcements may have been missed. */
export type AccessChange =
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'roles' }
  | { readonly kind: 'locations' }
  | { readonly kind: 'anything' };

/** Invalidates the access caches of this process immediately, and those of other processes through the database. */
export interface AccessChanges {
  /** Call it after the commit. The caches of this process are up to date when the promise resolves. */
  announce(change: AccessChange): Promise<void>;
  onChange(listener: (change: AccessChange) => void): void;
}
export const AccessChanges = token<AccessChanges>('core.AccessChanges');
