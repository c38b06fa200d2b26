import { useService } from '#core/web';
import { ViewSurfaces } from '#plugins/tour';
import { AnnotationStore } from '../../annotations/stores/annotation-store.ts';
import { MeasureStore } from '../../measure/stores/measure-store.ts';
import { SnapshotStore } from '../stores/snapshot-store.ts';

/** Takes a snapshot of what is on screen; undefined where nothing is. To be called in an observer. */
export function useTakeSnapshot(): (() => void) | undefined {
  const snapshotStore = useService(SnapshotStore);
  const { measuring } = useService(MeasureStore);
  const { placing } = useService(AnnotationStore);
  if (useService(ViewSurfaces).all.length === 0) return undefined;
  return () => {
    // Unfinished measurements and marks are left out of the picture.
    measuring.choose(undefined);
    placing.choose(undefined);
    // The drawing of it goes with the next frame.
    requestAnimationFrame(() => snapshotStore.take());
  };
}
