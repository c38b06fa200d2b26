import { basePath } from '#core';
import { logError } from '../kernel/log.ts';
import { serviceWorkerCachePrefix, serviceWorkerFile, skipWaitingMessage } from './service-worker-messages.ts';

const url = `${basePath}/${serviceWorkerFile}`;
const scope = `${basePath}/`;

export interface WorkerOptions {
  readonly workers: ServiceWorkerContainer | undefined;
  readonly caches: CacheStorage | undefined;
  /** Called when a new version waits. `apply` activates it and reloads the page. */
  readonly onUpdate: (apply: () => void) => void;
  readonly reload: () => void;
}

/**
 * Registers the worker if enabled, else removes this product's workers and caches. Never rejects, because the product
 * works without a worker.
 */
export async function registerWorker(enabled: boolean, options: WorkerOptions): Promise<void> {
  if (!options.workers) return;
  try {
    if (enabled) await register(options.workers, options);
    else await unregister(options.workers, options.caches);
  } catch (cause) {
    logError(`The worker at ${url} could not be ${enabled ? 'registered' : 'removed'}.`, cause);
  }
}

async function register(workers: ServiceWorkerContainer, { onUpdate, reload }: WorkerOptions): Promise<void> {
  const registration = await workers.register(url, { scope });
  const offerUpdate = (waitingWorker: ServiceWorker) =>
    onUpdate(() => {
      workers.addEventListener('controllerchange', reload, { once: true });
      waitingWorker.postMessage(skipWaitingMessage);
    });
  if (registration.waiting && workers.controller) offerUpdate(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const newWorker = registration.installing;
    newWorker?.addEventListener('statechange', () => {
      if (newWorker.state === 'installed' && workers.controller) offerUpdate(newWorker);
    });
  });
}

async function unregister(workers: ServiceWorkerContainer, caches: CacheStorage | undefined): Promise<void> {
  for (const registration of await workers.getRegistrations()) {
    if (new URL(registration.scope).pathname === scope) await registration.unregister();
  }
  for (const name of (await caches?.keys()) ?? [])
    if (name.startsWith(serviceWorkerCachePrefix)) await caches?.delete(name);
}
