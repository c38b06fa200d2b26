import { ContainerModule } from 'inversify';
import { AnnotationDesk, MobxAnnotationDesk } from './annotations/stores/annotation-desk.ts';
import { MeasureDesk, MobxMeasureDesk } from './measure/stores/measure-desk.ts';
import { CanvasCamera, SnapshotCamera } from './snapshots/camera/snapshot-camera.ts';
import { IndexedPictureBox, PictureBox } from './snapshots/stores/picture-box.ts';
import { MobxSnapshotDesk, SnapshotDesk } from './snapshots/stores/snapshot-desk.ts';

export default new ContainerModule(({ bind }) => {
  bind(AnnotationDesk).to(MobxAnnotationDesk).inSingletonScope();
  bind(MeasureDesk).to(MobxMeasureDesk).inSingletonScope();
  bind(PictureBox).to(IndexedPictureBox).inSingletonScope();
  bind(SnapshotCamera).to(CanvasCamera).inSingletonScope();
  bind(SnapshotDesk).to(MobxSnapshotDesk).inSingletonScope();
});
