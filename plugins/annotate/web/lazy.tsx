import { observer } from 'mobx-react-lite';
import { useService } from '#core/web';
import type { SurfaceOverlayProps } from '#plugins/tour';
import { AnnotationOverlay } from './annotations/components/annotation-overlay.tsx';
import { AnnotationPanel } from './annotations/components/annotation-panel.tsx';
import { AnnotationBar } from './annotations/components/annotation-bar.tsx';
import { AnnotationStore } from './annotations/stores/annotation-store.ts';
import { AnnotateTool } from './annotations/components/annotate-tool.tsx';
import { MeasureOverlay } from './measure/components/measure-overlay.tsx';
import { MeasurePanel } from './measure/components/measure-panel.tsx';
import { MeasureBar } from './measure/components/measure-bar.tsx';
import { MeasureTool } from './measure/components/measure-tool.tsx';
import { SnapshotPanel } from './snapshots/components/snapshot-panel.tsx';
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

/** The status bar of the active tool. */
export const bars = {
  default: () => (
    <>
      <MeasureBar />
      <AnnotationBar />
    </>
  ),
};

/** The three tool buttons. Buttons and panels share so much code that one file loads faster than several. */
const AnnotateTools = observer(function AnnotateTools() {
  const { annotationDraft } = useService(AnnotationStore);
  return (
    <>
      <MeasureTool onChoose={() => annotationDraft.choose(undefined)} />
      <AnnotateTool />
      <SnapshotTool />
    </>
  );
});
export default AnnotateTools;
