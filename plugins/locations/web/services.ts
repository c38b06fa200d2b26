import { ContainerModule } from 'inversify';
import { LocationPicturesStore } from './stores/location-pictures-store.ts';

export default new ContainerModule(({ bind }) => {
  bind(LocationPicturesStore).toSelf().inSingletonScope();
});
