import { ContainerModule } from 'inversify';
import { CloudSurfaces, LazyCloudSurfaces } from './module/cloud-surfaces.ts';
import { MobxScanChoices, ScanChoices } from './module/scan-choices.ts';

export default new ContainerModule(({ bind }) => {
  bind(ScanChoices).to(MobxScanChoices).inSingletonScope();
  bind(CloudSurfaces).to(LazyCloudSurfaces).inSingletonScope();
});
