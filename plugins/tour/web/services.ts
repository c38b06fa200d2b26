import { ContainerModule, type ContainerModuleLoadOptions } from 'inversify';
import {
  CameraControllers,
  PanoramaEngines,
  TourLayout,
  TourStore,
  TourTools,
  Viewers,
  ViewSurfaces,
} from '#plugins/tour';
import { WebGlPanoramaEngines } from './viewer/panorama-engines.ts';
import { DomTourLayout, FrameLayout } from './stores/dom-tour-layout.ts';
import { LineSource, LocationSource, NodeSource, TagSource } from './stores/search-sources.ts';
import { TourSearch } from './stores/tour-search.ts';
import { CorrectionStore } from './stores/correction-store.ts';
import { MobxTourStore } from './stores/mobx-tour-store.ts';
import { MobxTourTools } from './stores/mobx-tour-tools.ts';
import { MobxViewSurfaces } from './stores/mobx-view-surfaces.ts';
import { TourViewers } from './viewer/tour-viewers.ts';
import { SiteDepthLookup } from './viewer/surface/site-depth-lookup.ts';
import { EasedCameraControllers } from './viewer/walk/eased-camera-controllers.ts';

export function bindTourServices({ bind }: Pick<ContainerModuleLoadOptions, 'bind'>): void {
  bind(TourTools).to(MobxTourTools).inSingletonScope();
  bind(TourStore).to(MobxTourStore).inSingletonScope();
  bind(PanoramaEngines).to(WebGlPanoramaEngines).inSingletonScope();
  bind(SiteDepthLookup).toSelf().inSingletonScope();
  for (const service of [TourSearch, TagSource, LineSource, NodeSource, LocationSource])
    bind<unknown>(service).toSelf().inSingletonScope();
  bind(CorrectionStore).toSelf().inSingletonScope();
  bind(ViewSurfaces).to(MobxViewSurfaces).inSingletonScope();
  bind(FrameLayout).to(DomTourLayout).inSingletonScope();
  bind(TourLayout).toService(FrameLayout);
  bind(Viewers).to(TourViewers).inSingletonScope();
  bind(CameraControllers).to(EasedCameraControllers).inSingletonScope();
}

export default new ContainerModule(bindTourServices);
