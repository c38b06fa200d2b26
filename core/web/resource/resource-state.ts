/**
 * - `loading`: there is no value yet.
 * - `ready`: the value comes from the last call.
 * - `stale`: there is a value while a reload runs or after it failed.
 * - `failed`: loading failed and there is no value.
 */
export type ResourceState = 'loading' | 'ready' | 'stale' | 'failed';
