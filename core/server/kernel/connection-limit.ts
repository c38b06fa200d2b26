import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { toNetwork } from './to-network.ts';
import type { ServerConfig } from './server-config.ts';
import { tooManyRequests } from './server-error.ts';

const retryAfterSeconds = 5;
const logEveryMs = 60_000;

/** Counts open connections or requests per network. */
class OpenByNetwork {
  readonly #open = new Map<string, number>();
  readonly #maximum: number;
  readonly #log: Logger;
  #quietUntil = 0;

  constructor(maximum: number, log: Logger) {
    this.#maximum = maximum;
    this.#log = log;
  }

  /** Returns a function that ends it, to be called once; undefined above the limit. */
  open(address: string): (() => void) | undefined {
    const network = toNetwork(address);
    const count = this.#open.get(network) ?? 0;
    if (count >= this.#maximum) {
      this.#warn(network);
      return undefined;
    }
    this.#open.set(network, count + 1);
    return () => {
      const left = (this.#open.get(network) ?? 1) - 1;
      if (left === 0) this.#open.delete(network);
      else this.#open.set(network, left);
    };
  }

  #warn(network: string): void {
    if (Date.now() < this.#quietUntil) return;
    this.#quietUntil = Date.now() + logEveryMs;
    this.#log.warn(
      { network, limit: this.#maximum },
      'More connections come from one address than WALKDOWN_CONNECTIONS_PER_ADDRESS allows: they are refused. Raise ' +
        'it if many people share this address, and set WALKDOWN_TRUSTED_PROXIES if it is that of a proxy.',
    );
  }
}

/**
 * Limits what one address (IPv6: one /64) may keep open: connections, or behind trusted proxies, which own all
 * connections, concurrent requests of the address that the proxy names. Excess connections are closed at once, excess
 * requests answered 429.
 */
export function limitConnections(
  app: FastifyInstance,
  { limits, trustedProxies }: Pick<ServerConfig, 'limits' | 'trustedProxies'>,
  log: Logger,
): void {
  if (limits.connectionsPerAddress === 0) return;
  const open = new OpenByNetwork(limits.connectionsPerAddress, log);
  if (trustedProxies === 0) limitSockets(app.server, open);
  else limitRequests(app, open);
}

function limitSockets(server: Server, open: OpenByNetwork): void {
  server.prependListener('connection', (socket: Socket) => {
    const close = open.open(socket.remoteAddress ?? '');
    if (close === undefined) socket.destroy();
    else socket.once('close', close);
  });
}

function limitRequests(app: FastifyInstance, open: OpenByNetwork): void {
  app.addHook('onRequest', (request, reply, done) => {
    const close = open.open(request.ip);
    if (close === undefined) {
      done(tooManyRequests(retryAfterSeconds));
      return;
    }
    reply.raw.once('close', close);
    done();
  });
}
