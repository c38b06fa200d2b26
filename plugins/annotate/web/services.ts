import { ContainerModule } from 'inversify';
import { AnnotationStore } from './annotations/stores/annotation-store.ts';
import { MeasureStore } from './measure/stores/measure-store.ts';
import { InputStore } from './viewer/input-store.ts';
import { CanvasCamera, SnapshotCamera } from './snapshots/viewer/snapshot-camera.ts';
import { IndexedSnapshotImageStore, SnapshotImageStore } from './snapshots/stores/snapshot-image-store.ts';
import { SnapshotStore } from './snapshots/stores/snapshot-store.ts';

export default new ContainerModule(({ bind }) => {
  bind(AnnotationStore).toSelf().inSingletonScope();
  bind(InputStore).toSelf().inSingletonScope();
  bind(MeasureStore).toSelf().inSingletonScope();
  bind(SnapshotImageStore).to(IndexedSnapshotImageStore).inSingletonScope();
  bind(SnapshotCamera).to(CanvasCamera).inSingletonScope();
  bind(SnapshotStore).toSelf().inSingletonScope();
});
