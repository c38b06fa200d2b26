import { Type, type Static } from 'typebox';
import { endpoint } from '#core';
import { Instant, LocalizedError, LocationUid, NewUid, nullable, Page, pageQuery, Uid } from '#core/api';
import { Text } from './shapes.ts';

/** Days after which the file of an export is deleted. */
export const siteExportDays = 7;

/** What a part of a site consists of, or what an import of it adds and changes. */
export const TransferredPart = Type.Object({
  title: Text,
  counts: Type.Record(Type.String(), Type.Integer()),
  /** Names by the keys of `counts`. `added`, `changed` and `unchanged` of an import have none. */
  countNames: Type.Record(Type.String(), Text),
  /** Sentences about what was left out, and about what differs from the source. */
  notes: Type.Array(Text),
});
export type TransferredPart = Static<typeof TransferredPart>;

/** An export of one site by the caller. */
export type SiteExportState = Static<typeof SiteExportState>;
export const SiteExportState = Type.Object({
  uid: Type.String(),
  site: Type.String(),
  siteName: Type.String(),
  phase: Type.Enum(['RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
  /** The running job; its progress is in files. */
  job: nullable(Type.String()),
  refusal: nullable(LocalizedError),
  /** The ZIP file, for the caller alone. Null until it is complete, and once it is deleted. */
  file: nullable(Type.Object({ address: Type.String(), name: Type.String(), bytes: Type.Number() })),
  contents: Type.Array(TransferredPart),
  createdAt: Instant,
  /** When the file is deleted. */
  expiresAt: Instant,
});

const params = Type.Object({ export: Uid });

export const listSiteExports = endpoint('GET', '/api/site-exports', {
  summary: `The exports of sites by the caller in the last ${siteExportDays} days, latest first.`,
  access: 'import',
  query: Type.Object(pageQuery(200), { additionalProperties: false }),
  reply: Page(SiteExportState),
});

export const createSiteExport = endpoint('POST', '/api/site-exports/:location', {
  summary:
    'Starts to write one site, as far as the caller can access it, as a ZIP file of open formats, which ' +
    '`walkdown import` reads. Idempotent by its uid.',
  access: 'import',
  location: 'params.location',
  params: Type.Object({ location: LocationUid }),
  body: Type.Object({ uid: NewUid, language: Type.Enum(['en', 'fr']) }, { additionalProperties: false }),
  status: 201,
  reply: SiteExportState,
});

export const cancelSiteExport = endpoint('POST', '/api/site-exports/:export/cancel', {
  summary: 'Ends a running export of the caller. Does nothing to one that is complete.',
  access: 'import',
  params,
  reply: SiteExportState,
});
