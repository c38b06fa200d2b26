import { ContainerModule } from 'inversify';
import { MeasureDesk, MobxMeasureDesk } from './measure/stores/measure-desk.ts';

export default new ContainerModule(({ bind }) => {
  bind(MeasureDesk).to(MobxMeasureDesk).inSingletonScope();
});
