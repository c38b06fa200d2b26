import { use } from 'react';
import type { Load } from '../kernel/web-plugin.ts';
import { exposeStatusToReact } from '../kernel/settled.ts';
import { chunkRetryPolicy, loadChunk } from '../kernel/load-chunk.ts';

type CodeLoad<T> = { readonly promise: Promise<T>; readonly state: { loaded?: true; failed?: true } };

const codeLoads = new Map<Load<unknown>, CodeLoad<unknown>>();

/**
 * Returns code behind an `import()`. Suspends while it loads. `chunkLabel` names the code in error messages.
 *
 * @throws ChunkLoadError
 */
export function useLoaded<T>(chunkLabel: string, load: Load<T>): T {
  return use(ensureLoading(chunkLabel, load).promise);
}

/** Preloads code. A failure is reported when the code is used. */
export function preload(chunkLabel: string, load: Load<unknown>): void {
  ensureLoading(chunkLabel, load);
}

/** Forgets failed loads, so that they are retried. */
export function forgetFailedLoads(): void {
  for (const [load, { state }] of codeLoads) if (state.failed) codeLoads.delete(load);
}

/** Pending loads. */
export function listPendingLoads(): readonly Promise<unknown>[] {
  return [...codeLoads.values()].flatMap(({ promise, state }) => (state.loaded || state.failed ? [] : [promise]));
}

function ensureLoading<T>(chunkLabel: string, load: Load<T>): CodeLoad<T> {
  const cached = codeLoads.get(load);
  if (cached) return cached as CodeLoad<T>;
  const state: CodeLoad<T>['state'] = {};
  // Offline, retries would only delay the error message. The boundary loads again when the connection returns.
  const policy = navigator.onLine ? chunkRetryPolicy : { ...chunkRetryPolicy, pausesMs: [] };
  const promise = exposeStatusToReact(loadChunk(chunkLabel, load, policy).then((module) => module.default));
  promise.then(
    () => {
      state.loaded = true;
    },
    () => {
      state.failed = true;
    },
  );
  const loading = { promise, state };
  codeLoads.set(load, loading);
  return loading;
}
