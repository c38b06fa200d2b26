import { vi } from 'vitest';
import { maxWaitMs } from './max-wait.ts';

/** The default of `vi.waitFor` is one second, and Vitest has no setting for it. */
const { waitFor, waitUntil } = vi;
const withMaxWait = <T extends object>(options: number | T | undefined): number | (T & { timeout: number }) =>
  typeof options === 'number' ? options : { timeout: maxWaitMs, ...(options as T) };
vi.waitFor = (callback, options) => waitFor(callback, withMaxWait(options));
vi.waitUntil = (callback, options) => waitUntil(callback, withMaxWait(options));

// Only files with a DOM need the setup of component tests. Files that share a process share the imported module.
if (typeof document !== 'undefined') {
  const { checkFakeReplies } = await import('./web/setup.ts');
  checkFakeReplies();
}
