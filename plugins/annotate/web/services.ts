import { ContainerModule } from 'inversify';
import { AnnotationDesk, MobxAnnotationDesk } from './annotations/stores/annotation-desk.ts';
import { MeasureDesk, MobxMeasureDesk } from './measure/stores/measure-desk.ts';

export default new ContainerModule(({ bind }) => {
  bind(AnnotationDesk).to(MobxAnnotationDesk).inSingletonScope();
  bind(MeasureDesk).to(MobxMeasureDesk).inSingletonScope();
});
