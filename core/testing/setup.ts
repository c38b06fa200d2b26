import { vi } from 'vitest';
import { patience } from './patience.ts';

/** The default of `vi.waitFor` is one second, and Vitest has no setting for it. */
const { waitFor, waitUntil } = vi;
const patient = <T extends object>(options: number | T | undefined): number | (T & { timeout: number }) =>
  typeof options === 'number' ? options : { timeout: patience, ...(options as T) };
vi.waitFor = (callback, options) => waitFor(callback, patient(options));
vi.waitUntil = (callback, options) => waitUntil(callback, patient(options));

// Only files with a DOM need the setup of component tests.
if (typeof document !== 'undefined') await import('./web/setup.ts');
