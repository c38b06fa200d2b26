import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { routeUrl } from '#core';
import { EmptyState, FailedState, LoadingState } from '#core/ui';
import { HttpClient, RouteLink, useResource, useService, useText } from '#core/web';
import { tourView } from '#plugins/tour';
import type { CodedNode, findNodes, findTagTours, NumberedTag } from '#plugins/tour/api';

export interface LinkChooserProps {
  /** The node's current or former code. */
  readonly node: string | undefined;
  /** The tag's current or former number. */
  readonly tag: string | undefined;
  /** Uid of the site to search. Undefined searches all accessible sites. */
  readonly site: string | undefined;
  /** The query of the URL with its question mark, passed to the opened tour. */
  readonly query: string;
  /** Rendered if there is neither such a node nor such a tag. */
  readonly children: ReactNode;
}

/** Opens the tour of the node or the tag of a link. If several sites have it, the person chooses one. */
const LinkChooser = observer(function LinkChooser({ node, tag, site, query, children }: LinkChooserProps) {
  const t = useText();
  const http = useService(HttpClient);
  const { pathname } = useLocation();
  const matches = useResource(
    async (signal) => {
      const [nodes, tags] = await Promise.all([
        node === undefined || !canBeCode(node)
          ? []
          : http.call<typeof findNodes>(
              'GET',
              '/api/tour-nodes',
              { query: { code: node, ...toSiteQuery(site) } },
              { signal },
            ),
        tag === undefined || !canBeCode(tag)
          ? []
          : http.call<typeof findTagTours>(
              'GET',
              '/api/tour-tags',
              { query: { number: tag, ...toSiteQuery(site) } },
              { signal },
            ),
      ]);
      return chooseMatches(nodes, tags);
    },
    [http, node, tag, site],
  );
  if (matches.failure) return <FailedState heading="h1" error={matches.failure.cause} onRetry={matches.retry} />;
  if (!matches.value) return <LoadingState label={t('tour.loading')} />;
  const [first, ...otherMatches] = matches.value;
  if (!first) return children;
  if (otherMatches.length === 0) {
    const url = `${routeUrl(tourView, { location: first.tour.location })}${correctCode(query, first)}`;
    // The open tour does not contain the node or tag. A redirect to the same URL would loop.
    return url === `${pathname}${query}` ? children : <Navigate replace to={url} />;
  }
  return (
    <EmptyState
      heading="h1"
      title={t('tour.chooseSite', { code: ('number' in first ? tag : node) ?? '' })}
      message={t('tour.chooseSiteHint')}
      action={
        <ul>
          {matches.value.map((target) => (
            <li key={target.uid}>
              <RouteLink to={tourView} params={{ location: target.tour.location }} search={correctCode(query, target)}>
                {'number' in target
                  ? t('tour.tagOfSite', {
                      site: target.site.name,
                      tour: target.tour.name,
                      number: target.number,
                      description: target.description,
                    })
                  : t('tour.nodeOfSite', { site: target.site.name, tour: target.tour.name, node: target.name })}
              </RouteLink>
            </li>
          ))}
        </ul>
      }
    />
  );
});
export default LinkChooser;

/** Whether a text is short enough for a code in the API. */
const canBeCode = (text: string): boolean => text.length <= 120;

const toSiteQuery = (site: string | undefined): { readonly site?: string } => (site === undefined ? {} : { site });

/** Replaces the code in the query by the current code, because links may contain a former code or another case. */
function correctCode(query: string, target: CodedNode | NumberedTag): string {
  const [name, code] = 'number' in target ? ['tag', target.number] : ['node', target.code];
  const params = new URLSearchParams(query);
  if (params.get(name) === code) return query;
  params.set(name, code);
  return `?${params}`;
}

/**
 * Returns the nodes at sites that also have the tag. If there are none, returns the tags, or the nodes if there are no
 * tags.
 */
function chooseMatches(
  nodes: readonly CodedNode[],
  tags: readonly NumberedTag[],
): readonly (CodedNode | NumberedTag)[] {
  const common = nodes.filter(({ site }) => tags.some((tag) => tag.site.uid === site.uid));
  if (common.length > 0) return common;
  return tags.length > 0 ? tags : nodes;
}
