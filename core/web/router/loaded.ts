import { use } from 'react';
import type { Load } from '../kernel/web-plugin.ts';
import { marked } from '../kernel/settled.ts';
import { loadChunk } from '../kernel/load-chunk.ts';

type Loading<T> = { readonly promise: Promise<T>; readonly state: { loaded?: true; failed?: true } };

const loadings = new Map<Load<unknown>, Loading<unknown>>();

/**
 * Returns code behind an `import()`. Suspends while it loads; `name` appears in the error.
 *
 * @throws ChunkLoadError
 */
export function useLoaded<T>(name: string, load: Load<T>): T {
  return use(ensureLoading(name, load).promise);
}

/** Preloads code. Failures appear when it is used. */
export function preload(name: string, load: Load<unknown>): void {
  ensureLoading(name, load);
}

/** Forgets failed loads, so that they are retried. */
export function forgetFailedLoads(): void {
  for (const [load, { state }] of loadings) if (state.failed) loadings.delete(load);
}

/** Pending loads. */
export function pendingLoads(): readonly Promise<unknown>[] {
  return [...loadings.values()].flatMap(({ promise, state }) => (state.loaded || state.failed ? [] : [promise]));
}

function ensureLoading<T>(name: string, load: Load<T>): Loading<T> {
  const cached = loadings.get(load);
  if (cached) return cached as Loading<T>;
  const state: Loading<T>['state'] = {};
  const promise = marked(loadChunk(name, load).then((module) => module.default));
  promise.then(
    () => {
      state.loaded = true;
    },
    () => {
      state.failed = true;
    },
  );
  const loading = { promise, state };
  loadings.set(load, loading);
  return loading;
}
