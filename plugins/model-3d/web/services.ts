import { ContainerModule } from 'inversify';
import { ModelViewStore } from './stores/model-view-store.ts';
import { ModelEngines, ThreeModelEngines } from './viewer/model-engines.ts';
import { ModelCache } from './viewer/model-cache.ts';

export default new ContainerModule(({ bind }) => {
  bind(ModelViewStore).toSelf().inSingletonScope();
  bind(ModelEngines).to(ThreeModelEngines).inSingletonScope();
  bind(ModelCache).toSelf().inSingletonScope();
});
