import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { ServerConfig } from './server-config.ts';
import { UnfitEnvironment } from './unfit-environment.ts';

type Place = Pick<ServerConfig, 'host' | 'port'>;

/**
 * Listens for a moment and lets go again, so that a port that cannot be had is noticed before a database is opened.
 * Throws like `listen`.
 */
export async function checkPort({ host, port }: Place): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error) => reject(problemOf(error, { host, port })));
    probe.listen(port, host, () => probe.close(() => resolve()));
  });
}

/** Resolves to the address; throws `UnfitEnvironment` where the place cannot be had. */
export async function listen(app: FastifyInstance, { host, port }: Place): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    throw problemOf(error, { host, port });
  }
}

function problemOf(error: unknown, { host, port }: Place): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new UnfitEnvironment(
      `The port ${port} on ${host} is taken by another program. Stop that one, or set PORT to another number (0 ` +
        'takes any that is free).',
      { cause: error },
    );
  if (code === 'EACCES')
    return new UnfitEnvironment(`The port ${port} may not be used by this account. Set PORT to a number above 1023.`, {
      cause: error,
    });
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new UnfitEnvironment(
      `This machine has no address ${host}. Set HOST to one that it has, such as 127.0.0.1, or 0.0.0.0 for all.`,
      { cause: error },
    );
  return error;
}
