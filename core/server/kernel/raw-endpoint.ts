import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { EndpointAccess, LocationField, Method } from '#core';
import type { Caller } from '../access/caller.ts';

/**
 * A call whose body or answer is not JSON: a file, an upload, a stream of events. Declared like any other: validated,
 * guarded, limited and in the API description.
 */
export interface RawEndpoint {
  readonly method: Method;
  /** A path that ends in `/*` takes everything below it, as `params['*']`. */
  readonly path: string;
  readonly summary: string;
  /**
   * `byHandler`: the handler decides by what it finds, such as the audience of a file; `caller` is whoever a valid
   * token names, or undefined.
   */
  readonly access: EndpointAccess | 'byHandler';
  readonly location?: LocationField;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** What the request carries. `multipart`: the handler reads `request.parts()`. Default `none`. */
  readonly accepts?: 'none' | 'multipart';
  /** Largest body in bytes; past it the answer is 413. Default: 100 MiB, or the configuration's `limits.uploadBytes`. */
  readonly maximumBytes?: number;
  /** Media type of the answer, for the API description. */
  readonly produces: string;
  /** The cookie `fileTicket` is accepted in place of a bearer token (for `<img>`). */
  readonly ticket?: boolean;
  readonly limitPerMinute?: number;
}

/** Keeps the literal types, so that `caller`, `params` and `query` are known in the handler. */
export const rawEndpoint = <const E extends RawEndpoint>(endpoint: E): E => endpoint;

type StaticOf<T> = T extends TSchema ? Static<T> : undefined;

export interface RawCall<E extends RawEndpoint = RawEndpoint> {
  readonly params: StaticOf<E['params']>;
  readonly query: StaticOf<E['query']>;
  readonly caller: E['access'] extends 'public' | 'byHandler' ? Caller | undefined : Caller;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Answers by returning what Fastify sends (a stream, a buffer, the `reply`), or after `reply.hijack()` by writing to
 * `reply.raw`; a hijacked stream must end in `CoreContext.onStop`.
 */
export type RawHandler<E extends RawEndpoint = RawEndpoint> = (call: RawCall<E>) => Promise<unknown>;
