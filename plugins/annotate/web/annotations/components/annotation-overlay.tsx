import { createPortal } from 'react-dom';
import { observer } from 'mobx-react-lite';
import { makeStyles } from '#core/ui';
import { I18n, useService } from '#core/web';
import { TourTools, type ViewSurface } from '#plugins/tour';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { useSurfaceFrames } from '../../components/labels/use-surface-frames.ts';
import { useSurfaceInput } from '../../viewer/use-surface-input.ts';
import { formatAnnotation } from './format-annotation.ts';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { AnnotationShape } from './annotation-shape.tsx';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, width: '100%', height: '100%', pointerEvents: 'none', overflow: 'hidden' },
  cross: { stroke: '#fff', strokeWidth: '1.5px', filter: 'drop-shadow(0 0 1px #000)' },
});

/** The annotations that the filter leaves, and the one being placed, over one surface. */
export const AnnotationOverlay = observer(function AnnotationOverlay({
  surface,
  main,
  selected,
}: {
  readonly surface: ViewSurface;
  readonly main: boolean;
  readonly selected: string | undefined;
}) {
  const styles = useStyles();
  const annotationStore = useService(AnnotationStore);
  const { unit } = useService(MeasureStore);
  const { language } = useService(I18n);
  const { placing, shown, drawn } = annotationStore;
  const eye = useService(TourTools).position;
  const free = useSurfaceFrames(surface);
  const crosshair = useSurfaceInput(surface, placing, placing.tool !== undefined, main);
  const { tool } = placing;
  const points = placing.shown;
  const { width, height } = surface.host.getBoundingClientRect();
  return createPortal(
    <svg className={styles.root} aria-hidden="true" data-testid="annotation-overlay" data-marks>
      {(drawn ? shown : []).map((annotation) => (
        <AnnotationShape
          key={annotation.uid}
          uid={annotation.uid}
          surface={surface}
          kind={annotation.kind}
          points={annotation.points}
          words={[formatAnnotation(annotation, { language, unit }), annotation.text]
            .filter((each) => each !== '')
            .join(' · ')}
          eye={eye}
          free={free}
          done={annotation.status === 'DONE'}
          chosen={annotation.uid === selected}
        />
      ))}
      {tool ? (
        <AnnotationShape
          uid="making"
          surface={surface}
          kind={tool}
          points={points}
          words={formatAnnotation({ kind: tool, points, temperature: null }, { language, unit })}
          eye={eye}
          free={free}
          done={false}
          chosen
        />
      ) : null}
      {crosshair ? (
        <path className={styles.cross} d={`M${width / 2 - 14} ${height / 2}h28M${width / 2} ${height / 2 - 14}v28`} />
      ) : null}
    </svg>,
    surface.host,
  );
});
