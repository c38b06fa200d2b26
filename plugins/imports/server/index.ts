import { Backups, OpenSessions, serverPlugin } from '#core/server';
import { ImportKinds, Workbooks } from '#plugins/imports';
import type manifest from '../plugin.ts';
import {
  applyImport,
  cancelImport,
  changeImportRow,
  chooseImportColumns,
  createErrorWorkbook,
  createImport,
  createWorkbook,
  getImport,
  listImportKinds,
  listImportProblems,
  listImportRows,
  listImports,
  pushImport,
  replaceImportValues,
  undoImport,
  uploadImportFiles,
} from '../contract/api.ts';
import { deleteOldStaging } from './commands/delete-old-staging.ts';
import { beginImport, importUpload, receiveImportFiles } from './handlers/begin-import.ts';
import { chooseColumns } from './handlers/choose-columns.ts';
import { correctRow, replaceValues } from './handlers/correct-rows.ts';
import { cancelBatch, startApplying } from './handlers/decide-import.ts';
import { toKindInfos } from './handlers/kinds.ts';
import { assertMayRead, prepareErrorWorkbook, prepareList, prepareWorkbook } from './handlers/prepare-workbooks.ts';
import { pushRows } from './handlers/push-rows.ts';
import { undoBatch } from './handlers/undo-import.ts';
import { fileGuard, getBatch, readScope, type ImportContext } from './import-context.ts';
import { applyImportJob, runApplyImport, type ApplyImportPayload } from './jobs/apply-import.ts';
import { checkImportJob, runCheckImport, type CheckImportPayload } from './jobs/check-import.ts';
import { KindRegistry } from './kinds/kind-registry.ts';
import { createImports } from './migrations/0001-create-imports.ts';
import { readUndoingsFromJournal } from './migrations/0002-read-undoings-from-journal.ts';
import { nameDefaults } from './migrations/0003-name-defaults.ts';
import { knowAllLocations } from './migrations/0004-know-all-locations.ts';
import { listProblems } from './queries/list-problems.ts';
import { listRows } from './queries/list-rows.ts';
import { listBatches, loadImport } from './queries/load-import.ts';
import type { ImportsTables } from './tables.ts';

export default serverPlugin<typeof manifest, ImportsTables>()({
  migrations: [createImports, readUndoingsFromJournal, nameDefaults, knowAllLocations],
  api: (api, plugin) => {
    const kinds = new KindRegistry();
    plugin.provide(ImportKinds, kinds);
    const context: ImportContext = Object.assign(Object.create(plugin) as typeof plugin, { kinds });
    plugin.provide(Workbooks, { write: (person, list) => prepareList(context, person, list) });
    context.jobs.register<CheckImportPayload>(checkImportJob, (run) => runCheckImport(context, run));
    context.jobs.register<ApplyImportPayload>(applyImportJob, (run) =>
      runApplyImport(context, { backups: context.service(Backups), sessions: context.service(OpenSessions) }, run),
    );
    context.scheduleCleanup(() => deleteOldStaging(context.tables));
    context.guardFiles(fileGuard, ({ file, caller }) => assertMayRead(context, file, caller));
    api.serve(createWorkbook, ({ caller, params, body }) => prepareWorkbook(context, caller, params.kind, body));
    api.serve(createErrorWorkbook, ({ caller, params, body }) =>
      prepareErrorWorkbook(context, caller, params.batch, body.language),
    );
    api.serve(listImportKinds, ({ caller }) => toKindInfos(kinds.list(caller)));
    api.serve(listImports, async ({ caller, query }) => listBatches(context, kinds.list(caller), caller, query));
    api.serve(createImport, (call) => beginImport(context, call, call.body));
    api.serve(getImport, async ({ caller, params }) => {
      const { uid, kind } = await getBatch(context, caller, params.batch);
      return loadImport(context, uid, kinds.get(kind, caller));
    });
    api.serveUpload(uploadImportFiles, importUpload, (call, upload) =>
      receiveImportFiles(context, call, call.params.batch, upload),
    );
    api.serve(pushImport, (call) => pushRows(context, call, call.body));
    api.serve(chooseImportColumns, (call) => chooseColumns(context, call, call.params.batch, call.body));
    api.serve(applyImport, (call) => startApplying(context, call, call.params.batch, call.body));
    api.serve(cancelImport, (call) => cancelBatch(context, call, call.params.batch));
    api.serve(listImportRows, async ({ caller, params, query }) => {
      const { uid, kind } = await getBatch(context, caller, params.batch);
      return listRows(context.tables, uid, kinds.get(kind, caller), query);
    });
    api.serve(listImportProblems, async ({ caller, params, query }) => {
      const batch = await getBatch(context, caller, params.batch);
      const scope = await readScope(context, batch);
      return listProblems(context.tables, batch.uid, kinds.get(batch.kind, caller), scope, query);
    });
    api.serve(changeImportRow, (call) => correctRow(context, call, call.params.batch, call.params.row, call.body));
    api.serve(undoImport, (call) => undoBatch(context, call, call.params.batch, call.body.dryRun));
    api.serve(replaceImportValues, (call) => replaceValues(context, call, call.params.batch, call.body));
  },
});
