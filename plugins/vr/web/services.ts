import { ContainerModule } from 'inversify';
import { MarkerStore } from './markers/stores/marker-store.ts';
import { PanoramaChoices } from './stores/panorama-choices.ts';

export default new ContainerModule(({ bind }) => {
  bind(MarkerStore).toSelf().inSingletonScope();
  bind(PanoramaChoices).toSelf().inSingletonScope();
});
