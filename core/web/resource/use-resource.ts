import { useMemo, type DependencyList } from 'react';
import { Resource, type LoadResource } from './resource.ts';
import { useLoaded } from './use-loaded.ts';

/**
 * Loads a value when the component is mounted and whenever one of `deps` changes; then nothing of the value before is
 * shown. To be read in an observer.
 */
export function useResource<T>(load: LoadResource<T>, deps: DependencyList): Resource<T> {
  // oxlint-disable-next-line react/exhaustive-deps -- the caller's list; its own call is checked
  const resource = useMemo(() => new Resource(load), deps);
  useLoaded(resource);
  return resource;
}
