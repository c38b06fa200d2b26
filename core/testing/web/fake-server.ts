import { AxiosError, AxiosHeaders, CanceledError, type AxiosAdapter, type InternalAxiosRequestConfig } from 'axios';
import { findReplyProblems } from './reply-problems.ts';

/** A recorded request. `body` is the parsed JSON. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly token: string | undefined;
  readonly header: (name: string) => string | undefined;
}
export interface FakeReply {
  readonly status: number;
  readonly body?: unknown;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** True if the reply intentionally violates its endpoint's schema. */
  readonly isMalformed?: true;
}
export type FakeHandler = (request: SentRequest) => FakeReply | Promise<FakeReply>;

/** Thrown by a handler to simulate a network failure. */
export class ConnectionLostError extends Error {}

const checks: Promise<readonly string[]>[] = [];

/** Schema violations of fake replies since the last call. */
export async function collectReplyProblems(): Promise<readonly string[]> {
  return (await Promise.all(checks.splice(0))).flat();
}

/** A fake server behind axios: replies by method and path, records requests, and supports aborts. */
export class FakeServer {
  readonly requests: SentRequest[] = [];
  readonly #handlers = new Map<string, FakeHandler>();

  /**
   * Handles a method and path such as `GET /api/jobs/:id`, where a parameter matches one path segment. The latest
   * handler for the same text applies.
   */
  on(when: string, handler: FakeHandler | FakeReply): this {
    this.#handlers.set(when, typeof handler === 'function' ? handler : () => handler);
    return this;
  }

  hasHandler(when: string): boolean {
    return this.#handlers.has(when);
  }

  /** Requests with a method and path. */
  sentTo(when: string): readonly SentRequest[] {
    return this.requests.filter((request) => matches(when, request));
  }

  readonly adapter: AxiosAdapter = async (config) => {
    const url = new URL(`${config.baseURL ?? ''}${config.url ?? ''}`, 'http://fake.test');
    for (const [name, value] of Object.entries((config.params ?? {}) as Record<string, unknown>))
      if (value !== undefined) url.searchParams.append(name, String(value));
    const headers = AxiosHeaders.from(config.headers);
    const request: SentRequest = {
      method: (config.method ?? 'get').toUpperCase(),
      path: url.pathname,
      query: url.searchParams,
      body:
        typeof config.data === 'string' && String(headers.getContentType()).includes('json')
          ? (JSON.parse(config.data) as unknown)
          : config.data,
      token: headers
        .get('authorization')
        ?.toString()
        .replace(/^Bearer /, ''),
      header: (name) => headers.get(name)?.toString(),
    };
    this.requests.push(request);
    return toAxiosResponse(config, await rejectIfAborted(config, this.#answer(request)));
  };

  async #answer(request: SentRequest): Promise<FakeReply> {
    for (const [when, handler] of [...this.#handlers].toReversed()) {
      if (!matches(when, request)) continue;
      const reply = await handler(request);
      if (reply.status < 300 && !reply.isMalformed && !(reply.body instanceof Blob))
        checks.push(findReplyProblems(request.method, request.path, reply.body));
      return reply;
    }
    return {
      status: 404,
      body: {
        code: 'E004',
        message: `The fake server has no handler for '${request.method} ${request.path}'.`,
        reference: 'fake',
      },
    };
  }
}

function matches(when: string, { method, path }: SentRequest): boolean {
  const [expectedMethod, pattern = ''] = when.split(' ');
  const parts = pattern.split('/');
  const segments = path.split('/');
  return (
    expectedMethod === method &&
    parts.length === segments.length &&
    parts.every((part, index) => part.startsWith(':') || part === segments[index])
  );
}

function rejectIfAborted<T>(config: InternalAxiosRequestConfig, answer: Promise<T>): Promise<T> {
  const signal = config.signal as AbortSignal | undefined;
  return new Promise<T>((resolve, reject) => {
    const abort = () => reject(new CanceledError(undefined, config));
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    answer.then(resolve, (cause: unknown) =>
      reject(
        cause instanceof ConnectionLostError ? new AxiosError('Network Error', AxiosError.ERR_NETWORK, config) : cause,
      ),
    );
  });
}

function toAxiosResponse(config: InternalAxiosRequestConfig, { status, body, headers = {} }: FakeReply) {
  const response = { data: body, status, statusText: '', headers: { ...headers }, config };
  if (status < 300) return response;
  throw new AxiosError(`Request failed with status code ${status}`, undefined, config, undefined, response);
}
