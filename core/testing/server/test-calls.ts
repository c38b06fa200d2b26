import type { FastifyInstance } from 'fastify';
import type { Endpoint, ErrorBody, ReplyOf, RequestOf } from '#core';
import type { CookieJar } from '../cookie-jar.ts';

export interface CallOptions {
  /** An access token. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Answer<Body> {
  readonly status: number;
  /** The reply of a 2xx. */
  readonly body: Body;
  /** The same body as an error, for other statuses. */
  readonly refusal: ErrorBody;
  readonly headers: Readonly<Record<string, string | readonly string[] | number | undefined>>;
}

/** Calls endpoints without a network. */
export interface TestCalls {
  call<E extends Endpoint>(endpoint: E, request: RequestOf<E> & CallOptions): Promise<Answer<ReplyOf<E>>>;
}

interface LooseRequest extends CallOptions {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

/** Fills the parameters of a path. */
export function fillPath(path: string, params: unknown = {}): string {
  const values = new Map(Object.entries(params ?? {}));
  return path.replace(/:(\w+)|\*$/g, (_whole, name: string | undefined) => {
    const value: unknown = values.get(name ?? '*');
    return name === undefined ? String(value ?? '') : encodeURIComponent(String(value ?? ''));
  });
}

function formatSearch(query: unknown): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {}))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined) search.append(name, String(item));
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

/** `jar` stores and sends the cookies of all replies. `address` is the caller's IP address. */
export function createTestCalls(
  app: FastifyInstance,
  { jar, address }: { readonly jar?: CookieJar; readonly address?: string } = {},
): TestCalls {
  return {
    async call<E extends Endpoint>(endpoint: E, request: RequestOf<E> & CallOptions): Promise<Answer<ReplyOf<E>>> {
      const loose: LooseRequest = request;
      const headers: Record<string, string> = { ...jar?.headersFor(endpoint.path), ...loose.headers };
      if (loose.token !== undefined) headers['authorization'] = `Bearer ${loose.token}`;
      if (loose.body !== undefined) headers['content-type'] = 'application/json';
      const answer = await app.inject({
        method: endpoint.method,
        url: fillPath(endpoint.path, loose.params) + formatSearch(loose.query),
        headers,
        ...(address === undefined ? {} : { remoteAddress: address }),
        ...(loose.body === undefined ? {} : { payload: JSON.stringify(loose.body) }),
      });
      jar?.store(answer.headers);
      const body = answer.body === '' ? undefined : (JSON.parse(answer.body) as never);
      return { status: answer.statusCode, body: body as never, refusal: body as never, headers: answer.headers };
    },
  };
}
