import { useRef } from 'react';
import { observer } from 'mobx-react-lite';
import { useService } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { AnnotationPanel } from './annotations/panel/annotation-panel.tsx';
import { AnnotateTool } from './annotations/tool/annotate-tool.tsx';
import { MeasurePanel } from './measure/panel/measure-panel.tsx';
import { MeasureTool } from './measure/tool/measure-tool.tsx';
import { SnapshotPanel } from './snapshots/panel/snapshot-panel.tsx';
import { SnapshotTool } from './snapshots/tool/snapshot-tool.tsx';
import { useOccluders } from './surface/labels/use-occluders.ts';
import { useTourFrame } from './surface/use-tour-frame.ts';

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
