import { Type, type Static } from 'typebox';

export const manifestName = 'manifest.json';
export const siteFileName = 'site.json';
export const readmeName = 'README.txt';

export const manifestFormat = 'walkdown-site';
/** Incremented when older products could misread an export. */
export const manifestVersion = 1;

/** The largest JSON file that is read at once. */
export const maxJsonBytes = 100 * 1024 * 1024;

/** A path whose segments have letters, digits, `.`, `_` and `-`, and do not begin with a dot. */
export const filePathPattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$/;
const path = Type.String({ maxLength: 300, pattern: filePathPattern.source });

export const ManifestFile = Type.Object({
  path,
  // Type.Integer is limited to 32 bits, and scans are larger.
  bytes: Type.Number({ minimum: 0, multipleOf: 1 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  /** Computed from other data, and not imported. */
  derived: Type.Optional(Type.Literal(true)),
});
export type ManifestFile = Static<typeof ManifestFile>;

const Content = Type.Object({
  id: Type.String({ maxLength: 100 }),
  folder: path,
  counts: Type.Record(Type.String(), Type.Integer({ minimum: 0 })),
  notes: Type.Array(Type.String()),
});

/** What an export consists of. Written last, so that an interrupted export has none. */
export const Manifest = Type.Object({
  format: Type.Literal(manifestFormat),
  version: Type.Literal(manifestVersion),
  exportedAt: Type.String(),
  language: Type.Union([Type.Literal('en'), Type.Literal('fr')]),
  site: Type.Object({ code: Type.String({ minLength: 1, maxLength: 50 }), name: Type.String() }),
  contents: Type.Array(Content),
  files: Type.Array(ManifestFile),
});
export type Manifest = Static<typeof Manifest>;
