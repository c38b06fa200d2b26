import { ContainerModule } from 'inversify';
import { CloudSurfaces, LazyCloudSurfaces } from './viewer/cloud-surfaces.ts';
import { ScanChoices } from './stores/scan-choices.ts';

export default new ContainerModule(({ bind }) => {
  bind(ScanChoices).toSelf().inSingletonScope();
  bind(CloudSurfaces).to(LazyCloudSurfaces).inSingletonScope();
});
