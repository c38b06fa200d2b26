import type {} from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Endpoint } from '#core';
import type { Caller } from '../access/caller.ts';
import { fromHostCookies, toHostCookie } from './host-cookies.ts';
import { findCaller } from './request-guard.ts';
import { isServedOverHttps, type ServerConfig } from './server-config.ts';
import type { Call, CallHttp, CookieOptions } from './server-plugin.ts';

/** Creates a signal that is aborted when the client disconnects before its reply. */
export function createSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** The input of a handler. Rarely used properties are created lazily. */
export class EndpointCall implements Call<Endpoint> {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #services: { readonly config: ServerConfig; readonly log: Logger };
  #signal: AbortSignal | undefined;

  constructor(
    request: FastifyRequest,
    reply: FastifyReply,
    services: { readonly config: ServerConfig; readonly log: Logger },
  ) {
    this.#request = request;
    this.#reply = reply;
    this.#services = services;
  }

  get params(): never {
    return this.#request.params as never;
  }

  get query(): never {
    return this.#request.query as never;
  }

  get body(): never {
    return this.#request.body as never;
  }

  get caller(): Caller {
    // The guard ensures a caller, except on open endpoints, whose handlers are typed for undefined.
    return findCaller(this.#request) as Caller;
  }

  get signal(): AbortSignal {
    this.#signal ??= createSignal(this.#reply);
    return this.#signal;
  }

  get log(): Logger {
    return this.#services.log.child({ request: this.#request.id });
  }

  get requestId(): string {
    return this.#request.id;
  }

  get http(): CallHttp {
    const request = this.#request;
    const reply = this.#reply;
    const secure = isServedOverHttps(this.#services.config);
    return {
      headers: request.headers,
      cookies: fromHostCookies(request.cookies, secure),
      address: request.ip,
      setCookie: (name, value, options) => {
        const cookie = formatCookie(name, options, secure);
        void reply.setCookie(cookie.name, value, cookie.attributes);
      },
      clearCookie: (name, options) => {
        const cookie = formatCookie(name, options, secure);
        void reply.clearCookie(cookie.name, cookie.attributes);
      },
      setHeader: (name, value) => void reply.header(name, value),
    };
  }
}

function formatCookie(name: string, options: CookieOptions, secure: boolean) {
  const httpOnly = options.httpOnly ?? false;
  const { path } = options;
  const storedCookie = httpOnly ? toHostCookie(name, path, secure) : { name, path };
  return {
    name: storedCookie.name,
    attributes: {
      path: storedCookie.path,
      httpOnly,
      sameSite: 'strict' as const,
      secure,
      ...(options.maxAgeSeconds === undefined ? {} : { maxAge: options.maxAgeSeconds }),
    },
  };
}
