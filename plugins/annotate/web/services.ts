import { ContainerModule } from 'inversify';
import { AnnotationStore, MobxAnnotationStore } from './annotations/stores/annotation-store.ts';
import { MeasureStore, MobxMeasureStore } from './measure/stores/measure-store.ts';
import { CanvasCamera, SnapshotCamera } from './snapshots/viewer/snapshot-camera.ts';
import { IndexedSnapshotImageStore, SnapshotImageStore } from './snapshots/stores/snapshot-image-store.ts';
import { MobxSnapshotStore, SnapshotStore } from './snapshots/stores/snapshot-store.ts';

export default new ContainerModule(({ bind }) => {
  bind(AnnotationStore).to(MobxAnnotationStore).inSingletonScope();
  bind(MeasureStore).to(MobxMeasureStore).inSingletonScope();
  bind(SnapshotImageStore).to(IndexedSnapshotImageStore).inSingletonScope();
  bind(SnapshotCamera).to(CanvasCamera).inSingletonScope();
  bind(SnapshotStore).to(MobxSnapshotStore).inSingletonScope();
});
