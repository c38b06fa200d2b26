import type { Api, ServerContext } from '#core/server';
import { maxFileBytes } from '../../contract/file-heads.ts';
import { describeHeader, importCloud, listClouds, removeCloud } from '../../contract/cloud/api.ts';
import { cloudsAt, removeCloudAt, takeCloud } from './clouds-at.ts';
import { readHeader } from './describe-header.ts';
import { importCloudJob, runImportCloud, type ImportCloudPayload } from './import-cloud.ts';

const mostFiles = 64;

/** @param mayBeSeen whether scans of a location may be seen now; where not, it has no clouds */
export function serveClouds(api: Api, context: ServerContext, mayBeSeen: (location: string) => Promise<boolean>): void {
  context.jobs.register<ImportCloudPayload>(importCloudJob, (run) => runImportCloud(context, run));
  api.serve(listClouds, async ({ caller, params }) =>
    (await mayBeSeen(params.location)) ? cloudsAt(context, caller, params.location, mayBeSeen) : [],
  );
  api.serveUpload(
    importCloud,
    { accept: ['application/octet-stream', 'application/zip'], maximumBytes: maxFileBytes, maximumFiles: mostFiles },
    async ({ caller, params, query }, upload) => takeCloud(context, caller, params.location, query, upload),
  );
  api.serve(describeHeader, ({ body }) => readHeader(body));
  api.serve(removeCloud, async ({ params }) => {
    await removeCloudAt(context, params.location, params.code);
    return { removed: true };
  });
}
