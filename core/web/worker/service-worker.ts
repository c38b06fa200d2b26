/**
 * The service worker caches the shell for offline use. It answers navigations with the cached page of the URL, and
 * requests of content-hashed files from the cache. It ignores API calls. A new version waits for `SKIP_WAITING` from a
 * page.
 */
import { findPage } from '#core';
import { serviceWorkerCachePrefix, skipWaitingMessage } from './service-worker-messages.ts';

/** The build injects the URLs of the shell and a hash of their contents. */
declare const __PRECACHE__: readonly string[];
declare const __VERSION__: string;
declare const __BASE_PATH__: string;
/** Timeout of fetching a script. */
declare const __CHUNK_TIMEOUT_MS__: number;

interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface WorkerScope extends EventTarget {
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
}

const worker = globalThis as unknown as WorkerScope;
const cacheName = `${serviceWorkerCachePrefix}${__VERSION__}`;

async function cacheShell(): Promise<void> {
  const cache = await caches.open(cacheName);
  // Files without a content hash may be stale in the HTTP cache.
  await cache.addAll(
    __PRECACHE__.map((url) => new Request(url, { cache: url.includes('/static/') ? 'default' : 'reload' })),
  );
}

async function dropOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names
      .filter((name) => name.startsWith(serviceWorkerCachePrefix) && name !== cacheName)
      .map((name) => caches.delete(name)),
  );
}

async function respondWithPage(request: Request, path: string): Promise<Response> {
  const cached = await (await caches.open(cacheName)).match(`${__BASE_PATH__}/${findPage(path)}`);
  return cached ?? fetch(request);
}

async function respondWithHashedFile(request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  const cached = await cache.match(request, { ignoreVary: true });
  if (cached) return cached;
  const response = await fetch(request, { signal: AbortSignal.timeout(__CHUNK_TIMEOUT_MS__) });
  if (response.status === 200) await cache.put(request, response.clone());
  return response;
}

worker.addEventListener('install', (event) => (event as WaitingEvent).waitUntil(cacheShell()));
worker.addEventListener('activate', (event) =>
  (event as WaitingEvent).waitUntil(dropOldCaches().then(() => worker.clients.claim())),
);
worker.addEventListener('message', (event) => {
  if ((event as MessageEvent<unknown>).data === skipWaitingMessage) void worker.skipWaiting();
});
worker.addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || !`${pathname}/`.startsWith(`${__BASE_PATH__}/`)) return;
  const path = pathname.slice(__BASE_PATH__.length);
  if (request.mode === 'navigate') (event as FetchEvent).respondWith(respondWithPage(request, path));
  else if (path.startsWith('/static/')) (event as FetchEvent).respondWith(respondWithHashedFile(request));
});
