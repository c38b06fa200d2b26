/** What pages and the worker of the progressive web app say to each other. */

/** Posted by a page when the person agrees to the new version: the worker that waits takes over. */
export const skipWaitingMessage = 'SKIP_WAITING';

/** Names of the worker's caches begin so; a page that finds the worker switched off deletes them. */
export const serviceWorkerCachePrefix = 'walkdown.';

/** Address of the worker's script under the base path. */
export const serviceWorkerFile = 'sw.js';
