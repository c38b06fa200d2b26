import type { Static, TSchema } from 'typebox';
import type { AccessFlag } from './access.ts';
import type { Rule } from './validators/validation-error.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Required access: public, any active signed-in person, or people with the flag. There is no default. */
export type EndpointAccess = 'public' | 'signedIn' | AccessFlag;

/**
 * The request field with a location's uid; the kernel answers 403 if the caller's roles do not include that location.
 */
export type LocationField = `params.${string}` | `query.${string}` | `body.${string}`;

export interface EndpointShape {
  /** One sentence for the API documentation. */
  readonly summary: string;
  readonly access: EndpointAccess;
  readonly location?: LocationField;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly reply: TSchema;
  /**
   * The form's rules, by field of the body: the server applies them after the schema, so that direct calls are
   * validated like the form.
   */
  readonly rules?: Readonly<Record<string, readonly Rule[]>>;
  /** 201 for a creation, 200 otherwise. */
  readonly status?: 200 | 201;
  /** Maximum size of the body for endpoints that take more than the server's default of 1 MiB. */
  readonly maximumBodyBytes?: number;
  /** Maximum calls per minute from one address; the server has a default. */
  readonly limitPerMinute?: number;
}

/**
 * Describes one call once: the server derives route, validation, access check and API documentation; the browser uses
 * it as a type.
 */
export type Endpoint<M extends Method = Method, P extends string = string, S extends EndpointShape = EndpointShape> = {
  readonly method: M;
  readonly path: P;
} & S;

export function endpoint<
  const M extends Method,
  const P extends `/api/${string}` | `/auth/${string}`,
  const S extends EndpointShape,
>(method: M, path: P, shape: S): Endpoint<M, P, S> {
  return { method, path, ...shape };
}

type StaticOf<T> = T extends TSchema ? Static<T> : undefined;
export type ParamsOfEndpoint<E extends Endpoint> = StaticOf<E['params']>;
export type QueryOf<E extends Endpoint> = StaticOf<E['query']>;
export type BodyOf<E extends Endpoint> = StaticOf<E['body']>;
export type ReplyOf<E extends Endpoint> = Static<E['reply']>;

type RequestPart<Name extends string, T> = T extends TSchema ? { readonly [K in Name]: Static<T> } : unknown;
/** A call's request: `params`, `query` and `body`, as far as the endpoint has them. */
export type RequestOf<E extends Endpoint> = RequestPart<'params', E['params']> &
  RequestPart<'query', E['query']> &
  RequestPart<'body', E['body']>;
