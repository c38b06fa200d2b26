import { timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { PoolDatabase } from '../database/pool-database.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import type { ServerConfig } from './server-config.ts';
import { unauthenticated } from './server-error.ts';

const timeoutMs = 2000;
/**
 * Exempt from rate limits and load shedding: an overloaded process must not be taken for dead, and its metrics are
 * needed then.
 */
const always = { config: { rateLimit: false, pressureHandler: () => undefined } } as const;

/**
 * `/healthz`: the process is alive. `/readyz`: it can serve; 503 while it stops or is busy, the database is down or a
 * disk is full. `/metrics` for Prometheus: open, or for signed-in people and clients with the configured secret.
 */
export function serveHealth(
  app: FastifyInstance,
  parts: {
    readonly config: ServerConfig;
    readonly database: PoolDatabase;
    readonly disk: DiskSpaceMonitor;
    readonly metrics: Registry;
    readonly isStopping: () => boolean;
    /** @throws for callers who are not signed in */
    readonly signedIn: (request: FastifyRequest) => Promise<void>;
  },
): void {
  app.get('/healthz', always, async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const problem = parts.isStopping() ? 'stopping' : await findProblem(parts.database, parts.disk);
    return reply.code(problem === undefined ? 200 : 503).send({ status: problem ?? 'ready' });
  });
  const { exposure } = parts.config.metrics;
  if (exposure === 'off') return;
  app.get('/metrics', always, async (request, reply) => {
    if (exposure === 'signed-in' && !hasSecret(request, parts.config)) await assertSignedIn(request, parts.signedIn);
    return reply.type(parts.metrics.contentType).send(await parts.metrics.metrics());
  });
}

async function findProblem(database: PoolDatabase, disk: DiskSpaceMonitor): Promise<string | undefined> {
  const waiting = 'waiting for the database';
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(waiting), timeoutMs);
  });
  const answer = database.hasRoom().then(
    (room) => (room ? undefined : 'the disk of the database is full'),
    () => waiting,
  );
  try {
    return (await Promise.race([answer, tooLate])) ?? ((await disk.hasRoom()) ? undefined : 'the disk is full');
  } finally {
    clearTimeout(timer);
  }
}

/** Without a token the reply explains what is required, for people who set up a scraper. */
async function assertSignedIn(
  request: FastifyRequest,
  signedIn: (request: FastifyRequest) => Promise<void>,
): Promise<void> {
  if (request.headers.authorization === undefined)
    throw unauthenticated(
      'Metrics are for signed-in people, or for a scraper that sends WALKDOWN_METRICS_SECRET as bearer token.',
    );
  await signedIn(request);
}

function hasSecret(request: FastifyRequest, { metrics }: ServerConfig): boolean {
  if (!metrics.secret) return false;
  const expected = Buffer.from(`Bearer ${metrics.secret.reveal()}`);
  const given = Buffer.from(request.headers.authorization ?? '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
