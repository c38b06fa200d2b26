import { vi } from 'vitest';
import { patience } from './patience.ts';

/** Before each file of tests: `vi.waitFor` waits a second by itself, and no setting of Vitest's changes that. */
const { waitFor, waitUntil } = vi;
const patient = <T extends object>(options: number | T | undefined): number | (T & { timeout: number }) =>
  typeof options === 'number' ? options : { timeout: patience, ...(options as T) };
vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));

// Files that have a document also get what tests of components need.
if (typeof document !== 'undefined') await import('./web/setup.ts');
