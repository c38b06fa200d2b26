import { createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from './server-config.ts';
import { ConfigurationError } from './configuration-error.ts';

type ListenAddress = Pick<ServerConfig, 'host' | 'port'>;

/** Browsers try both loopback addresses for `localhost`, whatever the machine's hosts file says. */
function loopbackAddresses(host: string): readonly [string, ...string[]] {
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
}

/**
 * Binds the port briefly, so that an unavailable port is noticed before the database is opened.
 *
 * @throws like `listen`
 */
export async function checkPort({ host, port }: ListenAddress): Promise<void> {
  const [firstHost, ...otherHosts] = loopbackAddresses(host);
  await probePort({ host: firstHost, port });
  for (const otherHost of otherHosts) await probePort({ host: otherHost, port }).catch(ignoreAbsentAddress);
}

async function probePort(address: ListenAddress): Promise<void> {
  const server = createServer();
  await listenOn(server, address);
  await new Promise((resolve) => server.close(resolve));
}

export interface Listener {
  /** The URL with its port, such as `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Closes the additional listener; resolves when its last connection is closed. */
  readonly close: () => Promise<void>;
}

/**
 * Listens on both loopback addresses for `localhost`, if the machine has both.
 *
 * @throws `ConfigurationError` if the address is unavailable
 */
export async function listen(app: FastifyInstance, { host, port }: ListenAddress): Promise<Listener> {
  const [firstHost, ...otherHosts] = loopbackAddresses(host);
  const url = await app.listen({ host: firstHost, port }).catch((error: unknown) => {
    throw toListenError(error, { host: firstHost, port });
  });
  const boundPort = Number(new URL(url).port);
  const servers: Server[] = [];
  for (const otherHost of otherHosts) {
    const server = createForwardingServer(app);
    await listenOn(server, { host: otherHost, port: boundPort }).then(() => servers.push(server), ignoreAbsentAddress);
  }
  const close = async (): Promise<void> => {
    await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  };
  return { url, close };
}

/**
 * Passes connections to the app's own server. Fastify would create a second HTTP server without the limits and
 * listeners of the first one.
 */
function createForwardingServer(app: FastifyInstance): Server {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) => app.server.emit('connection', socket));
}

function listenOn(server: Server, { host, port }: ListenAddress): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(toListenError(error, { host, port })));
    server.listen(port, host, resolve);
  });
}

/** The machine does not have the address. */
class AddressAbsentError extends ConfigurationError {}

function ignoreAbsentAddress(error: unknown): void {
  if (!(error instanceof AddressAbsentError)) throw error;
}

function toListenError(error: unknown, { host, port }: ListenAddress): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new ConfigurationError(
      `The port ${port} on ${host} is used by another program. Stop that program, or set PORT to another number ` +
        '(0 selects a free port).',
      { cause: error },
    );
  if (code === 'EACCES')
    return new ConfigurationError(
      `The port ${port} may not be used by this account. Set PORT to a number above 1023.`,
      {
        cause: error,
      },
    );
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAFNOSUPPORT')
    return new AddressAbsentError(
      `This machine has no address ${host}. Set HOST to an address of this machine, such as 127.0.0.1, or to 0.0.0.0 for all.`,
      { cause: error },
    );
  return error;
}
