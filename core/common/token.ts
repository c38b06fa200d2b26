import type { ServiceIdentifier } from 'inversify';

/** Identifies a service and carries its type, so that callers never cast. Token and interface share a name. */
export type Token<T> = ServiceIdentifier<T> & { readonly __type?: T };

/** Creates a token. `Symbol.for` makes two copies of a contract identify the same service. */
export function token<T>(id: `${string}.${string}`): Token<T> {
  return Symbol.for(id) as Token<T>;
}

/** The id of a token, for messages. */
export function getTokenName(service: ServiceIdentifier): string {
  if (typeof service === 'symbol') return service.description ?? String(service);
  return typeof service === 'string' ? service : service.name;
}
