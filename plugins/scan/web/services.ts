import { ContainerModule } from 'inversify';
import { CloudSurfaces, LazyCloudSurfaces } from './viewer/cloud-surfaces.ts';
import { MobxScanChoices, ScanChoices } from './stores/scan-choices.ts';

export default new ContainerModule(({ bind }) => {
  bind(ScanChoices).to(MobxScanChoices).inSingletonScope();
  bind(CloudSurfaces).to(LazyCloudSurfaces).inSingletonScope();
});
