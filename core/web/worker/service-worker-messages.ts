/** Messages and names that pages and the service worker share. */

/** Sent by a page when the person accepts the new version. It activates the waiting worker. */
export const skipWaitingMessage = 'SKIP_WAITING';

/** Prefix of the worker's caches; a page deletes them if the worker is disabled. */
export const serviceWorkerCachePrefix = 'walkdown.';

/** URL of the worker's script under the base path. */
export const serviceWorkerFile = 'sw.js';
