import { ContainerModule } from 'inversify';
import { MobxModelViewStore, ModelViewStore } from './stores/model-view-store.ts';
import { ModelEngines, ThreeModelEngines } from './viewer/model-engines.ts';
import { ModelCache, TourModelCache } from './stores/model-cache.ts';

export default new ContainerModule(({ bind }) => {
  bind(ModelViewStore).to(MobxModelViewStore).inSingletonScope();
  bind(ModelEngines).to(ThreeModelEngines).inSingletonScope();
  bind(ModelCache).to(TourModelCache).inSingletonScope();
});
