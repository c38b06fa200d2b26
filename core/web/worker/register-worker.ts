import { basePath } from '#core';
import { logError } from '../kernel/log.ts';
import { serviceWorkerCachePrefix, serviceWorkerFile, skipWaitingMessage } from './service-worker-messages.ts';

const address = `${basePath}/${serviceWorkerFile}`;
const scope = `${basePath}/`;

export interface WorkerOptions {
  readonly workers: ServiceWorkerContainer | undefined;
  readonly caches: CacheStorage | undefined;
  /** A new version waits; `apply` activates it, after which the page must reload. */
  readonly onUpdate: (apply: () => void) => void;
  readonly reload: () => void;
}

/**
 * Registers the worker if enabled, else removes this product's workers and caches. Never rejects: the product works
 * without a worker.
 */
export async function registerWorker(on: boolean, options: WorkerOptions): Promise<void> {
  if (!options.workers) return;
  try {
    if (on) await register(options.workers, options);
    else await unregister(options.workers, options.caches);
  } catch (cause) {
    logError(`The worker at ${address} could not be ${on ? 'registered' : 'taken away'}.`, cause);
  }
}

async function register(workers: ServiceWorkerContainer, { onUpdate, reload }: WorkerOptions): Promise<void> {
  const registration = await workers.register(address, { scope });
  const offer = (waiting: ServiceWorker) =>
    onUpdate(() => {
      workers.addEventListener('controllerchange', reload, { once: true });
      waiting.postMessage(skipWaitingMessage);
    });
  if (registration.waiting && workers.controller) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const coming = registration.installing;
    coming?.addEventListener('statechange', () => {
      if (coming.state === 'installed' && workers.controller) offer(coming);
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
