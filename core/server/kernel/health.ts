import { timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../database/database.ts';
import type { ServerConfig } from './server-config.ts';
import { noAccess, unauthenticated } from './server-error.ts';

const patience = 2000;
/**
 * Answered also while all else is refused because the process is busy: one that is alive must not be taken for dead,
 * and what keeps it busy is read then.
 */
const always = { config: { rateLimit: false, pressureHandler: () => undefined } } as const;

/**
 * `/healthz`: the process answers. `/readyz`: it can serve, which is not so while it stops, is busy, or while the
 * database is away (503). `/metrics` for Prometheus: with the secret of the configuration as bearer token, or without
 * one for callers on this machine, but not for those whom a proxy on it brings.
 */
export function serveHealth(
  app: FastifyInstance,
  parts: {
    readonly config: ServerConfig;
    readonly database: Database;
    readonly metrics: Registry;
    readonly isStopping: () => boolean;
  },
): void {
  app.get('/healthz', always, async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const database = await answersInTime(parts.database);
    const stopping = parts.isStopping();
    return reply
      .code(database && !stopping ? 200 : 503)
      .send({ status: stopping ? 'stopping' : database ? 'ready' : 'waiting for the database' });
  });
  if (!parts.config.metrics.enabled) return;
  app.get('/metrics', always, async (request, reply) => {
    checkReader(request, parts.config);
    return reply.type(parts.metrics.contentType).send(await parts.metrics.metrics());
  });
}

async function answersInTime(database: Database): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), patience);
  });
  const answer = database.query('select 1').then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** What proxies add; without its own secret nobody reads metrics through one. */
const forwardingHeaders = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

function checkReader(request: FastifyRequest, { metrics }: ServerConfig): void {
  if (!metrics.secret) {
    const forwarded = forwardingHeaders.some((name) => request.headers[name] !== undefined);
    if (forwarded || !/^(::1|(::ffff:)?127\.)/.test(request.socket.remoteAddress ?? ''))
      throw noAccess(
        'Metrics are shown on this machine only, and not through a proxy. Set WALKDOWN_METRICS_SECRET to read them ' +
          'from elsewhere.',
      );
    return;
  }
  const wanted = Buffer.from(`Bearer ${metrics.secret.reveal()}`);
  const given = Buffer.from(request.headers.authorization ?? '');
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw unauthenticated('Metrics ask for their secret.');
}
