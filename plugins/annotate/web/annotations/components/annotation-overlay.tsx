import { observer } from 'mobx-react-lite';
import { I18n, useService } from '#core/web';
import type { SurfaceOverlayProps } from '#plugins/tour';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { Crosshair } from '../../components/crosshair.tsx';
import { useSurfaceInput } from '../../viewer/use-surface-input.ts';
import { formatAnnotation } from './format-annotation.ts';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { AnnotationShape } from './annotation-shape.tsx';

/** Draws the filtered annotations and the one being placed over one surface. */
export const AnnotationOverlay = observer(function AnnotationOverlay({ surface, main, Shape }: SurfaceOverlayProps) {
  const annotationStore = useService(AnnotationStore);
  const { unit } = useService(MeasureStore);
  const { language } = useService(I18n);
  const { placing, shown, drawn, selected } = annotationStore;
  const crosshair = useSurfaceInput(surface, placing, placing.tool !== undefined, main);
  const { tool, shown: points } = placing;
  return (
    <g aria-hidden="true" data-testid="annotation-overlay">
      {(drawn ? shown : []).map((annotation) => (
        <AnnotationShape
          key={annotation.uid}
          Shape={Shape}
          uid={annotation.uid}
          kind={annotation.kind}
          points={annotation.points}
          words={[formatAnnotation(annotation, { language, unit }), annotation.text]
            .filter((each) => each !== '')
            .join(' · ')}
          done={annotation.status === 'DONE'}
          rank={annotation.uid === selected ? 'chosen' : 'usual'}
        />
      ))}
      {tool ? (
        <AnnotationShape
          Shape={Shape}
          uid="making"
          kind={tool}
          points={points}
          words={formatAnnotation({ kind: tool, points, temperature: null }, { language, unit })}
          done={false}
          rank="making"
        />
      ) : null}
      {crosshair ? <Crosshair surface={surface} /> : null}
    </g>
  );
});
