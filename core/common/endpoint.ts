import type { Static, TSchema } from 'typebox';
import type { AccessFlag } from './access.ts';
import type { Rule } from './validators/validation-error.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Who may call: anybody, any active signed-in person, or people with the flag. There is no default. */
export type EndpointAccess = 'public' | 'signedIn' | AccessFlag;

/**
 * The request field that holds the uid of a location; the kernel answers 403 where the caller's roles do not reach it.
 */
export type LocationField = `params.${string}` | `query.${string}` | `body.${string}`;

export interface EndpointShape {
  /** One sentence for the API's page. */
  readonly summary: string;
  readonly access: EndpointAccess;
  readonly location?: LocationField;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly body?: TSchema;
  readonly reply: TSchema;
  /**
   * The rules of the form, by field of the body: the server runs the same ones after the schema's, so that what the
   * form refuses a direct call is refused too.
   */
  readonly rules?: Readonly<Record<string, readonly Rule[]>>;
  /** 201 for a creation, 200 otherwise. */
  readonly status?: 200 | 201;
  /** Calls allowed from one address in one minute; the server has a default. */
  readonly limitPerMinute?: number;
}

/**
 * One call, described once: the server makes of it the route, the validation, the access check and the API description;
 * the browser takes it as a type.
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

type Part<Name extends string, T> = T extends TSchema ? { readonly [K in Name]: Static<T> } : unknown;
/** What a caller hands over: `params`, `query` and `body`, each only where the endpoint has it. */
export type RequestOf<E extends Endpoint> = Part<'params', E['params']> &
  Part<'query', E['query']> &
  Part<'body', E['body']>;
