import { useMemo, type DependencyList } from 'react';
import { Resource, type LoadResource } from './resource.ts';
import { useLoadOnMount } from './use-load-on-mount.ts';

/** Loads a value on mount. A change of `deps` discards and reloads it. The value must be read in an observer. */
export function useResource<T>(load: LoadResource<T>, deps: DependencyList): Resource<T> {
  // oxlint-disable-next-line react/exhaustive-deps -- the lint rule checks the list at the caller
  const resource = useMemo(() => new Resource(load), deps);
  useLoadOnMount(resource);
  return resource;
}
