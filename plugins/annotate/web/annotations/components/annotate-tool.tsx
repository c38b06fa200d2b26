import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import { useService, useText } from '#core/web';
import type { AnnotationKind } from '#plugins/annotate';
import { TourStore, TourTools } from '#plugins/tour';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { PickingTool } from '../../components/picking-tool.tsx';
import { useSyncedList } from '../../stores/use-synced-list.ts';
import { AnnotationStore } from '../stores/annotation-store.ts';
import { AnnotationIcon } from './icons.tsx';

const annotationKinds: readonly AnnotationKind[] = [
  'TEXT_LABEL',
  'ARROW',
  'RECTANGLE',
  'ELLIPSE',
  'DISTANCE',
  'TEMPERATURE',
  'CORDINATES',
];

/** The tool bar button with the seven annotation tools and the toggles of the panel and the overlay. */
export const AnnotateTool = observer(function AnnotateTool() {
  const t = useText();
  const annotationStore = useService(AnnotationStore);
  const { measurementDraft } = useService(MeasureStore);
  const tourStore = useService(TourStore);
  const tourTools = useService(TourTools);
  const { annotationDraft, list } = annotationStore;
  useEffect(
    () =>
      annotationStore.connect({
        tourStore,
        tourTools,
        getName: (kind, number) => t('annotate.defaultName', { kind: t(`annotate.annotation.${kind}`), number }),
      }),
    [annotationStore, tourStore, tourTools, t],
  );
  useSyncedList(annotationStore);
  useEffect(() => () => annotationDraft.choose(undefined), [annotationDraft]);
  const choose = (kind: AnnotationKind): void => {
    measurementDraft.choose(undefined);
    annotationDraft.choose(kind);
    annotationStore.setOverlayVisible(true);
  };
  const { length: count } = list.all;
  return (
    <PickingTool
      store={annotationStore}
      kinds={annotationKinds}
      activeKind={annotationDraft.kind}
      getName={(kind) => t(`annotate.annotation.${kind}`)}
      getIcon={(kind) => <AnnotationIcon kind={kind} />}
      onChoose={choose}
      labels={{
        tool: t('annotate.annotate'),
        showPanel: t('annotate.showAnnotations', { count }),
        hidePanel: t('annotate.hideAnnotations'),
        noSurface: t('annotate.noPlace'),
      }}
    />
  );
});
