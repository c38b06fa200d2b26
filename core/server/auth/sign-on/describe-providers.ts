import type { Product } from '#core';
import type { AccountRow } from '../../access/access-tables.ts';
import { isAdminType } from '../../access/account.ts';
import type { ServerConfig } from '../../kernel/server-config.ts';
import { findDomainOwner } from './find-domain-owner.ts';

/**
 * Returns the labels of the providers through which a person can log in. Returns undefined if the person logs in with a
 * password: everybody if the product has only passwords, an admin whose domain no provider owns, and a person whose
 * domain belongs to a provider that is not offered, because the other providers refuse such people.
 */
export function describeProviders(
  { type, providers }: Product['login'],
  signOn: ServerConfig['signOn'],
  { username, user_type: userType }: Pick<AccountRow, 'username' | 'user_type'>,
): string | undefined {
  const owner = findDomainOwner(signOn, username);
  if (type === 'EMAIL_PW' || (owner === undefined && isAdminType(userType))) return undefined;
  const accepting = providers.filter(({ id }) => owner === undefined || id === owner);
  return accepting.length === 0 ? undefined : accepting.map(({ label }) => label).join(' / ');
}
