import { AnnotateTool } from './annotations/tool/annotate-tool.tsx';
import { MeasureTool } from './measure/tool/measure-tool.tsx';

/** Both buttons: they share so much code that two files would be fetched slower than one. */
export default function AnnotateTools() {
  return (
    <>
      <MeasureTool />
      <AnnotateTool />
    </>
  );
}
