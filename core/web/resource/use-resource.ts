import { useMemo, type DependencyList } from 'react';
import { Resource, type LoadResource } from './resource.ts';
import { useLoaded } from './use-loaded.ts';

/** Loads a value on mount and when one of `deps` changes, which discards the previous value. Read it in an observer. */
export function useResource<T>(load: LoadResource<T>, deps: DependencyList): Resource<T> {
  // oxlint-disable-next-line react/exhaustive-deps -- the caller's list; its own call is checked
  const resource = useMemo(() => new Resource(load), deps);
  useLoaded(resource);
  return resource;
}
