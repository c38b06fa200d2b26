import { ContainerModule } from 'inversify';
import { ScanDepth } from '../contract/index.ts';
import { CloudDepthSource } from './viewer/cloud-depth-source.ts';
import { CloudSurfaces, LazyCloudSurfaces } from './viewer/cloud-surfaces.ts';
import { ScanChoices } from './stores/scan-choices.ts';

export default new ContainerModule(({ bind }) => {
  bind(ScanChoices).toSelf().inSingletonScope();
  bind(CloudSurfaces).to(LazyCloudSurfaces).inSingletonScope();
  bind(ScanDepth).to(CloudDepthSource).inSingletonScope();
});
