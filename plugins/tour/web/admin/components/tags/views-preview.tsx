import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { Point3 } from '#core';
import { ListSkeleton, ResourceView } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { HttpClient, useFormats, useResource, useService, useText } from '#core/web';
import type { ContentTagView, previewTagViews } from '../../../../contract/api/tag-content.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';

/** Maximum number of views that a preview shows. */
const maxShownViews = 5;
/** Delay of the request while coordinates are being typed. */
const typingPauseMs = 300;

export interface ViewsPreviewProps {
  /** Uid of the tag. */
  readonly tag: string;
  /** Uid of the location. */
  readonly location: string;
  readonly point: Point3;
}

/** Shows the viewpoints that will see a tag at a position, before the position is saved. */
export const ViewsPreview = observer(function ViewsPreview({ tag, location, point }: ViewsPreviewProps) {
  const t = useText();
  const styles = useAdminStyles();
  const http = useService(HttpClient);
  const [[east, north, up], setSettledPoint] = useState(point);
  useEffect(() => {
    const timer = setTimeout(() => setSettledPoint(point), typingPauseMs);
    return () => clearTimeout(timer);
  }, [point]);
  const preview = useResource(
    (signal) =>
      http.call<typeof previewTagViews>(
        'GET',
        '/api/tag-content/:location/tags/:tag/views',
        { params: { location, tag }, query: { east, north, up } },
        { signal },
      ),
    [http, tag, location, east, north, up],
  );
  return (
    <fieldset className={styles.fieldset}>
      <legend className={styles.legend}>{t('tour.tags.willBeSeen')}</legend>
      <ResourceView resource={preview} waiting={<ListSkeleton />}>
        {({ views, hidden }) => (
          <>
            {views.length === 0 ? <p className={styles.note}>{t('tour.tags.notSeen')}</p> : null}
            <ul className={styles.list}>
              {views.slice(0, maxShownViews).map((view) => (
                <li key={view.node}>
                  {view.name}
                  <ViewFacts view={view} location={location} />
                </li>
              ))}
            </ul>
            <p className={styles.note} role="status">
              {t('tour.tags.viewCounts', { more: Math.max(0, views.length - maxShownViews), hidden })}
            </p>
          </>
        )}
      </ResourceView>
    </fieldset>
  );
});

export interface ViewFactsProps {
  readonly view: ContentTagView;
  /** Uid of a location of the site. */
  readonly location: string;
}

/** Shows the code of a viewpoint, and the distance and visible fraction of the tag. */
export const ViewFacts = observer(function ViewFacts({ view, location }: ViewFactsProps) {
  const t = useText();
  const styles = useAdminStyles();
  const formats = useFormats();
  const lengths = useSiteLengths(location);
  const { code, distance, visible, hasDepth } = view;
  const visibility =
    visible === null
      ? t(hasDepth ? 'tour.tags.checking' : 'tour.tags.unknown')
      : t('tour.tags.visible', { percent: formats.percent(visible) });
  return (
    <div className={styles.note}>{t('tour.tags.view', { code, distance: lengths.length(distance), visibility })}</div>
  );
});
