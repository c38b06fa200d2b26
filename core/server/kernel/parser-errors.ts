import { randomUUID } from 'node:crypto';
import { maxHeaderSize, STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { errorCodes, type ErrorBody, type ErrorCode } from '#core';

/** The error that Node passes to `clientError`. */
interface ConnectionError extends Error {
  readonly code?: string;
  /** The packet in which the parser failed, not the whole request. */
  readonly rawPacket?: unknown;
}

interface ParserRefusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

const malformedRequest: ParserRefusal = {
  status: 400,
  code: errorCodes.invalidRequest,
  message: 'The request is not valid HTTP.',
};
const refusals: Readonly<Record<string, ParserRefusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: errorCodes.tooLarge,
    message:
      `The address and the headers of the request are larger than ${maxHeaderSize} bytes together. Use a shorter ` +
      'address, or clear the cookies of this site.',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: errorCodes.tooLarge,
    message: 'The chunk extensions of the body are too large.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: errorCodes.invalidRequest,
    message: 'The headers of the request came too slowly. Please try again.',
  },
};

/**
 * How long a connection stays open after its reply. Closing it with unread bytes would reset it before the client reads
 * the reply.
 */
const lingerMs = 2000;

/**
 * Answers requests that Node's HTTP parser refuses (400, 408, 413, 431), which no handler or hook of Fastify sees, with
 * an `ErrorBody` and `headers`. Closes the connection once the client could read the reply.
 */
export class ParserErrorResponder {
  readonly #headers: Readonly<Record<string, string>>;
  readonly #log: Logger;
  /** The parser reports all data after an error as further errors. */
  readonly #handled = new WeakSet<Socket>();
  readonly #latestResponses = new WeakMap<Socket, ServerResponse>();

  constructor(headers: Readonly<Record<string, string>>, log: Logger) {
    this.#headers = headers;
    this.#log = log;
  }

  /** Call it once, before the server listens. */
  watch(server: Server): void {
    server.prependListener('request', ({ socket }, response) => this.#latestResponses.set(socket, response));
    // Node would answer 417 without a body. RFC 9110, 10.1.1 allows ignoring unknown expectations.
    server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  }

  /** Listener of `clientError`. */
  handle(error: ConnectionError, socket: Socket): void {
    if (this.#handled.has(socket)) return;
    this.#handled.add(socket);
    const refusal = findRefusal(error.code);
    // Browsers open connections in advance. A connection without data is not answered.
    if (!refusal || socket.bytesRead === 0) {
      socket.destroy();
      return;
    }
    if (!socket.writable) {
      destroyLater(socket);
      return;
    }
    const sendReply = (): void => this.#sendReply(refusal, error, socket);
    const response = this.#latestResponses.get(socket);
    if (!response || (response.writableFinished && response.req.complete)) sendReply();
    // The error follows a complete request, so its reply follows that request's reply.
    else if (response.req.complete) response.once('close', () => socket.writable && sendReply());
    // The error is in the body of that request. Node drops further writes of the handler to an ended connection.
    else if (!response.headersSent && response.socket === socket) sendReply();
    else socket.destroySoon();
  }

  #sendReply(refusal: ParserRefusal, { code, rawPacket }: ConnectionError, socket: Socket): void {
    const reference = randomUUID();
    const { status } = refusal;
    this.#log.info(
      { event: 'request.unreadable', request: reference, status, reason: code, address: socket.remoteAddress },
      'A request could not be read.',
    );
    socket.end(this.#formatReply(refusal, reference, isHead(rawPacket)));
    destroyLater(socket);
  }

  #formatReply({ status, code, message }: ParserRefusal, reference: string, withoutBody: boolean): string {
    const body = JSON.stringify({ code, message, reference } satisfies ErrorBody);
    const headers = {
      ...this.#headers,
      date: new Date().toUTCString(),
      'x-request-id': reference,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${withoutBody ? '' : body}`;
  }
}

function destroyLater(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(timer));
}

/** Undefined for connection errors, such as `ECONNRESET`. */
function findRefusal(code = ''): ParserRefusal | undefined {
  return refusals[code] ?? (code.startsWith('HPE_') ? malformedRequest : undefined);
}

/** False if the method was in an earlier packet, which is not available here. */
function isHead(rawPacket: unknown): boolean {
  return Buffer.isBuffer(rawPacket) && rawPacket.subarray(0, 5).toString('latin1') === 'HEAD ';
}
