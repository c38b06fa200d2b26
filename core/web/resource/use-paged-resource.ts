import { useMemo, type DependencyList } from 'react';
import type { Page } from '#core/api';
import { PagedResource, type LoadPage } from './paged-resource.ts';
import { useLoaded } from './use-loaded.ts';

/** Like `useResource`, for a paged list. */
export function usePagedResource<P extends Page<unknown>>(load: LoadPage<P>, deps: DependencyList): PagedResource<P> {
  // oxlint-disable-next-line react/exhaustive-deps -- the caller's list; its own call is checked
  const resource = useMemo(() => new PagedResource(load), deps);
  useLoaded(resource);
  return resource;
}
