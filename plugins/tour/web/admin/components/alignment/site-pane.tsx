import { observer } from 'mobx-react-lite';
import { Suspense, useEffect, useReducer, useState } from 'react';
import type { Point3 } from '#core';
import { Badge, Button, LoadingState, Tab, TabList } from '#core/ui';
import { ContributedComponent, useContributions, useService, useText } from '#core/web';
import { tourModules, TourTools, tourTools, ViewSurfaces, type ViewSurface } from '#plugins/tour';
import type { AlignmentEditor } from '../../stores/alignment/alignment-editor.ts';
import { listenToClicks } from '../../stores/alignment/listen-to-clicks.ts';
import { PointForm } from './point-form.tsx';
import { useAlignmentStyles } from './use-alignment-styles.ts';

const typed = 'typed';

export interface SitePaneProps {
  readonly editor: AlignmentEditor;
  /** Uid of the location of the tour. */
  readonly location: string;
}

/** The model, the cloud, or typed coordinates, by which the place of a corner is given. */
export const SitePane = observer(function SitePane({ editor, location }: SitePaneProps) {
  const t = useText();
  const styles = useAlignmentStyles();
  const surfaces = useService(ViewSurfaces);
  const tourView = useService(TourTools);
  const contributed = useContributions(tourModules);
  const tools = useContributions(tourTools);
  const modules = contributed.filter(({ viewType }) => viewType !== undefined && viewType !== 'PANO');
  const [chosen, setChosen] = useState<string>();
  const shown = chosen === typed ? undefined : (modules.find(({ id }) => id === chosen) ?? modules[0]);
  const surface = surfaces.all.find(({ module }) => module === shown?.id);
  return (
    <section className={styles.pane} aria-labelledby="align-site">
      <div className={styles.paneHead}>
        <h2 id="align-site" className={styles.paneTitle}>
          {t('tour.align.site')}
        </h2>
        <TabList
          size="small"
          aria-label={t('tour.align.source')}
          selectedValue={shown?.id ?? typed}
          onTabSelect={(_, { value }) => setChosen(String(value))}
        >
          {modules.map(({ id, title }) => (
            <Tab key={id} value={id}>
              {t(title)}
            </Tab>
          ))}
          <Tab value={typed}>{t('tour.align.typed')}</Tab>
        </TabList>
        {shown ? (
          <Button
            size="small"
            onClick={() => tourView.setPosition([...editor.pose.position])}
            disabledFocusable={surface === undefined}
          >
            {t('tour.align.standHere')}
          </Button>
        ) : null}
      </div>
      {shown ? (
        <div className={styles.picture}>
          <Suspense fallback={<LoadingState label={t('tour.align.siteLoading')} />}>
            <ContributedComponent key={shown.id} contribution={shown} load={shown.load} props={{}} />
          </Suspense>
          {surface ? <SiteMarks editor={editor} surface={surface} /> : null}
          <div className={styles.tools}>
            {tools
              .filter((tool) => tool.modules?.length === 1 && tool.modules[0] === shown.id)
              .map((tool) => (
                <ContributedComponent key={tool.id} contribution={tool} load={tool.load} props={{}} />
              ))}
          </div>
        </div>
      ) : (
        <PointForm editor={editor} location={location} isOnlyWay={modules.length === 0} />
      )}
    </section>
  );
});

interface SiteMarksProps {
  readonly editor: AlignmentEditor;
  readonly surface: ViewSurface;
}

/** Marks corners on clicks, and draws the marked ones over the 3D view. */
const SiteMarks = observer(function SiteMarks({ editor, surface }: SiteMarksProps) {
  const t = useText();
  const styles = useAlignmentStyles();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const [isMissed, setMissed] = useState(false);
  const [byKey, setByKey] = useState(false);
  useEffect(() => surface.onChanged(redraw), [surface]);
  useEffect(
    () =>
      listenToClicks(surface.host, ({ x, y }, isKey) => {
        setByKey(isKey);
        surface.pick(x, y).then(
          (pick) => {
            setMissed(!pick);
            if (pick) editor.markPoint(pick.point);
          },
          () => setMissed(true),
        );
      }),
    [surface, editor],
  );
  useEffect(() => {
    const { host } = surface;
    const show = (): void => setByKey(host.matches(':focus-visible'));
    const hide = (): void => setByKey(false);
    host.addEventListener('focus', show);
    host.addEventListener('blur', hide);
    return () => {
      host.removeEventListener('focus', show);
      host.removeEventListener('blur', hide);
    };
  }, [surface]);
  const marks: readonly { readonly text: string; readonly point: Point3 }[] = [
    ...editor.ties.map(({ point }, index) => ({ text: String(index + 1), point })),
    ...(editor.point ? [{ text: '+', point: editor.point }] : []),
  ];
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
      {byKey ? <div className={styles.crosshair} aria-hidden="true" /> : null}
      <div role="status" className={styles.missed}>
        {isMissed ? <Badge color="warning">{t('tour.align.missed')}</Badge> : null}
      </div>
    </>
  );
});
