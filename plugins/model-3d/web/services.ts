import { ContainerModule } from 'inversify';
import { MobxModelBoard, ModelBoard } from './module/model-board.ts';
import { ModelEngines, ThreeModelEngines } from './module/model-engines.ts';
import { ModelKeeper, TourModelKeeper } from './module/model-keeper.ts';

export default new ContainerModule(({ bind }) => {
  bind(ModelBoard).to(MobxModelBoard).inSingletonScope();
  bind(ModelEngines).to(ThreeModelEngines).inSingletonScope();
  bind(ModelKeeper).to(TourModelKeeper).inSingletonScope();
});
