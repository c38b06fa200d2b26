/**
 * - `loading`: there is no value yet.
 * - `ready`: the value is that of the last call.
 * - `stale`: there is a value, while it is loaded again or since loading it again failed.
 * - `failed`: there is no value, because loading it failed.
 */
export type ResourceState = 'loading' | 'ready' | 'stale' | 'failed';
