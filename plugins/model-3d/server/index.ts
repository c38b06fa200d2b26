import { serverPlugin } from '#core/server';
import { SiteSurfaces } from '#plugins/tour';
import {
  listManagedModels,
  listMappings,
  listModels,
  listObjects,
  mapObject,
  placeModel,
  deleteModel,
  unmapObject,
  uploadModel,
  getViewerToken,
} from '../contract/api.ts';
import {
  countTagPositions,
  getTagRules,
  placeModelTags,
  saveTagRules,
  tryTagRules,
} from '../contract/api/tag-rules.ts';
import type manifest from '../plugin.ts';
import {
  importModelJob,
  runImportModel,
  type ImportModelPayload,
  type OnSurfacesChanged,
} from './jobs/import-model.ts';
import { createModel } from './migrations/0001-create-model.ts';
import { createTagRules } from './migrations/0002-tag-rules.ts';
import { deleteMapping, mappingsAt, saveMapping } from './queries/mappings.ts';
import { deleteModel as deleteModelRow, managedModelsAt, modelsAt, updatePlacement } from './queries/models.ts';
import { objectsAt } from './queries/objects-at.ts';
import { registerContentChecks } from './queries/content-checks.ts';
import { modelUploadRules, receiveModel } from './commands/receive-model.ts';
import { applyTagRulesJob, type ApplyTagRulesPayload } from './jobs/start-tag-rules.ts';
import { runApplyTagRules } from './tag-rules/apply-tag-rules.ts';
import { readTagRules, registerTagRules, replaceTagRules } from './tag-rules/save-tag-rules.ts';
import { countPlacements, placeTagsOfModel } from './tag-rules/tag-positions.ts';
import { TagRuleTrials } from './tag-rules/try-tag-rules.ts';
import { ViewerTokens } from './adapters/viewer-tokens.ts';
import { createModelContent } from './site-contents/model-content.ts';
import { createModelSurfaces } from './surfaces/model-surfaces.ts';
import type { ModelTables } from './tables.ts';

export default serverPlugin<typeof manifest, ModelTables>()({
  migrations: [createModel, createTagRules],
  api: (api, context) => {
    context.registerLocationContents('model-3d.contents.models', 'model');
    const { engine, external } = context.settings;
    const viewerTokens = new ViewerTokens(
      engine === 'external' && external
        ? {
            tokenEndpoint: external.token,
            client: process.env['MODEL_VIEWER_CLIENT_ID'],
            secret: process.env['MODEL_VIEWER_CLIENT_SECRET'],
          }
        : undefined,
    );
    registerTagRules(context);
    registerContentChecks(context);
    context.registerSiteContent(createModelContent(context));
    const trials = new TagRuleTrials(context);
    context.jobs.register<ApplyTagRulesPayload>(applyTagRulesJob, (run) => runApplyTagRules(context, run));
    const surfaces = context.service(SiteSurfaces);
    surfaces.register(createModelSurfaces(context));
    const dropRanges: OnSurfacesChanged = (...args) => surfaces.dropRanges(...args);
    context.jobs.register<ImportModelPayload>(importModelJob, (run) => runImportModel(context, run, dropRanges));

    api.serve(listModels, ({ caller, params }) => modelsAt(context, caller, params.location));
    api.serve(listManagedModels, ({ caller, params }) => managedModelsAt(context, caller, params.location));
    api.serveUpload(uploadModel, modelUploadRules, ({ caller, params }, upload) =>
      receiveModel(context, caller, params.location, upload),
    );
    api.serve(placeModel, async ({ caller, params, body }) => {
      const model = await updatePlacement(context, caller, params.model, body, dropRanges);
      await context.jobs.notifyRunners();
      return model;
    });
    api.serve(deleteModel, async ({ caller, params }) => {
      await deleteModelRow(context, caller, params.model, dropRanges);
      await context.jobs.notifyRunners();
      return {};
    });
    api.serve(listMappings, ({ caller, params }) => mappingsAt(context, caller, params.location));
    api.serve(listObjects, ({ caller, params, query }) => objectsAt(context, caller, params.location, query));
    api.serve(mapObject, (call) => saveMapping(context, call, call.params.model, call.body));
    api.serve(unmapObject, async (call) => {
      await deleteMapping(context, call, call.params.model, call.query);
      return {};
    });
    api.serve(getTagRules, ({ caller, params }) => readTagRules(context, caller, params.model));
    api.serve(saveTagRules, (call) => replaceTagRules(context, call, call.params.model, call.body));
    api.serve(tryTagRules, ({ caller, params, body }) => trials.list(caller, params.model, body));
    api.serve(countTagPositions, ({ caller, params }) => countPlacements(context, caller, params.model));
    api.serve(placeModelTags, async (call) => {
      const reply = await placeTagsOfModel(context, call, call.params.model);
      trials.clear();
      return reply;
    });
    api.serve(getViewerToken, () => viewerTokens.getToken());
  },
  demo: () => import('./demo.ts'),
});
