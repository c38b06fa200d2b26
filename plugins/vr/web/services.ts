import { ContainerModule } from 'inversify';
import { MobxPanoramaChoices, PanoramaChoices } from './panorama/panorama-choices.ts';

export default new ContainerModule(({ bind }) => {
  bind(PanoramaChoices).to(MobxPanoramaChoices).inSingletonScope();
});
