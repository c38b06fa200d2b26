import { observer } from 'mobx-react-lite';
import { Suspense, useEffect, useReducer, useState } from 'react';
import type { Point3 } from '#core';
import { Badge, LoadingState } from '#core/ui';
import { ContributedComponent, useContributions, useService, useText } from '#core/web';
import { tourTools, ViewSurfaces, type SurfacePick, type TourModule, type ViewSurface } from '#plugins/tour';
import { listenToClicks } from '../stores/alignment/listen-to-clicks.ts';
import { useAlignmentStyles } from './alignment/use-alignment-styles.ts';

export interface SiteViewProps {
  readonly module: TourModule;
  /** Points that are marked in the view. */
  readonly marks: readonly { readonly text: string; readonly point: Point3 }[];
  readonly onPick: (pick: SurfacePick) => void;
}

/** A scan or a model of the open tour, in which a click or Enter picks a point. */
export const SiteView = observer(function SiteView({ module, marks, onPick }: SiteViewProps) {
  const t = useText();
  const styles = useAlignmentStyles();
  const surface = useService(ViewSurfaces).all.find((viewSurface) => viewSurface.module === module.id);
  const tools = useContributions(tourTools);
  return (
    <div className={styles.picture}>
      <Suspense fallback={<LoadingState label={t('tour.align.siteLoading')} />}>
        <ContributedComponent key={module.id} contribution={module} load={module.load} props={{}} />
      </Suspense>
      {surface ? <SiteMarks surface={surface} marks={marks} onPick={onPick} /> : null}
      <div className={styles.tools}>
        {tools
          .filter((tool) => tool.modules?.length === 1 && tool.modules[0] === module.id)
          .map((tool) => (
            <ContributedComponent key={tool.id} contribution={tool} load={tool.load} props={{}} />
          ))}
      </div>
    </div>
  );
});

interface SiteMarksProps extends Omit<SiteViewProps, 'module'> {
  readonly surface: ViewSurface;
}

/** Picks points on clicks, and draws the marks over the 3D view. */
const SiteMarks = observer(function SiteMarks({ surface, marks, onPick }: SiteMarksProps) {
  const t = useText();
  const styles = useAlignmentStyles();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [isMissed, setMissed] = useState(false);
  const [isByKeyboard, setIsByKeyboard] = useState(false);
  useEffect(() => surface.onChanged(redraw), [surface]);
  useEffect(
    () =>
      listenToClicks(surface.host, ({ x, y }, isKey) => {
        setIsByKeyboard(isKey);
        surface.pick(x, y).then(
          (pick) => {
            setMissed(!pick);
            if (pick) onPick(pick);
          },
          () => setMissed(true),
        );
      }),
    [surface, onPick],
  );
  useEffect(() => {
    const { host } = surface;
    const show = (): void => setIsByKeyboard(host.matches(':focus-visible'));
    const hide = (): void => setIsByKeyboard(false);
    host.addEventListener('focus', show);
    host.addEventListener('blur', hide);
    return () => {
      host.removeEventListener('focus', show);
      host.removeEventListener('blur', hide);
    };
  }, [surface]);
  return (
    <>
      <svg className={styles.marks} aria-hidden="true">
        {marks.map(({ text, point }) => {
          const pixel = surface.toPixel(point);
          return pixel ? (
            <g key={text} transform={`translate(${pixel.x} ${pixel.y})`}>
              <circle r="8" />
              <text x="11" y="5">
                {text}
              </text>
            </g>
          ) : null;
        })}
      </svg>
      {isByKeyboard ? <div className={styles.crosshair} aria-hidden="true" /> : null}
      <div role="status" className={styles.missedPick}>
        {isMissed ? <Badge color="warning">{t('tour.align.missed')}</Badge> : null}
      </div>
    </>
  );
});
