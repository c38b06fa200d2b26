import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { Instant, LocalizedError, NewUid, nullable, Page, pageQuery, Uid } from '#core/api';
import { siteImportPhases } from '../values.ts';
import { siteExportDays, TransferredPart } from './site-exports.ts';

/** An import of an exported site by the caller. */
export type SiteImportState = Static<typeof SiteImportState>;
export const SiteImportState = Type.Object({
  uid: Type.String(),
  fileName: Type.String(),
  bytes: Type.Number(),
  /** Code and name of the site in the file. Null until the file is read. */
  site: nullable(Type.String()),
  siteName: nullable(Type.String()),
  phase: Type.Enum([...siteImportPhases]),
  /** The running job; its progress is in files. */
  job: nullable(Type.String()),
  refusal: nullable(LocalizedError),
  /** Whether it can be applied now: for the first time, or again after a failure. Without a site it is checked again. */
  applicable: Type.Boolean(),
  /**
   * Whether the server was restarted while it was applied. Then the counts include only what was written after the
   * restart.
   */
  restarted: Type.Boolean(),
  /** What would be added and changed, and after the import what was. */
  contents: Type.Array(TransferredPart),
  createdAt: Instant,
  /** When it is deleted with its file. */
  expiresAt: Instant,
});

const params = Type.Object({ import: Uid });

export const listSiteImports = endpoint('GET', '/api/site-imports', {
  summary: `The imports of sites by the caller in the last ${siteExportDays} days, latest first.`,
  access: 'import',
  query: Type.Object(pageQuery(200), { additionalProperties: false }),
  reply: Page(SiteImportState),
});

export const uploadSiteImport = endpoint('POST', '/api/site-imports/:import', {
  summary:
    'Uploads the ZIP file of an exported site as a form, and begins to compute what it would change. Also needs the ' +
    'flag `configure`. Idempotent by its uid.',
  access: 'import',
  params: Type.Object({ import: NewUid }),
  status: 201,
  reply: SiteImportState,
});

export const applySiteImport = endpoint('POST', '/api/site-imports/:import/apply', {
  summary:
    'Begins to write an import of a site after its preview, or again after a failure. If its check failed, it is ' +
    'checked again instead. Repeating the request does nothing.',
  access: 'import',
  params,
  reply: SiteImportState,
});

export const cancelSiteImport = endpoint('POST', '/api/site-imports/:import/cancel', {
  summary: 'Ends an import of a site that is not being written, and deletes its file. What was written stays.',
  access: 'import',
  params,
  reply: SiteImportState,
});
