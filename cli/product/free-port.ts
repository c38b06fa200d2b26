import { createServer } from 'node:net';

/** The port if nothing listens on it, else 0, which means any free one. */
export async function freePort(preferred: number, host: string): Promise<number> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(0));
    probe.listen(preferred, host, () => probe.close(() => resolve(preferred)));
  });
}
