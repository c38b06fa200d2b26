import { useEffect, type MouseEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, makeStyles } from '#core/ui';
import { useService, useText, useUnsavedWork } from '#core/web';
import { TourStore, ViewSurfaces, type SurfaceOverlayProps, type TagSectionProps } from '#plugins/tour';
import { AnnotationOverlay } from './annotations/components/annotation-overlay.tsx';
import { AnnotationPanel } from './annotations/components/annotation-panel.tsx';
import { AnnotationBar } from './annotations/components/annotation-bar.tsx';
import { AnnotationStore } from './annotations/stores/annotation-store.ts';
import { AnnotateTool } from './annotations/components/annotate-tool.tsx';
import { AnnotationIcon } from './annotations/components/icons.tsx';
import { isWide } from './components/is-wide.ts';
import { UnsavedNote } from './components/unsaved-note.tsx';
import { useHasViewDirection } from './components/use-has-view-direction.ts';
import { KindIcon } from './measure/components/icons.tsx';
import { MeasureStore } from './measure/stores/measure-store.ts';
import { MeasureOverlay } from './measure/components/measure-overlay.tsx';
import { MeasurePanel } from './measure/components/measure-panel.tsx';
import { MeasureBar } from './measure/components/measure-bar.tsx';
import { MeasureTool } from './measure/components/measure-tool.tsx';
import { InputStore } from './viewer/input-store.ts';
import { SnapshotPanel } from './snapshots/components/snapshot-panel.tsx';
import { SnapshotStore } from './snapshots/stores/snapshot-store.ts';
import { SnapshotTool } from './snapshots/components/snapshot-tool.tsx';

// Each export has the name of a contribution in `index.ts`.
export const measurements = { default: MeasurePanel };
export const annotations = { default: AnnotationPanel };
export const snapshots = { default: SnapshotPanel };

/** The overlay of each surface. */
export const drawings = {
  default: (props: SurfaceOverlayProps) => (
    <>
      <MeasureOverlay {...props} />
      <AnnotationOverlay {...props} />
    </>
  ),
};

/** The status bar of the active tool, and the number of unsaved items. */
function Bars() {
  const stores = [useService(MeasureStore), useService(AnnotationStore), useService(SnapshotStore)];
  return (
    <>
      <MeasureBar />
      <AnnotationBar />
      <UnsavedNote stores={stores} />
    </>
  );
}
export const bars = { default: Bars };

/** The three tool buttons. Buttons and panels share so much code that one file loads faster than several. */
const AnnotateTools = observer(function AnnotateTools() {
  const { measurementDraft } = useService(MeasureStore);
  const { annotationDraft } = useService(AnnotationStore);
  const { toolbarHidden } = useService(TourStore);
  const hasNoSurface = useService(ViewSurfaces).all.length === 0;
  // A module that hides the controls and has no surface, such as a comparison of dates, has nothing to pick.
  const isInterrupted = toolbarHidden && hasNoSurface;
  useEffect(() => {
    if (!isInterrupted) return;
    measurementDraft.choose(undefined);
    annotationDraft.choose(undefined);
  }, [isInterrupted, measurementDraft, annotationDraft]);
  // A reload or another page would drop the points that are set.
  useUnsavedWork(
    [measurementDraft, annotationDraft].some(({ points }) => points.length > 0),
    'annotate.draft',
  );
  return (
    <>
      <MeasureTool onChoose={() => annotationDraft.choose(undefined)} />
      <AnnotateTool />
      <SnapshotTool />
    </>
  );
});
export default AnnotateTools;

const useStyles = makeStyles({ button: { minHeight: '44px' } });

/** Buttons that measure and annotate the selected tag. For a line, they measure the diameter. */
const TagTools = observer(function TagTools({ tag }: TagSectionProps) {
  const styles = useStyles();
  const t = useText();
  const tourStore = useService(TourStore);
  const measureStore = useService(MeasureStore);
  const annotationStore = useService(AnnotationStore);
  const input = useService(InputStore);
  const { measurementDraft } = measureStore;
  const { annotationDraft } = annotationStore;
  const measuredKind = tag.pipe ? 'DIAMETER' : 'DISTANCE';
  if (!useHasViewDirection()) return null;
  const start = (
    { nativeEvent, currentTarget }: MouseEvent<HTMLElement>,
    itemStore: MeasureStore | AnnotationStore,
    chooseKind: () => void,
  ): void => {
    input.recordToolStart(nativeEvent, currentTarget);
    measurementDraft.choose(undefined);
    annotationDraft.choose(undefined);
    chooseKind();
    itemStore.setOverlayVisible(true);
    // On a phone, the panel would cover the picture.
    if (!isWide()) tourStore.setPanel(undefined);
  };
  return (
    <>
      <Button
        className={styles.button}
        icon={<KindIcon kind={measuredKind} />}
        onClick={(event) => start(event, measureStore, () => measurementDraft.choose(measuredKind))}
      >
        {t('annotate.measure')}
      </Button>
      <Button
        className={styles.button}
        icon={<AnnotationIcon kind="TEXT_LABEL" />}
        onClick={(event) => start(event, annotationStore, () => annotationDraft.choose('TEXT_LABEL'))}
      >
        {t('annotate.annotate')}
      </Button>
    </>
  );
});
export const tagTools = { default: TagTools };
export { default as services } from './services.ts';
