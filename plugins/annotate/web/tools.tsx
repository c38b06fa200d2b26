import { AnnotateTool } from './annotations/tool/annotate-tool.tsx';
import { MeasureTool } from './measure/tool/measure-tool.tsx';
import { SnapshotTool } from './snapshots/tool/snapshot-tool.tsx';

/** The three buttons: they share so much code that three files would be fetched slower than one. */
export default function AnnotateTools() {
  return (
    <>
      <MeasureTool />
      <AnnotateTool />
      <SnapshotTool />
    </>
  );
}
