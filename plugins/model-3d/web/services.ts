import { ContainerModule } from 'inversify';
import { ModelViewStore } from './stores/model-view-store.ts';
import { ModelEngines, ThreeModelEngines } from './viewer/model-engines.ts';
import { ModelDepth } from '../contract/index.ts';
import { ModelCache } from './viewer/model-cache.ts';
import { ModelDepthSource } from './viewer/model-depth-source.ts';

export default new ContainerModule(({ bind }) => {
  bind(ModelViewStore).toSelf().inSingletonScope();
  bind(ModelEngines).to(ThreeModelEngines).inSingletonScope();
  bind(ModelCache).toSelf().inSingletonScope();
  bind(ModelDepth).to(ModelDepthSource).inSingletonScope();
});
