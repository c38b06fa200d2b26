import { AxiosHeaders, isCancel, type AxiosInstance, type AxiosRequestConfig } from 'axios';
import { errorCodes, inactiveUserMessage, type Endpoint, type Language, type ReplyOf, type RequestOf } from '#core';
import { ApiError, type CallOptions, type HttpClient } from '../kernel/services.ts';
import { isInactiveUserError } from './renewal-call.ts';
import type { TransferredToken } from '../session/session-channel.ts';
import type { TokenManager } from '../session/token-manager.ts';
import { fillPath } from './fill-path.ts';
import { toApiError } from './to-api-error.ts';

/** Maximum number of repetitions of a call whose token was replaced while it ran. */
const maxLateReplays = 3;

/** Timeout of a file transfer without an answer. */
const transferTimeoutMs = 10 * 60_000;

interface RequestParts {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: unknown;
  readonly body?: unknown;
}

/**
 * Sends calls with the session's token. A 401 triggers one shared renewal and one retry; after a second 401 the call
 * waits behind the expired banner for a login in another tab. Each attempt starts from the original request, so that
 * forms and files are sent completely.
 */
export class SessionHttpClient implements HttpClient {
  readonly #transport: AxiosInstance;
  readonly #tokenManager: TokenManager;
  readonly #language: () => Language;

  constructor(transport: AxiosInstance, tokenManager: TokenManager, language: () => Language) {
    this.#transport = transport;
    this.#tokenManager = tokenManager;
    this.#language = language;
  }

  async call<E extends Endpoint>(
    method: E['method'],
    path: E['path'],
    request: RequestOf<E>,
    options: CallOptions = {},
  ): Promise<ReplyOf<E>> {
    const { params, query, body } = request as RequestParts;
    const { signal, onProgress, passive } = options;
    const config: AxiosRequestConfig = {
      method,
      url: fillPath(path, params),
      params: query,
      ...(body === undefined ? {} : { data: body }),
      ...(signal ? { signal } : {}),
      ...(onProgress
        ? {
            timeout: transferTimeoutMs,
            onUploadProgress: (event) => onProgress(event.total ? event.loaded / event.total : 0),
          }
        : {}),
    };
    return this.#sendWithSession<ReplyOf<E>>(config, passive);
  }

  raw<T>(config: AxiosRequestConfig): Promise<T> {
    return this.#sendWithSession(config);
  }

  async #sendWithSession<T>(config: AxiosRequestConfig, passive = false): Promise<T> {
    const signal = config.signal as AbortSignal | undefined;
    const { sessionNumber } = this.#tokenManager;
    let retried = false;
    let lateReplays = 0;
    let refusedToken: TransferredToken | undefined;
    for (;;) {
      const token = await this.#tokenManager.waitForToken(
        sessionNumber,
        signal,
        passive ? { refusedToken } : undefined,
      );
      try {
        return await this.#send<T>(config, token?.accessToken);
      } catch (cause) {
        if (isCancel(cause)) signal?.throwIfAborted();
        const failure = toApiError(cause);
        if (failure.status !== 401) throw failure;
        if (isInactiveUserError(failure.body)) {
          this.#tokenManager.setInactive();
          throw failure;
        }
        if (passive) {
          if (!token) throw failure;
          refusedToken = token;
        } else if (this.#tokenManager.token !== token) {
          lateReplays += 1;
          if (lateReplays > maxLateReplays) throw failure;
        } else if (retried) {
          this.#tokenManager.expire(token);
          if (this.#tokenManager.state === 'none') throw failure;
          retried = false;
        } else {
          retried = true;
          await this.#tokenManager.renew(token, signal);
          if (this.#tokenManager.state === 'none') throw failure;
          if (this.#tokenManager.state === 'inactive') throw inactiveError(failure);
        }
      }
    }
  }

  async #send<T>(config: AxiosRequestConfig, accessToken: string | undefined): Promise<T> {
    const headers = config.headers instanceof AxiosHeaders ? config.headers.toJSON() : config.headers;
    const { data } = await this.#transport.request<T>({
      ...config,
      headers: {
        'accept-language': this.#language(),
        ...headers,
        ...(accessToken === undefined ? {} : { authorization: `Bearer ${accessToken}` }),
      },
    });
    return data;
  }
}

/** The error of a call if its renewal reported that the account is inactive. */
function inactiveError(failure: ApiError): ApiError {
  return new ApiError(
    401,
    { code: errorCodes.inactiveUser, message: inactiveUserMessage, reference: failure.body?.reference ?? '' },
    { cause: failure },
  );
}
