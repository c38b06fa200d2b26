import type { Api, ServerContext } from '#core/server';
import { SiteSurfaces } from '#plugins/tour';
import { maxFileBytes } from '../../../contract/values/file-heads.ts';
import { describeHeader, importCloud, listClouds, deleteCloud } from '../../../contract/api/cloud.ts';
import type { ScanTables } from '../../tables.ts';
import { cloudsAt, removeCloudAt, createCloud } from '../queries/clouds-at.ts';
import { readHeader } from '../jobs/describe-header.ts';
import type { OnCloudChanged } from '../jobs/publish-cloud.ts';
import { importCloudJob, runImportCloud, type ImportCloudPayload } from '../jobs/import-cloud.ts';

const maxFiles = 64;

export function serveClouds(api: Api, context: ServerContext<ScanTables>, tokenRequired: boolean): void {
  const dropRanges: OnCloudChanged = (...args) => context.service(SiteSurfaces).dropRanges(...args);
  context.jobs.register<ImportCloudPayload>(importCloudJob, (run) => runImportCloud(context, run, dropRanges));
  api.serve(listClouds, ({ caller, params }) => cloudsAt(context, caller, params.location, tokenRequired));
  api.serveUpload(
    importCloud,
    { accept: ['application/octet-stream', 'application/zip'], maximumBytes: maxFileBytes, maximumFiles: maxFiles },
    async ({ caller, params, query }, upload) => createCloud(context, caller, params.location, query, upload),
  );
  api.serve(describeHeader, ({ body }) => readHeader(body));
  api.serve(deleteCloud, async ({ params }) => {
    await removeCloudAt(context, params.location, params.uid, dropRanges);
    return { removed: true };
  });
}
