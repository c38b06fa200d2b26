import type { ProviderId } from '#core';
import { normaliseUsername } from '../../access/account.ts';
import type { ServerConfig } from '../../kernel/server-config.ts';

/** Returns the provider that owns the domain of an email address by configuration. */
export function findDomainOwner({ first, second }: ServerConfig['signOn'], email: string): ProviderId | undefined {
  const domain = normaliseUsername(email).split('@').at(-1) ?? '';
  if (first?.mailDomains.includes(domain)) return 'first';
  return second?.mailDomains.includes(domain) ? 'second' : undefined;
}
