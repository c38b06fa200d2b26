import { createServer } from 'node:net';

/** Returns the preferred port if nothing listens on it, otherwise 0, which means any free port. */
export async function findFreePort(preferredPort: number, host: string): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(0));
    probe.listen(preferredPort, host, () => probe.close(() => resolve(preferredPort)));
  });
}
