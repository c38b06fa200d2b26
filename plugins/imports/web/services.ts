import { ContainerModule } from 'inversify';
import { ImportDrafts } from './stores/import-drafts.ts';
import { ImportUploads } from './stores/import-uploads.ts';

export default new ContainerModule(({ bind }) => {
  bind(ImportDrafts).toSelf().inSingletonScope();
  bind(ImportUploads).toSelf().inSingletonScope();
});
