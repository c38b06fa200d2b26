import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { minus, toPanTilt, type Point3 } from '#core';
import { FailedState, LoadingState } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useService, useText } from '#core/web';
import { TourStore, TourTools, type SurfacePick } from '#plugins/tour';
import { SiteView, type SiteViewProps } from '../site-view.tsx';

export interface PlaceInSiteProps extends Pick<SiteViewProps, 'module'> {
  /** Uid of the location whose tour is opened. `node` is the code of the viewpoint where the view starts. */
  readonly location: string;
  readonly node: string;
  readonly mark: { readonly point: Point3; readonly label: string } | undefined;
  readonly onPick: (pick: SurfacePick) => void;
}

/** A scan or a model in which a click picks the position of a tag. Opens the tour of the viewpoint. */
export const PlaceInSite = observer(function PlaceInSite({ module, location, node, mark, onPick }: PlaceInSiteProps) {
  const t = useText();
  const styles = useAdminStyles();
  const store = useService(TourStore);
  const tools = useService(TourTools);
  const [attempt, setAttempt] = useState(0);
  const [target] = useState(mark?.point);
  useEffect(() => {
    void store.open(location, { node });
    return () => store.reset();
  }, [store, location, node, attempt]);
  const isOpen = store.loading.tour === 'success';
  useEffect(() => {
    const position = store.nodes.find(({ code }) => code === node)?.position;
    if (isOpen && position && target) tools.setView(toPanTilt(minus(target, position)));
  }, [store, tools, isOpen, node, target]);
  if (store.loading.tour === 'failure')
    return (
      <FailedState
        title={t('tour.align.tourFailed')}
        message={t('tour.align.again')}
        onRetry={() => setAttempt(attempt + 1)}
      />
    );
  if (!isOpen) return <LoadingState label={t('tour.loading')} />;
  return (
    <>
      <SiteView module={module} marks={mark ? [{ text: mark.label, point: mark.point }] : []} onPick={onPick} />
      <p className={styles.note}>{t('tour.tags.pickHint')}</p>
    </>
  );
});
