import { useMemo, type DependencyList } from 'react';
import type { Page } from '#core/api';
import { PagedResource, type LoadPage } from './paged-resource.ts';
import { useLoadOnMount } from './use-load-on-mount.ts';

/** Like `useResource`, for a paged list. */
export function usePagedResource<P extends Page<unknown>>(load: LoadPage<P>, deps: DependencyList): PagedResource<P> {
  // oxlint-disable-next-line react/exhaustive-deps -- the lint rule checks the list at the caller
  const resource = useMemo(() => new PagedResource(load), deps);
  useLoadOnMount(resource);
  return resource;
}
