import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { toNetwork } from './to-network.ts';
import type { ServerConfig } from './server-config.ts';
import { tooManyRequests } from './server-error.ts';

const retryAfterSeconds = 5;
const logIntervalMs = 60_000;

/** Counts open connections or requests per network. */
class NetworkCounter {
  readonly #counts = new Map<string, number>();
  readonly #maximum: number;
  readonly #log: Logger;
  #nextLogAt = 0;

  constructor(maximum: number, log: Logger) {
    this.#maximum = maximum;
    this.#log = log;
  }

  /** Counts a connection and returns a function that releases it, to be called once. Returns undefined above the limit. */
  acquire(address: string): (() => void) | undefined {
    const network = toNetwork(address);
    const count = this.#counts.get(network) ?? 0;
    if (count >= this.#maximum) {
      this.#warn(network);
      return undefined;
    }
    this.#counts.set(network, count + 1);
    return () => {
      const remainingCount = (this.#counts.get(network) ?? 1) - 1;
      if (remainingCount === 0) this.#counts.delete(network);
      else this.#counts.set(network, remainingCount);
    };
  }

  #warn(network: string): void {
    if (Date.now() < this.#nextLogAt) return;
    this.#nextLogAt = Date.now() + logIntervalMs;
    this.#log.warn(
      { network, limit: this.#maximum },
      'More connections come from one address than WALKDOWN_CONNECTIONS_PER_ADDRESS allows, so they are refused. ' +
        'Raise the limit if many people share this address. Set WALKDOWN_TRUSTED_PROXIES if the address is a proxy.',
    );
  }
}

/**
 * Limits the open connections of one address (IPv6: one /64). Behind trusted proxies, which own all connections, it
 * limits the concurrent requests of the address that the proxy names. Excess connections are closed at once; excess
 * requests are answered with 429.
 */
export function limitConnections(
  app: FastifyInstance,
  { limits, trustedProxies }: Pick<ServerConfig, 'limits' | 'trustedProxies'>,
  log: Logger,
): void {
  if (limits.connectionsPerAddress === 0) return;
  const counter = new NetworkCounter(limits.connectionsPerAddress, log);
  if (trustedProxies === 0) limitSockets(app.server, counter);
  else limitRequests(app, counter);
}

function limitSockets(server: Server, counter: NetworkCounter): void {
  server.prependListener('connection', (socket: Socket) => {
    const release = counter.acquire(socket.remoteAddress ?? '');
    if (release === undefined) socket.destroy();
    else socket.once('close', release);
  });
}

function limitRequests(app: FastifyInstance, counter: NetworkCounter): void {
  app.addHook('onRequest', (request, reply, done) => {
    const release = counter.acquire(request.ip);
    if (release === undefined) {
      done(tooManyRequests(retryAfterSeconds));
      return;
    }
    reply.raw.once('close', release);
    done();
  });
}
