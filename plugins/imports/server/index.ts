import { Backups, ExampleWorkbooks, noAccess, OpenSessions, serverPlugin, SiteTransfers } from '#core/server';
import { ImportKinds, Workbooks } from '#plugins/imports';
import type manifest from '../plugin.ts';
import {
  applyImport,
  applySiteImport,
  cancelImport,
  cancelSiteExport,
  cancelSiteImport,
  updateImportRow,
  chooseImportColumns,
  createErrorWorkbook,
  createImport,
  createSiteExport,
  createWorkbook,
  getImport,
  leaveOutImportRows,
  listFollowingKinds,
  listImportKinds,
  listImportProblems,
  listImportRows,
  listImports,
  listSiteExports,
  listSiteImports,
  pushImport,
  forgetImportWord,
  readImportAgain,
  removeImportFile,
  renameImportReferences,
  replaceImportValues,
  undoImport,
  uploadImportFiles,
  uploadSiteImport,
} from '../contract/api.ts';
import { removeOldFolders } from './adapters/temporary-folder.ts';
import { deleteOldPictures } from './commands/delete-old-pictures.ts';
import { deleteOldStaging } from './commands/delete-old-staging.ts';
import { writeExampleWorkbooks } from './example-workbooks/write-example-workbooks.ts';
import { beginImport, importUpload, receiveImportFiles } from './handlers/begin-import.ts';
import { chooseColumns } from './handlers/choose-columns.ts';
import { correctRow, replaceValues } from './handlers/correct-rows.ts';
import { cancelBatch, startApplying } from './handlers/decide-import.ts';
import { readFollowingKinds, toKindInfos } from './handlers/kinds.ts';
import { assertCanReadFile, prepareErrorWorkbook, prepareList, prepareWorkbook } from './handlers/prepare-workbooks.ts';
import { leaveOutRows } from './handlers/leave-out-rows.ts';
import { pushRows } from './handlers/push-rows.ts';
import { forgetWord } from './handlers/forget-word.ts';
import { readAgain } from './handlers/read-again.ts';
import { removeFile } from './handlers/remove-file.ts';
import { renameReferences } from './handlers/rename-references.ts';
import { undoBatch } from './handlers/undo-import.ts';
import { fileGuard, getBatch, readScope, type ImportContext } from './import-context.ts';
import { applyImportJob, runApplyImport, type ApplyImportPayload } from './jobs/apply-import.ts';
import { checkImportJob, runCheckImport, type CheckImportPayload } from './jobs/check-import.ts';
import { KindRegistry } from './kinds/kind-registry.ts';
import { createImports } from './migrations/0001-create-imports.ts';
import { readUndoingsFromJournal } from './migrations/0002-read-undoings-from-journal.ts';
import { nameDefaults } from './migrations/0003-name-defaults.ts';
import { knowAllLocations } from './migrations/0004-know-all-locations.ts';
import { createSiteExports } from './migrations/0006-create-site-exports.ts';
import { measurePictures } from './migrations/0007-measure-pictures.ts';
import { createSiteImports } from './migrations/0008-create-site-imports.ts';
import { followImports } from './migrations/0009-follow-imports.ts';
import { markDryRuns } from './migrations/0010-mark-dry-runs.ts';
import { chooseFormatsAndRows } from './migrations/0011-choose-formats-and-rows.ts';
import { chooseFileLayouts } from './migrations/0012-choose-file-layouts.ts';
import { rememberUnits } from './migrations/0013-remember-units.ts';
import { nameFilesOfSheets } from './migrations/0014-name-files-of-sheets.ts';
import { chooseConstantsAndSheets } from './migrations/0015-choose-constants-and-sheets.ts';
import { nameImportsOfChoices } from './migrations/0016-name-imports-of-choices.ts';
import { rememberConstantsBySite } from './migrations/0017-remember-constants-by-site.ts';
import { storeCurrentRows } from './migrations/0018-store-current-rows.ts';
import { checkLargeImportsFaster } from './migrations/0019-check-large-imports-faster.ts';
import { reportReplacedWords } from './migrations/0020-report-replaced-words.ts';
import { storeUndoReports } from './migrations/0021-store-undo-reports.ts';
import { listProblems } from './queries/list-problems.ts';
import { listRows } from './queries/list-rows.ts';
import { listBatches, loadImport } from './queries/load-import.ts';
import {
  exportSiteJob,
  runExportSite,
  siteExportGuard,
  type ExportSitePayload,
} from './site-transfers/export-site-job.ts';
import {
  assertOwnExport,
  deleteOldExports,
  readSiteExports,
  startSiteExport,
  stopSiteExport,
} from './site-transfers/site-export-rows.ts';
import { runSiteImport, siteImportJob, type SiteImportPayload } from './site-transfers/site-import-job.ts';
import {
  decideSiteImport,
  deleteOldSiteImports,
  readSiteImports,
  receiveSiteImport,
  siteImportGuard,
  siteImportUpload,
} from './site-transfers/site-import-rows.ts';
import { createSiteTransfers, toExportServices } from './site-transfers/site-transfers.ts';
import { createWorkbookContent } from './site-transfers/workbook-content.ts';
import type { ImportsTables } from './tables.ts';

export default serverPlugin<typeof manifest, ImportsTables>()({
  migrations: [
    createImports,
    readUndoingsFromJournal,
    nameDefaults,
    knowAllLocations,
    createSiteExports,
    measurePictures,
    createSiteImports,
    followImports,
    markDryRuns,
    chooseFormatsAndRows,
    chooseFileLayouts,
    rememberUnits,
    nameFilesOfSheets,
    chooseConstantsAndSheets,
    nameImportsOfChoices,
    rememberConstantsBySite,
    storeCurrentRows,
    checkLargeImportsFaster,
    reportReplacedWords,
    storeUndoReports,
  ],
  api: (api, plugin) => {
    const kinds = new KindRegistry();
    plugin.provide(ImportKinds, kinds);
    // Inherits from the context of the plugin instead of changing it.
    const context: ImportContext = Object.assign(Object.create(plugin) as typeof plugin, { kinds });
    plugin.provide(Workbooks, { write: (person, list) => prepareList(context, person, list) });
    context.registerSiteContent(createWorkbookContent(context));
    plugin.provide(SiteTransfers, createSiteTransfers(context));
    plugin.provide(ExampleWorkbooks, { write: (options) => writeExampleWorkbooks(context, options) });
    context.jobs.register<CheckImportPayload>(checkImportJob, (run) => runCheckImport(context, run));
    context.jobs.register<ApplyImportPayload>(applyImportJob, (run) =>
      runApplyImport(context, { backups: context.service(Backups), sessions: context.service(OpenSessions) }, run),
    );
    context.jobs.register<ExportSitePayload>(exportSiteJob, (run) =>
      runExportSite(context, () => toExportServices(context), run),
    );
    context.jobs.register<SiteImportPayload>(siteImportJob, (run) => runSiteImport(context, run), {
      waitsForJobs: true,
    });
    context.scheduleCleanup(() => deleteOldSiteImports(context));
    // Only jobs read the files of imports.
    context.guardFiles(siteImportGuard, () => Promise.reject(noAccess()));
    api.serve(listSiteImports, ({ caller, query }) => readSiteImports(context, caller, query));
    api.serveUpload(uploadSiteImport, siteImportUpload, (call, upload) =>
      receiveSiteImport(context, call, call.params.import, upload),
    );
    api.serve(applySiteImport, (call) => decideSiteImport(context, call, call.params.import, 'APPLYING'));
    api.serve(cancelSiteImport, (call) => decideSiteImport(context, call, call.params.import, 'CANCELLED'));
    context.scheduleCleanup(() => removeOldFolders());
    context.scheduleCleanup(() => deleteOldStaging(context.tables));
    context.scheduleCleanup(() => deleteOldPictures(context));
    context.scheduleCleanup(() => deleteOldExports(context));
    context.guardFiles(siteExportGuard, ({ file, caller }) => assertOwnExport(context, file, caller));
    api.serve(listSiteExports, ({ caller, query }) => readSiteExports(context, caller, query));
    api.serve(createSiteExport, (call) => startSiteExport(context, call, call.params.location, call.body));
    api.serve(cancelSiteExport, ({ caller, params }) => stopSiteExport(context, caller, params.export));
    context.guardFiles(fileGuard, ({ file, caller }) => assertCanReadFile(context, file, caller));
    api.serve(createWorkbook, ({ caller, params, body }) => prepareWorkbook(context, caller, params.kind, body));
    api.serve(createErrorWorkbook, ({ caller, params, body }) =>
      prepareErrorWorkbook(context, caller, params.batch, body.language),
    );
    api.serve(listImportKinds, ({ caller }) => toKindInfos(kinds.list(caller)));
    api.serve(listFollowingKinds, ({ caller, params, query }) =>
      readFollowingKinds(context, caller, params.kind, query.site),
    );
    api.serve(listImports, async ({ caller, query }) => listBatches(context, kinds.list(caller), caller, query));
    api.serve(createImport, (call) => beginImport(context, call, call.body));
    api.serve(getImport, async ({ caller, params }) => {
      const { uid, kind } = await getBatch(context, caller, params.batch);
      return loadImport(context, uid, kinds.get(kind, caller));
    });
    api.serveUpload(uploadImportFiles, importUpload, (call, upload) =>
      receiveImportFiles(context, call, call.params.batch, upload),
    );
    api.serve(removeImportFile, (call) => removeFile(context, call, call.params.batch, call.query.name));
    api.serve(pushImport, (call) => pushRows(context, call, call.body));
    api.serve(readImportAgain, (call) => readAgain(context, call, call.params.batch, call.body));
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
    api.serve(updateImportRow, (call) => correctRow(context, call, call.params.batch, call.params.row, call.body));
    api.serve(leaveOutImportRows, (call) => leaveOutRows(context, call, call.params.batch, call.body));
    api.serve(renameImportReferences, (call) => renameReferences(context, call, call.params.batch, call.body));
    api.serve(undoImport, (call) => undoBatch(context, call, call.params.batch, call.body.dryRun));
    api.serve(forgetImportWord, (call) => forgetWord(context, call, call.params.batch, call.body));
    api.serve(replaceImportValues, (call) => replaceValues(context, call, call.params.batch, call.body));
  },
});
