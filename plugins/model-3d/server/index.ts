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
import { noteImportJob } from './migrations/0002-note-import-job.ts';
import { countTiles } from './migrations/0003-count-tiles.ts';
import { keepRefusals } from './migrations/0004-keep-refusals.ts';
import { managedModelsAt, mappingsAt, modelOf, modelsAt } from './queries/models.ts';
import { ObjectLists } from './queries/object-lists.ts';
import { modelUploadRules, receiveModel } from './receive-model.ts';
import { tablesOf } from './tables.ts';
import { ViewerTokens } from './viewer-tokens.ts';

export default serverPlugin<typeof manifest>()({
  migrations: [createModel, noteImportJob, countTiles, keepRefusals],
  api: (api, context) => {
    const { engine, external } = context.settings;
    const tokens = new ViewerTokens(
      engine === 'external' && external
        ? {
            token: external.token,
            client: process.env['MODEL_VIEWER_CLIENT_ID'],
            secret: process.env['MODEL_VIEWER_CLIENT_SECRET'],
          }
        : undefined,
    );
    const objects = new ObjectLists(context);
    context.jobs.register<ImportModelPayload>(importModelJob, (run) => runImportModel(context, run));

    api.serve(listModels, ({ caller, params }) => modelsAt(context, caller, params.location));
    api.serve(listManagedModels, ({ caller, params }) => managedModelsAt(context, caller, params.location));
    api.serveUpload(uploadModel, modelUploadRules, ({ caller, params }, upload) =>
      receiveModel(context, caller, params.location, upload),
    );
    api.serve(placeModel, async ({ caller, params, body }) => {
      await modelOf(context, caller, params.model);
      await tablesOf(context)
        .updateTable('model')
        .set({ name: body.name.trim(), pose: JSON.stringify(body.pose), updated_at: new Date() })
        .where('id', '=', params.model)
        .execute();
      return modelOf(context, caller, params.model);
    });
    api.serve(removeModel, async ({ caller, params }) => {
      await modelOf(context, caller, params.model);
      const row = await tablesOf(context)
        .deleteFrom('model')
        .where('id', '=', params.model)
        .returning('file')
        .executeTakeFirst();
      if (row?.file) await context.files.remove(row.file);
      return {};
    });
    api.serve(listMappings, ({ caller, params }) => mappingsAt(context, caller, params.location));
    api.serve(listObjects, ({ caller, params, query }) => objects.at(caller, params.location, query));
    api.serve(mapObject, async ({ caller, params, body }) => {
      await modelOf(context, caller, params.model);
      const row = { model: params.model, ...body };
      await tablesOf(context)
        .insertInto('mapping')
        .values(row)
        .onConflict((conflict) => conflict.columns(['model', 'object', 'kind']).doUpdateSet({ value: body.value }))
        .execute();
      return row;
    });
    api.serve(unmapObject, async ({ caller, params, query }) => {
      await modelOf(context, caller, params.model);
      await tablesOf(context)
        .deleteFrom('mapping')
        .where('model', '=', params.model)
        .where('object', '=', query.object)
        .where('kind', '=', query.kind)
        .execute();
      return {};
    });
    api.serve(viewerToken, () => tokens.token());
  },
  demo: () => import('./demo.ts'),
});
