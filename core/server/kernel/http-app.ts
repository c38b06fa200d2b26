import { hash, randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import etag from '@fastify/etag';
import rateLimit from '@fastify/rate-limit';
import underPressure from '@fastify/under-pressure';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { tokenTransportHeader } from '#core';
import { answerErrors, sendError, toServerError } from './answer-errors.ts';
import { watchBodyRate } from './body-rate.ts';
import { limitConnections } from './connection-limit.ts';
import { discardUnreadBodies } from './discard-unread-body.ts';
import { parseJsonBodies } from './json-body.ts';
import { ParserErrorResponder } from './parser-errors.ts';
import { protectedResponse } from './protected-response.ts';
import { getCaller } from './request-guard.ts';
import { securityHeaders } from './security-headers.ts';
import type { ServerConfig } from './server-config.ts';
import { invalidRequest } from './server-error.ts';
import { measureRequests } from './server-metrics.ts';
import { watchUnusedConnections } from './unused-connections.ts';

/** The id of a trusted proxy is kept, so that one id follows a request through its log and ours. */
const knownRequestId = /^[\w-]{8,64}$/;

/**
 * A client has so long for the headers of a request, and for the first byte on a new connection. Idle connections are
 * kept longer than proxies keep theirs (60 s), so that none is closed while a proxy sends a request on it.
 */
const timeouts = { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;
const keepAliveTimeout = 72_000;

/** What pages of another origin may send and read, where the configuration allows any. */
const openTo = {
  credentials: true,
  methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'authorization',
    'content-type',
    'accept-language',
    'if-none-match',
    'last-event-id',
    'range',
    'x-request-id',
    tokenTransportHeader,
  ],
  exposedHeaders: ['accept-ranges', 'content-disposition', 'content-range', 'etag', 'retry-after', 'x-request-id'],
  maxAge: 600,
};

/** Fastify with all that every answer shares, and no routes yet. */
export async function createHttpApp(config: ServerConfig, log: Logger, metrics: Registry): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log;
  const others = config.allowedOrigins.length > 0;
  const headers = securityHeaders(config);
  const parserErrors = new ParserErrorResponder(headers, log);
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than most requests' own work: who logs names the request.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      config.trustedProxies > 0 && typeof id === 'string' && knownRequestId.test(id) ? id : randomUUID(),
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    bodyLimit: config.limits.bodyBytes,
    forceCloseConnections: 'idle',
    http: { ...timeouts, requireHostHeader: false, ServerResponse: protectedResponse(headers) },
    keepAliveTimeout,
    routerOptions: { maxParamLength: 1000 },
    frameworkErrors: (error, request, reply) => void sendError(toServerError(error), error, request, reply),
    clientErrorHandler: (error, socket) => parserErrors.handle(error, socket),
  });
  parserErrors.watch(app.server);
  answerErrors(app);
  parseJsonBodies(app);
  const closeUnused = watchUnusedConnections(app.server);
  const closeDiscarding = discardUnreadBodies(app.server);
  const stopWatching = watchBodyRate(app.server, {
    minBytesPerSecond: config.limits.bodyBytesPerSecond,
    windowMs: config.limits.bodyWindow,
  });
  app.addHook('preClose', async () => {
    closeUnused();
    closeDiscarding();
    stopWatching();
  });
  // Before hooks that may refuse: what it counts at the end it must have counted at the beginning.
  measureRequests(app, metrics);
  app.addHook('onRequest', (request, reply, done) => {
    void reply
      .headers(headers)
      .header('x-request-id', request.id)
      .header('cache-control', request.method === 'GET' ? 'private, no-cache' : 'no-store');
    const { host } = request.raw.headers;
    // Node's own check, which is off, would answer without a body.
    if (host === undefined && request.raw.httpVersion !== '1.0') done(invalidRequest('The header "host" is missing.'));
    else done();
  });
  if (others) await app.register(cors, { ...openTo, origin: [...config.allowedOrigins] });
  logRequests(app, log);
  limitConnections(app, config, log);
  if (config.limits.busyAfter > 0)
    await app.register(underPressure, { maxEventLoopDelay: config.limits.busyAfter, retryAfter: 5 });
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  await app.register(etag, { weak: true, hashFn: (payload) => hash('sha1', payload, 'base64') });
  await app.register(compress, { globalDecompression: false, encodings: ['gzip', 'br', 'identity'], threshold: 1024 });
  return app;
}

/** One line a request: its route, who asked and how it ended, never its URL, which may hold a code or a name. */
function logRequests(app: FastifyInstance, log: Logger): void {
  // Nothing in these lines needs hiding, and looking for it would be a twentieth of a small request's work.
  const lines = log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    if (!lines.isLevelEnabled('info')) {
      done();
      return;
    }
    lines.info({
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      caller: getCaller(request)?.uid,
      address: request.ip,
    });
    done();
  });
}
