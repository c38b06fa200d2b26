import { useService } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { SnapshotStore } from '../stores/snapshot-store.ts';

/** Returns the action that takes a snapshot, or undefined without a surface on screen. Call it in an observer. */
export function useTakeSnapshot(): (() => void) | undefined {
  const snapshotStore = useService(SnapshotStore);
  const { measurementDraft } = useService(MeasureStore);
  const { annotationDraft } = useService(AnnotationStore);
  if (useService(ViewSurfaces).all.length === 0) return undefined;
  return () => {
    // Unfinished measurements and annotations are not part of the picture.
    measurementDraft.choose(undefined);
    annotationDraft.choose(undefined);
    // The overlay no longer shows them from the next frame on.
    requestAnimationFrame(() => snapshotStore.take());
  };
}
