import { observer } from 'mobx-react-lite';
import { useCallback, useState } from 'react';
import { Button, Tab, TabList } from '#core/ui';
import { useContributions, useService, useText } from '#core/web';
import { tourModules, TourTools, ViewSurfaces, type SurfacePick } from '#plugins/tour';
import type { AlignmentEditor } from '../../stores/alignment/alignment-editor.ts';
import type { SiteLengthFormats } from '../../stores/site-lengths.ts';
import { SiteView } from '../site-view.tsx';
import { PointForm } from './point-form.tsx';
import { useAlignmentStyles } from './use-alignment-styles.ts';

const typedTab = 'typed';

export interface SitePaneProps {
  readonly editor: AlignmentEditor;
  readonly lengths: SiteLengthFormats;
  /** Uid of the location of the tour. */
  readonly location: string;
}

/** Sets the point of a tie in the model, in the point cloud or by typed coordinates. */
export const SitePane = observer(function SitePane({ editor, lengths, location }: SitePaneProps) {
  const t = useText();
  const styles = useAlignmentStyles();
  const surfaces = useService(ViewSurfaces);
  const tourView = useService(TourTools);
  const contributedModules = useContributions(tourModules);
  const modules = contributedModules.filter(({ viewType }) => viewType !== undefined && viewType !== 'PANO');
  const [chosenTab, setChosenTab] = useState<string>();
  const shownModule = chosenTab === typedTab ? undefined : (modules.find(({ id }) => id === chosenTab) ?? modules[0]);
  const surface = surfaces.all.find(({ module }) => module === shownModule?.id);
  const mark = useCallback(({ point }: SurfacePick) => editor.markPoint(point), [editor]);
  const marks = [
    ...editor.ties.map(({ point }, index) => ({ text: String(index + 1), point })),
    ...(editor.point ? [{ text: '+', point: editor.point }] : []),
  ];
  return (
    <section className={styles.pane} aria-labelledby="align-site">
      <div className={styles.paneHead}>
        <h2 id="align-site" className={styles.paneTitle}>
          {t('tour.align.site')}
        </h2>
        <TabList
          size="small"
          aria-label={t('tour.align.source')}
          selectedValue={shownModule?.id ?? typedTab}
          onTabSelect={(_, { value }) => setChosenTab(String(value))}
        >
          {modules.map(({ id, title }) => (
            <Tab key={id} value={id}>
              {t(title)}
            </Tab>
          ))}
          <Tab value={typedTab}>{t('tour.align.typed')}</Tab>
        </TabList>
        {shownModule ? (
          <Button
            size="small"
            onClick={() => tourView.setPosition([...editor.pose.position])}
            disabledFocusable={surface === undefined}
          >
            {t('tour.align.standHere')}
          </Button>
        ) : null}
      </div>
      {shownModule ? (
        <SiteView module={shownModule} marks={marks} onPick={mark} />
      ) : (
        <PointForm editor={editor} lengths={lengths} location={location} hasNoSurface={modules.length === 0} />
      )}
    </section>
  );
});
