import { Session } from 'node:inspector/promises';
import v8 from 'node:v8';

/**
 * Lets the heap grow by at most a half between two collections. By default its growth depends on the memory of the
 * machine: on a large one, an import of 100,000 rows leaves 200 MB of garbage.
 */
export const limitHeapGrowth = (): void => v8.setFlagsFromString('--heap-growing-percent=50');

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
