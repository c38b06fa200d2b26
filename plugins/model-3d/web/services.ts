import { ContainerModule } from 'inversify';
import { MobxModelViewStore, ModelViewStore } from './module/model-view-store.ts';
import { ModelEngines, ThreeModelEngines } from './module/model-engines.ts';
import { ModelCache, TourModelCache } from './module/model-cache.ts';

export default new ContainerModule(({ bind }) => {
  bind(ModelViewStore).to(MobxModelViewStore).inSingletonScope();
  bind(ModelEngines).to(ThreeModelEngines).inSingletonScope();
  bind(ModelCache).to(TourModelCache).inSingletonScope();
});
