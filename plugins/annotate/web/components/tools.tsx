import { useRef } from 'react';
import { observer } from 'mobx-react-lite';
import { useService } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { AnnotationPanel } from '../annotations/components/annotation-panel.tsx';
import { AnnotateTool } from '../annotations/components/annotate-tool.tsx';
import { MeasurePanel } from '../measure/components/measure-panel.tsx';
import { MeasureTool } from '../measure/components/measure-tool.tsx';
import { SnapshotPanel } from '../snapshots/components/snapshot-panel.tsx';
import { SnapshotTool } from '../snapshots/components/snapshot-tool.tsx';
import { useOccluders } from './labels/use-occluders.ts';
import { useTourFrame } from '../viewer/use-tour-frame.ts';

/** By the second part of their ids. */
export const panels = {
  measurements: { default: MeasurePanel },
  annotations: { default: AnnotationPanel },
  snapshots: { default: SnapshotPanel },
};

/** The three buttons: they and their panels share so much code that several files would be fetched slower than one. */
const AnnotateTools = observer(function AnnotateTools() {
  const place = useRef<HTMLSpanElement>(null);
  const frame = useTourFrame(place);
  useOccluders(frame, useService(ViewSurfaces).all);
  return (
    <>
      <span ref={place} hidden />
      <MeasureTool frame={frame} />
      <AnnotateTool frame={frame} />
      <SnapshotTool />
    </>
  );
});
export default AnnotateTools;
