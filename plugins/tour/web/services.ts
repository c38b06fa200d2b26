import { ContainerModule } from 'inversify';
import { PanoramaEngine, TourStore, TourTools } from '#plugins/tour';
import { WebGlPanoramaEngine } from './engine/panorama-engine.ts';
import { MobxTourStore } from './stores/mobx-tour-store.ts';
import { MobxTourTools } from './stores/mobx-tour-tools.ts';

export default new ContainerModule(({ bind }) => {
  bind(TourTools).to(MobxTourTools).inSingletonScope();
  bind(TourStore).to(MobxTourStore).inSingletonScope();
  bind(PanoramaEngine).to(WebGlPanoramaEngine).inSingletonScope();
});
