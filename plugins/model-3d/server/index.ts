import { serverPlugin } from '#core/server';
import { SiteSurfaces } from '#plugins/tour';
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
import {
  countTagPositions,
  getTagRules,
  placeModelTags,
  saveTagRules,
  tryTagRules,
} from '../contract/api/tag-rules.ts';
import type manifest from '../plugin.ts';
import { importModelJob, runImportModel, type ImportModelPayload } from './jobs/import-model.ts';
import { createModel } from './migrations/0001-create-model.ts';
import { createTagRules } from './migrations/0002-tag-rules.ts';
import { deleteMapping, mappingsAt, saveMapping } from './queries/mappings.ts';
import { deleteModel, managedModelsAt, modelsAt, updatePlacement } from './queries/models.ts';
import { objectsAt } from './queries/objects-at.ts';
import { registerChecks } from './queries/register-checks.ts';
import { modelUploadRules, receiveModel } from './commands/receive-model.ts';
import { applyTagRulesJob, type ApplyTagRulesPayload } from './jobs/start-tag-rules.ts';
import { runApplyTagRules } from './tag-rules/apply-tag-rules.ts';
import { readTagRules, registerTagRules, replaceTagRules } from './tag-rules/save-tag-rules.ts';
import { countPlacements, placeTagsOfModel } from './tag-rules/tag-positions.ts';
import { TagRuleTrials } from './tag-rules/try-tag-rules.ts';
import { ViewerTokens } from './adapters/viewer-tokens.ts';
import { createModelSurfaces } from './surfaces/model-surfaces.ts';
import type { ModelTables } from './tables.ts';

export default serverPlugin<typeof manifest, ModelTables>()({
  migrations: [createModel, createTagRules],
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
    registerTagRules(context);
    registerChecks(context);
    const trials = new TagRuleTrials(context);
    context.jobs.register<ApplyTagRulesPayload>(applyTagRulesJob, (run) => runApplyTagRules(context, run));
    const surfaces = context.service(SiteSurfaces);
    surfaces.register(createModelSurfaces(context));
    context.jobs.register<ImportModelPayload>(importModelJob, (run) =>
      runImportModel(context, run, (location) => surfaces.dropRanges(location)),
    );

    api.serve(listModels, ({ caller, params }) => modelsAt(context, caller, params.location));
    api.serve(listManagedModels, ({ caller, params }) => managedModelsAt(context, caller, params.location));
    api.serveUpload(uploadModel, modelUploadRules, ({ caller, params }, upload) =>
      receiveModel(context, caller, params.location, upload),
    );
    api.serve(placeModel, async ({ caller, params, body }) => {
      const { model, isMoved } = await updatePlacement(context, caller, params.model, body);
      if (isMoved) await surfaces.dropRanges(model.location);
      return model;
    });
    api.serve(removeModel, async ({ caller, params }) => {
      await surfaces.dropRanges(await deleteModel(context, caller, params.model));
      return {};
    });
    api.serve(listMappings, ({ caller, params }) => mappingsAt(context, caller, params.location));
    api.serve(listObjects, ({ caller, params, query }) => objectsAt(context, caller, params.location, query));
    api.serve(mapObject, ({ caller, params, body }) => saveMapping(context, caller, params.model, body));
    api.serve(unmapObject, async ({ caller, params, query }) => {
      await deleteMapping(context, caller, params.model, query);
      return {};
    });
    api.serve(getTagRules, ({ caller, params }) => readTagRules(context, caller, params.model));
    api.serve(saveTagRules, (call) => replaceTagRules(context, call, call.params.model, call.body));
    api.serve(tryTagRules, ({ caller, params, body }) => trials.list(caller, params.model, body));
    api.serve(countTagPositions, ({ caller, params }) => countPlacements(context, caller, params.model));
    api.serve(placeModelTags, async (call) => {
      const placed = await placeTagsOfModel(context, call, call.params.model);
      trials.clear();
      return placed;
    });
    api.serve(viewerToken, () => tokens.getToken());
  },
  demo: () => import('./demo.ts'),
});
