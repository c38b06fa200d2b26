import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Creates the registry with the default metrics of Node. */
export function createMetrics(): Registry {
  const metrics = new Registry();
  collectDefaultMetrics({ register: metrics, prefix: 'walkdown_' });
  return metrics;
}

/** Measures requests by route pattern, never by URL. */
export function measureRequests(app: FastifyInstance, metrics: Registry): void {
  const durations = new Histogram({
    name: 'walkdown_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its reply.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [metrics],
  });
  let openRequests = 0;
  new Gauge({
    name: 'walkdown_open_requests',
    help: 'Number of requests without a reply.',
    registers: [metrics],
    // Cheaper than updating the gauge at each request.
    collect() {
      this.set(openRequests);
    },
  });
  const serverErrors = new Counter({
    name: 'walkdown_errors_total',
    help: 'Number of 5xx replies.',
    registers: [metrics],
  });
  const byRoute = new Map<string, { observe(seconds: number): void }>();
  app.addHook('onRequest', (_request, _reply, done) => {
    openRequests += 1;
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    openRequests -= 1;
    if (reply.statusCode >= 500) serverErrors.inc();
    const route = request.routeOptions.url ?? 'none';
    const key = `${request.method} ${route} ${reply.statusCode}`;
    const existingObserver = byRoute.get(key);
    const observer = existingObserver ?? durations.labels(request.method, route, String(reply.statusCode));
    if (!existingObserver) byRoute.set(key, observer);
    observer.observe(reply.elapsedTime / 1000);
    done();
  });
}
