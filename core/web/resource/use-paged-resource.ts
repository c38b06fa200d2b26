import { useEffect, useMemo, type DependencyList } from 'react';
import type { Page } from '#core/api';
import { PagedResource, type LoadPage } from './paged-resource.ts';

/**
 * Loads a paged list on mount. A change of `deps`, such as a filter or an order, reloads it and shows the previous rows
 * until the new ones are loaded. A change of `listKey`, such as the uid of the location whose rows are listed,
 * discards them.
 */
export function usePagedResource<P extends Page<unknown>>(
  load: LoadPage<P>,
  deps: DependencyList,
  listKey: string | undefined,
): PagedResource<P> {
  // oxlint-disable-next-line react/exhaustive-deps -- the effect below replaces `load`
  const resource = useMemo(() => new PagedResource(load), [listKey]);
  useEffect(() => {
    resource.loadWith(load);
    return () => resource.dispose();
    // oxlint-disable-next-line react/exhaustive-deps -- the lint rule checks the list at the caller
  }, [resource, ...deps]);
  return resource;
}
