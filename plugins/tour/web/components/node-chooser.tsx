import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { routeAddress } from '#core';
import { EmptyState, FailedState, LoadingState } from '#core/ui';
import { HttpClient, RouteLink, useResource, useService, useText } from '#core/web';
import { tourView } from '#plugins/tour';
import type { findNodes } from '#plugins/tour/api';

export interface NodeChooserProps {
  /** The node's current or former code. */
  readonly code: string;
  /** Uid of the site to search. Undefined searches all accessible sites. */
  readonly site: string | undefined;
  /** The query of the address with its question mark, passed to the opened tour. */
  readonly query: string;
  /** Rendered if there is no such node. */
  readonly children: ReactNode;
}

/** Opens the tour of the node with a code. If several sites have such a node, the person chooses one. */
const NodeChooser = observer(function NodeChooser({ code, site, query, children }: NodeChooserProps) {
  const t = useText();
  const http = useService(HttpClient);
  const { pathname } = useLocation();
  const nodes = useResource(
    (signal) =>
      http.call<typeof findNodes>(
        'GET',
        '/api/tour-nodes',
        { query: site === undefined ? { code } : { code, site } },
        { signal },
      ),
    [http, code, site],
  );
  if (nodes.failure) return <FailedState heading="h1" error={nodes.failure.cause} onRetry={nodes.retry} />;
  if (!nodes.value) return <LoadingState label={t('tour.loading')} />;
  const [first, ...others] = nodes.value;
  if (!first) return children;
  if (others.length === 0) {
    const address = routeAddress(tourView, { location: first.tour.location });
    // The node is missing in the open tour. A redirect to the same tour would lead back here.
    return address === pathname ? children : <Navigate replace to={`${address}${query}`} />;
  }
  return (
    <EmptyState
      heading="h1"
      title={t('tour.chooseSite', { code })}
      message={t('tour.chooseSiteHint')}
      action={
        <ul>
          {nodes.value.map((node) => (
            <li key={node.uid}>
              <RouteLink to={tourView} params={{ location: node.tour.location }} search={query}>
                {t('tour.nodeOfSite', { site: node.site.name, tour: node.tour.name, node: node.name })}
              </RouteLink>
            </li>
          ))}
        </ul>
      }
    />
  );
});
export default NodeChooser;
