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

// Panels by the second part of their ids.
export const measurements = { default: MeasurePanel };
export const annotations = { default: AnnotationPanel };
export const snapshots = { default: SnapshotPanel };

/** Overlay of each surface. */
export const drawings = {
  default: (props: SurfaceOverlayProps) => (
    <>
      <MeasureOverlay {...props} />
      <AnnotationOverlay {...props} />
    </>
  ),
};

/** Status bar of the active tool. */
export const bars = {
  default: () => (
    <>
      <MeasureBar />
      <AnnotationBar />
    </>
  ),
};

/** The three buttons. They and their panels share so much code that one file loads faster than several. */
const AnnotateTools = observer(function AnnotateTools() {
  const { placing } = useService(AnnotationStore);
  return (
    <>
      <MeasureTool onChoose={() => placing.choose(undefined)} />
      <AnnotateTool />
      <SnapshotTool />
    </>
  );
});
export default AnnotateTools;
