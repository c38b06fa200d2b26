import { serverPlugin } from '#core/server';
import {
  listManagedModels,
  listMappings,
  listModels,
  listObjects,
  mapObject,
  placeModel,
  removeModel,
  unmapObject,
  uploadModel,
  viewerToken,
} from '../contract/api.ts';
import type manifest from '../plugin.ts';
import { importModelJob, runImportModel, type ImportModelPayload } from './jobs/import-model.ts';
import { createModel } from './migrations/0001-create-model.ts';
import { deleteMapping, mappingsAt, saveMapping } from './queries/mappings.ts';
import { deleteModel, managedModelsAt, modelsAt, updatePlacement } from './queries/models.ts';
import { objectsAt } from './queries/objects-at.ts';
import { modelUploadRules, receiveModel } from './commands/receive-model.ts';
import { ViewerTokens } from './adapters/viewer-tokens.ts';
import type { ModelTables } from './tables.ts';

export default serverPlugin<typeof manifest, ModelTables>()({
  migrations: [createModel],
  api: (api, context) => {
    context.registerContents('model-3d.contents.models', 'model');
    const { engine, external } = context.settings;
    const tokens = new ViewerTokens(
      engine === 'external' && external
        ? {
            tokenEndpoint: external.token,
            client: process.env['MODEL_VIEWER_CLIENT_ID'],
            secret: process.env['MODEL_VIEWER_CLIENT_SECRET'],
          }
        : undefined,
    );
    context.jobs.register<ImportModelPayload>(importModelJob, (run) => runImportModel(context, run));

    api.serve(listModels, ({ caller, params }) => modelsAt(context, caller, params.location));
    api.serve(listManagedModels, ({ caller, params }) => managedModelsAt(context, caller, params.location));
    api.serveUpload(uploadModel, modelUploadRules, ({ caller, params }, upload) =>
      receiveModel(context, caller, params.location, upload),
    );
    api.serve(placeModel, ({ caller, params, body }) => updatePlacement(context, caller, params.model, body));
    api.serve(removeModel, async ({ caller, params }) => {
      await deleteModel(context, caller, params.model);
      return {};
    });
    api.serve(listMappings, ({ caller, params }) => mappingsAt(context, caller, params.location));
    api.serve(listObjects, ({ caller, params, query }) => objectsAt(context, caller, params.location, query));
    api.serve(mapObject, ({ caller, params, body }) => saveMapping(context, caller, params.model, body));
    api.serve(unmapObject, async ({ caller, params, query }) => {
      await deleteMapping(context, caller, params.model, query);
      return {};
    });
    api.serve(viewerToken, () => tokens.getToken());
  },
  demo: () => import('./demo.ts'),
});
