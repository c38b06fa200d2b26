import { useService } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { SnapshotStore } from '../stores/snapshot-store.ts';

/** Returns the action that takes a snapshot; undefined if no surface is on screen. Call it in an observer. */
export function useTakeSnapshot(): (() => void) | undefined {
  const snapshotStore = useService(SnapshotStore);
  const { measuring } = useService(MeasureStore);
  const { placing } = useService(AnnotationStore);
  if (useService(ViewSurfaces).all.length === 0) return undefined;
  return () => {
    // Unfinished measurements and annotations are not part of the picture.
    measuring.choose(undefined);
    placing.choose(undefined);
    // Their drawing disappears with the next frame.
    requestAnimationFrame(() => snapshotStore.take());
  };
}
