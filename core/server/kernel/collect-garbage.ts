import { Session } from 'node:inspector/promises';

/**
 * Collects all garbage once. V8 collects its old generation for the first time near 512 MB, unless it knows from an
 * earlier collection how little of it is live.
 */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}
