import http from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ErrorBody } from '#core';
import { maxWaitMs } from '../../core/testing/max-wait.ts';
import type { FuzzRequest } from './requests.ts';

export interface Answer {
  /** The status code, 0 without a response in time, or -1 if the connection closed without a response. */
  readonly status: number;
  readonly contentType: string;
  /** The response's `x-request-id`, which identifies its log lines. */
  readonly requestId: string;
  readonly body: string;
}

const noAnswer = { contentType: '', requestId: '', body: '' };

/** Sends one request. Event streams are closed as soon as they begin. */
export function send(
  agent: http.Agent,
  origin: string,
  request: FuzzRequest,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  return new Promise((resolve) => {
    const clientRequest = http.request(origin + request.url, {
      agent,
      method: request.method,
      headers: {
        ...request.headers,
        ...headers,
        ...(request.body ? { 'content-length': String(request.body.length) } : {}),
      },
    });
    const timer = setTimeout(() => {
      end({ ...noAnswer, status: 0 });
      clientRequest.destroy();
    }, maxWaitMs);
    let isEnded = false;
    const end = (answer: Answer): void => {
      isEnded = true;
      clearTimeout(timer);
      resolve(answer);
    };
    clientRequest.on('error', (error: NodeJS.ErrnoException) => {
      if (!isEnded) end({ ...noAnswer, status: -1, body: `${error.code ?? ''} ${error.message}` });
    });
    clientRequest.once('response', (response) => {
      const headFields = {
        status: response.statusCode ?? 0,
        contentType: String(response.headers['content-type'] ?? ''),
        requestId: String(response.headers['x-request-id'] ?? ''),
      };
      if (headFields.contentType.startsWith('text/event-stream')) {
        end({ ...headFields, body: '' });
        clientRequest.destroy();
        return;
      }
      buffer(response)
        .then((body) => end({ ...headFields, body: decodeBody(body, response.headers['content-encoding']) }))
        .catch((error: Error) => end({ ...headFields, status: -1, body: error.message }));
    });
    clientRequest.end(request.body);
  });
}

function decodeBody(body: Buffer, encoding: string | undefined): string {
  if (body.length === 0) return '';
  return (encoding === 'gzip' ? gunzipSync(body) : encoding === 'br' ? brotliDecompressSync(body) : body).toString();
}

/** Implementation details that must not leak to callers, such as messages of libraries and file names. */
const internalDetails = [
  /node_modules|\/(core|plugins)\/|\.[mc]?[jt]s\b|\bat \S+ \(|SQLSTATE|postgres|pglite|kysely|\bajv\b|fastify|busboy/i,
  /relation "|column "|invalid input syntax|out of range|violates|\bundefined\b|\[object/i,
  /(Type|Range|Syntax|Reference|Database)Error|FST_|ERR_|\bE[A-Z]{5,}\b/,
];

/** Describes what is wrong with a response in one sentence; undefined if it is as it should be. */
export function findFault({ method }: FuzzRequest, { status, contentType, body }: Answer): string | undefined {
  if (status === 0) return `The server sent no response within ${maxWaitMs / 1000} s.`;
  if (status === -1) return `The connection ended without a response: ${body}`;
  if (status >= 500) return `The response status was ${status}.`;
  if (status < 400 || method === 'HEAD') return undefined;
  if (!contentType.startsWith('application/json'))
    return `The content type of a refusal was ${contentType || 'missing'}.`;
  const error = JSON.parse(body) as Partial<ErrorBody>;
  if (typeof error.code !== 'string' || typeof error.message !== 'string' || typeof error.reference !== 'string')
    return 'The body of a refusal was not an ErrorBody.';
  const leaks = internalDetails.flatMap((pattern) => pattern.exec(String(error.message)) ?? []);
  return leaks.length > 0 ? `The refusal contains "${leaks.join(', ')}".` : undefined;
}
