import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { AuditLog, SiteContents, type SiteTransfers, type TransferredSite } from '#core/server';
import type { ImportContext } from '../import-context.ts';
import { createEmptyFolder } from './empty-folder.ts';
import { createFolderTarget } from './export-target.ts';
import { exportSite, type ExportServices } from './export-site.ts';
import { importSite, type ImportRequest } from './import-site.ts';

/** The services that an export needs. */
export const toExportServices = (context: ImportContext): ExportServices => ({
  files: context.files,
  locations: context.locations,
  sites: context.sites,
  contents: context.service(SiteContents).list(),
});

/** Exports and imports of folders, for the command line. */
export const createSiteTransfers = (context: ImportContext): SiteTransfers => ({
  exportTo: async (folder, site, language) => {
    const services = toExportServices(context);
    const locations = await context.locations.descendants(site);
    await createEmptyFolder(folder);
    try {
      return await exportSite(services, createFolderTarget(folder), {
        site,
        locations,
        flags: 'ALL',
        language,
        signal: new AbortController().signal,
      });
    } catch (error) {
      for (const name of await readdir(folder)) await rm(path.join(folder, name), { recursive: true, force: true });
      throw error;
    }
  },
  importFrom: (folder, author, { dryRun = false } = {}) =>
    importInto(context, { folder, author, dryRun, signal: new AbortController().signal }),
});

/** Imports a folder, and records that in the audit log. See `importSite`. */
export const importInto = (
  context: ImportContext,
  request: Omit<ImportRequest, 'onChecked'>,
): Promise<TransferredSite> =>
  importSite(
    { contents: context.service(SiteContents).list(), locations: context.locations },
    {
      ...request,
      onChecked: ({ code, name }) =>
        context.tables.transaction().execute((transaction) =>
          context.service(AuditLog).record(
            {
              action: 'imports.siteImported',
              actor: request.author.caller.uid,
              subject: code,
              name,
              location: code,
              request: request.author.requestId,
            },
            transaction,
          ),
        ),
    },
  );
