import { timingSafeEqual } from 'node:crypto';
import type {} from '@fastify/under-pressure';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Registry } from 'prom-client';
import type { PoolDatabase } from '../database/pool-database.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import type { ServerConfig } from './server-config.ts';
import { unauthenticated } from './server-error.ts';

const databaseTimeoutMs = 2000;
/** An overloaded process must still report that it is alive, and its metrics. */
const exemptFromLimits = { config: { rateLimit: false, pressureHandler: () => undefined } } as const;

/**
 * Serves `/healthz`, which reports that the process is alive. `/readyz` replies 503 while the process stops or is
 * overloaded, the database is down or a disk is full. `/metrics` is for Prometheus; the setting `metrics.exposure`
 * decides whether anybody may read it, or only signed-in people and clients with the secret.
 */
export function serveHealth(
  app: FastifyInstance,
  services: {
    readonly config: ServerConfig;
    readonly database: PoolDatabase;
    readonly disk: DiskSpaceMonitor;
    readonly metrics: Registry;
    readonly isStopping: () => boolean;
    /** @throws for callers who are not signed in */
    readonly assertSignedIn: (request: FastifyRequest) => Promise<void>;
  },
): void {
  app.get('/healthz', exemptFromLimits, async () => ({ status: 'ok' }));
  app.get('/readyz', async (_request, reply) => {
    const problem = services.isStopping() ? 'stopping' : await findProblem(services.database, services.disk);
    return reply.code(problem === undefined ? 200 : 503).send({ status: problem ?? 'ready' });
  });
  const { exposure } = services.config.metrics;
  if (exposure === 'off') return;
  app.get('/metrics', exemptFromLimits, async (request, reply) => {
    if (exposure === 'signed-in' && !hasSecret(request, services.config))
      await assertSignedInWithHint(request, services.assertSignedIn);
    return reply.type(services.metrics.contentType).send(await services.metrics.metrics());
  });
}

async function findProblem(database: PoolDatabase, disk: DiskSpaceMonitor): Promise<string | undefined> {
  const noReply = 'waiting for the database';
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(noReply), databaseTimeoutMs);
  });
  const databaseCheck = database.hasSpace().then(
    (hasSpace) => (hasSpace ? undefined : 'the database disk is full'),
    () => noReply,
  );
  try {
    const databaseProblem = await Promise.race([databaseCheck, timeout]);
    if (databaseProblem !== undefined) return databaseProblem;
    return (await disk.hasSpace()) ? undefined : 'the disk is full';
  } finally {
    clearTimeout(timer);
  }
}

/** If the request has no token, the error names the variable for the secret, for people who set up a scraper. */
async function assertSignedInWithHint(
  request: FastifyRequest,
  assertSignedIn: (request: FastifyRequest) => Promise<void>,
): Promise<void> {
  if (request.headers.authorization === undefined)
    throw unauthenticated(
      'Metrics are for signed-in people, or for a scraper that sends WALKDOWN_METRICS_SECRET as bearer token.',
    );
  await assertSignedIn(request);
}

function hasSecret(request: FastifyRequest, { metrics }: ServerConfig): boolean {
  if (!metrics.secret) return false;
  const expected = Buffer.from(`Bearer ${metrics.secret.reveal()}`);
  const received = Buffer.from(request.headers.authorization ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}
