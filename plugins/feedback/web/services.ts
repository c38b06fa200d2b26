import { ContainerModule } from 'inversify';
import { RatingStore } from './stores/rating-store.ts';

export default new ContainerModule(({ bind }) => {
  bind(RatingStore).toSelf().inSingletonScope();
});
