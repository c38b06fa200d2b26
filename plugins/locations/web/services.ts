import { ContainerModule } from 'inversify';
import { HttpLocationPicturesStore, LocationPicturesStore } from './stores/location-pictures-store.ts';

export default new ContainerModule(({ bind }) => {
  bind(LocationPicturesStore).to(HttpLocationPicturesStore).inSingletonScope();
});
