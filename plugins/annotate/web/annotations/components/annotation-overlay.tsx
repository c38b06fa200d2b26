import { observer } from 'mobx-react-lite';
import { I18n, useService } from '#core/web';
import type { SurfaceOverlayProps } from '#plugins/tour';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { Crosshair } from '../../components/crosshair.tsx';
import { useSurfaceInput } from '../../viewer/use-surface-input.ts';
import { formatAnnotation } from './format-annotation.ts';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { AnnotationShape } from './annotation-shape.tsx';

/** Draws the filtered annotations and the draft over one surface. */
export const AnnotationOverlay = observer(function AnnotationOverlay({ surface, main, Shape }: SurfaceOverlayProps) {
  const annotationStore = useService(AnnotationStore);
  const { unit } = useService(MeasureStore);
  const { language } = useService(I18n);
  const { annotationDraft, filteredItems, overlayVisible, selected } = annotationStore;
  const crosshair = useSurfaceInput(surface, annotationDraft, annotationDraft.kind !== undefined, main);
  const { kind, previewPoints: points } = annotationDraft;
  return (
    <g aria-hidden="true" data-testid="annotation-overlay">
      {(overlayVisible ? filteredItems : []).map((annotation) => (
        <AnnotationShape
          key={annotation.uid}
          Shape={Shape}
          uid={annotation.uid}
          kind={annotation.kind}
          points={annotation.points}
          text={[formatAnnotation(annotation, { language, unit }), annotation.text]
            .filter((part) => part !== '')
            .join(' · ')}
          done={annotation.status === 'DONE'}
          rank={annotation.uid === selected ? 'chosen' : 'usual'}
        />
      ))}
      {kind ? (
        <AnnotationShape
          Shape={Shape}
          uid="making"
          kind={kind}
          points={points}
          text={formatAnnotation({ kind, points, temperature: null }, { language, unit })}
          done={false}
          rank="making"
        />
      ) : null}
      {crosshair ? <Crosshair surface={surface} /> : null}
    </g>
  );
});
