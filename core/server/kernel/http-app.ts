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
import { buildLazySerializers } from './lazy-serializers.ts';
import { callerOf } from './request-guard.ts';
import { isReachedByTls, type ServerConfig } from './server-config.ts';
import { measureRequests } from './server-metrics.ts';
import { watchUnusedConnections } from './unused-connections.ts';

/** An id that came along is kept, so that one id follows a request through a proxy's log and ours. */
const knownRequestId = /^[\w-]{8,64}$/;

/**
 * A client has so long for the headers of a request, and for the first byte on a new connection. Idle connections are
 * kept longer than proxies keep theirs (60 s), so that none is closed while a proxy sends a request on it.
 */
const timeouts = { headersTimeout: 30_000, connectionsCheckingInterval: 5_000 } as const;
const keepAliveTimeout = 72_000;

/** For every answer. JSON needs nothing; the pages of the bundle bring a policy of their own. */
const protection = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
};

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
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger for each request would cost more than most requests' own work: who logs names the request.
    childLoggerFactory: (logger) => logger,
    genReqId: ({ headers }) =>
      typeof headers['x-request-id'] === 'string' && knownRequestId.test(headers['x-request-id'])
        ? headers['x-request-id']
        : randomUUID(),
    trustProxy: (_address, hop) => hop < config.trustedProxies,
    bodyLimit: config.limits.bodyBytes,
    forceCloseConnections: 'idle',
    http: timeouts,
    keepAliveTimeout,
    routerOptions: { maxParamLength: 1000 },
    schemaController: { compilersFactory: { buildSerializer: buildLazySerializers } },
    frameworkErrors: (error, request, reply) => void sendError(toServerError(error), error, request, reply),
  });
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
  const others = config.allowedOrigins.length > 0;
  const headers = {
    ...protection,
    ...(isReachedByTls(config) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
    // Pictures are shown by the pages of the other origins; they are on the same site, else the cookies would not come
    // along.
    ...(others ? { 'cross-origin-resource-policy': 'same-site' } : {}),
  };
  app.addHook('onRequest', (request, reply, done) => {
    void reply
      .headers(headers)
      .header('x-request-id', request.id)
      .header('cache-control', request.method === 'GET' ? 'private, no-cache' : 'no-store');
    done();
  });
  if (others) await app.register(cors, { ...openTo, origin: [...config.allowedOrigins] });
  measureRequests(app, metrics);
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

/** One line a request: its route and how it ended, never its address, which may hold a code or a name. */
function logRequests(app: FastifyInstance, log: Logger): void {
  // Nothing in these lines needs hiding, and looking for it would be a twentieth of a small request's work.
  const lines = log.child({}, { redact: [] });
  app.addHook('onResponse', (request, reply, done) => {
    lines.info({
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      caller: callerOf(request)?.uid,
    });
    done();
  });
}
