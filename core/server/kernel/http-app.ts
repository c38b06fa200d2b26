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
import { createProtectedResponse } from './protected-response.ts';
import { findCaller } from './request-guard.ts';
import { buildSecurityHeaders } from './security-headers.ts';
import type { ServerConfig } from './server-config.ts';
import { invalidRequest } from './server-error.ts';
import { measureRequests } from './server-metrics.ts';
import { watchUnusedConnections } from './unused-connections.ts';

/** The request ids that are accepted from a trusted proxy, so that the logs of both have the same id. */
const requestIdPattern = /^[\w-]{8,64}$/;

/**
 * Limits for the headers of a request and for idle connections. Idle connections stay open for longer than proxies keep
 * theirs (60 s), so that none is closed while a proxy sends a request on it.
 */
const timeouts = { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;
const keepAliveTimeout = 72_000;

/** The headers that pages of allowed origins may send and read. */
const corsOptions = {
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

/** Creates the Fastify app without routes: limits, security headers, error replies, compression and logs. */
export async function createHttpApp(config: ServerConfig, log: Logger, metrics: Registry): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = log;
  const headers = buildSecurityHeaders(config);
  const parserErrors = new ParserErrorResponder(headers, log);
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // Creating a logger per request would cost more than most requests. Log lines name the request instead.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers: { 'x-request-id': id } }) =>
      config.trustedProxies > 0 && typeof id === 'string' && requestIdPattern.test(id) ? id : randomUUID(),
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    bodyLimit: config.limits.bodyBytes,
    forceCloseConnections: 'idle',
    http: { ...timeouts, requireHostHeader: false, ServerResponse: createProtectedResponse(headers) },
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
    windowMs: config.limits.bodyWindowMs,
  });
  app.addHook('preClose', async () => {
    closeUnused();
    closeDiscarding();
    stopWatching();
  });
  // Registered before hooks that may refuse a request, so that each request is counted at its start and its end.
  measureRequests(app, metrics);
  app.addHook('onRequest', (request, reply, done) => {
    void reply
      .headers(headers)
      .header('x-request-id', request.id)
      .header('cache-control', request.method === 'GET' ? 'private, no-cache' : 'no-store');
    const { host } = request.raw.headers;
    // Node's own check, which is disabled, would answer without a body.
    if (host === undefined && request.raw.httpVersion !== '1.0') done(invalidRequest('The header "host" is missing.'));
    else done();
  });
  if (config.allowedOrigins.length > 0)
    await app.register(cors, { ...corsOptions, origin: [...config.allowedOrigins] });
  logRequests(app, log);
  limitConnections(app, config, log);
  if (config.limits.maxEventLoopLagMs > 0)
    await app.register(underPressure, { maxEventLoopDelay: config.limits.maxEventLoopLagMs, retryAfter: 5 });
  await app.register(cookie);
  await app.register(rateLimit, { global: false });
  await app.register(etag, { weak: true, hashFn: (payload) => hash('sha1', payload, 'base64') });
  await app.register(compress, { globalDecompression: false, encodings: ['gzip', 'br', 'identity'], threshold: 1024 });
  return app;
}

/** Logs one line per request, without the URL, which may contain a code or a name. */
function logRequests(app: FastifyInstance, log: Logger): void {
  // These lines contain nothing to redact, and redaction would take 5 % of the time of a small request.
  const requestLog = log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    if (!requestLog.isLevelEnabled('info')) {
      done();
      return;
    }
    requestLog.info({
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      caller: findCaller(request)?.uid,
      address: request.ip,
    });
    done();
  });
}
