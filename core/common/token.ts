import type { ServiceIdentifier } from 'inversify';

/** Names one service and carries its type, so that who asks never casts. Token and interface share a name. */
export type Token<T> = ServiceIdentifier<T> & { readonly __type?: T };

/** `token<Clock>('<plugin>.Clock')`. Made by `Symbol.for`: two copies of a contract still name the same service. */
export function token<T>(id: `${string}.${string}`): Token<T> {
  return Symbol.for(id) as Token<T>;
}

/** The id a token was made from, for messages. */
export function nameOfToken(service: ServiceIdentifier): string {
  if (typeof service === 'symbol') return service.description ?? String(service);
  return typeof service === 'string' ? service : service.name;
}
