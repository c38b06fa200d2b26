import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { EndpointAccess, LocationField, Method } from '#core';
import type { Caller } from '../access/caller.ts';

/**
 * An endpoint whose body or reply is not JSON: a file, an upload, an event stream. It is validated, guarded, limited
 * and described like any other endpoint.
 */
export interface RawEndpoint {
  readonly method: Method;
  /** A path that ends in `/*` matches everything below it, as `params['*']`. */
  readonly path: string;
  readonly summary: string;
  /**
   * With `byHandler` the handler decides, for example by the audience of a file. `caller` is then the person of a valid
   * token, or undefined.
   */
  readonly access: EndpointAccess | 'byHandler';
  readonly location?: LocationField;
  readonly params?: TSchema;
  readonly query?: TSchema;
  /** The kind of the request's body. The default is `none`. The handler reads `multipart` from `request.parts()`. */
  readonly accepts?: 'none' | 'multipart';
  /**
   * The maximum size of a body in bytes; larger bodies are answered with 413. The default is the smaller of 100 MiB and
   * `limits.uploadBytes` of the configuration.
   */
  readonly maximumBytes?: number;
  /** The media type of the reply, for the API description. */
  readonly produces: string;
  /** Whether the cookie `fileTicket` is accepted instead of a bearer token, as `<img>` needs it. */
  readonly ticket?: boolean;
  readonly limitPerMinute?: number;
}

/** Preserves literal types, so that `caller`, `params` and `query` are typed in the handler. */
export const rawEndpoint = <const E extends RawEndpoint>(endpoint: E): E => endpoint;

type StaticOf<T> = T extends TSchema ? Static<T> : undefined;

export interface RawCall<E extends RawEndpoint = RawEndpoint> {
  readonly params: StaticOf<E['params']>;
  readonly query: StaticOf<E['query']>;
  readonly caller: E['access'] extends 'public' | 'byHandler' ? Caller | undefined : Caller;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * Replies by returning what Fastify sends (a stream, a buffer, the `reply`), or by writing to `reply.raw` after
 * `reply.hijack()`; a hijacked stream must end in `CoreContext.onStop`.
 */
export type RawHandler<E extends RawEndpoint = RawEndpoint> = (call: RawCall<E>) => Promise<unknown>;
