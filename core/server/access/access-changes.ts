import { token } from '#core';

/** What changed, for the caches of all processes. `anything`: announcements may have been missed. */
export type AccessChange =
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'account'; readonly account: string }
  | { readonly kind: 'roles' }
  | { readonly kind: 'locations' }
  | { readonly kind: 'anything' };

/** Tells the caches of this process at once, and those of the others by the database, what they must forget. */
export interface AccessChanges {
  /** To be called after the change is committed: what this process keeps is right when it returns. */
  announce(change: AccessChange): Promise<void>;
  onChange(listener: (change: AccessChange) => void): void;
}
export const AccessChanges = token<AccessChanges>('core.AccessChanges');
