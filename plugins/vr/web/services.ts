import { ContainerModule } from 'inversify';
import { MarkerStore, MobxMarkerStore } from './markers/stores/marker-store.ts';
import { MobxPanoramaChoices, PanoramaChoices } from './stores/panorama-choices.ts';

export default new ContainerModule(({ bind }) => {
  bind(MarkerStore).to(MobxMarkerStore).inSingletonScope();
  bind(PanoramaChoices).to(MobxPanoramaChoices).inSingletonScope();
});
