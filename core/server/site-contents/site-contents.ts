import type { Readable } from 'node:stream';
import type { Static, TSchema } from 'typebox';
import { token, type AccessFlag } from '#core';
import type { CallAuthor } from '../changes/content-changes.ts';

/** The content of a file of an export: text, bytes, or a stream of bytes. */
export type ExportedContent = string | Uint8Array | Readable | AsyncIterable<string | Uint8Array>;

/** The export of one site to which contents add their files. */
export interface SiteExport {
  /** Uid of the site, which is its code. */
  readonly site: string;
  /** Uids of the exported locations: the locations of the site that the person can access. */
  readonly locations: readonly string[];
  /** The access flags of the person who exports. ALL for the operator of the product. */
  readonly flags: readonly AccessFlag[] | 'ALL';
  readonly language: 'en' | 'fr';
  readonly signal: AbortSignal;
  /**
   * Adds a file, and resolves to its final name. `name` is relative to the folder of the content; characters that file
   * systems refuse are replaced. A `derived` file is computed from other data and is not imported.
   */
  add(name: string, content: ExportedContent, options?: { readonly derived?: boolean }): Promise<string>;
  /**
   * Adds a file of the file store unchanged. `name` has no extension. Resolves to the final name, or to undefined if
   * the file is gone.
   */
  addStored(name: string, file: string): Promise<string | undefined>;
  /** Adds numbers of exported objects by kind, such as `{ panoramas: 42 }`. */
  count(counts: Readonly<Record<string, number>>): void;
  /** Explains in plain words what the export omits: in English for its README, in both languages for screens. */
  note(english: string, french: string): void;
}

/** A file of an export that is being imported. Its hash was verified. */
export interface ImportedFile {
  /** Relative to the folder of the contents. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** The import of an exported site, as contents read it. */
export interface SiteImport {
  readonly site: string;
  readonly author: CallAuthor;
  readonly signal: AbortSignal;
  /**
   * Whether to compute only the counts and write nothing. Objects that earlier contents would add do not exist then, so
   * what belongs to them counts as added.
   */
  readonly dryRun: boolean;
  readonly files: readonly ImportedFile[];
  /** @throws `invalidRequest` (400) if the export has no such file */
  requireFile(name: string): ImportedFile;
  /** @throws `invalidRequest` (400) if there is no such file, or its content does not match the schema */
  read<Schema extends TSchema>(name: string, schema: Schema): Promise<Static<Schema>>;
  /** Explains in plain words what was not imported, and why. */
  note(english: string, french: string): void;
  /** Reports that this many more files were imported. */
  advance(files: number): Promise<void>;
}

export interface ImportedCounts {
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** One content of sites, such as their panoramas, exported and imported by the plugin that owns it. */
export interface SiteContent {
  /** Unique within the plugin, such as `panoramas`. */
  readonly id: string;
  readonly title: { readonly en: string; readonly fr: string };
  /** The French label of each count, by the English label in `SiteExport.count`. */
  readonly frenchCountLabels?: Readonly<Record<string, string>>;
  /** Folder within an export. */
  readonly folder: string;
  /** The access flag that people need to export and import the content. */
  readonly access?: AccessFlag;
  /** Contents are imported in this order. Those that create what others refer to come first. */
  readonly order: number;
  readonly export: (siteExport: SiteExport) => Promise<void>;
  /** Checks the files before anything is written. Throws `invalidRequest` (400). */
  readonly check?: (source: SiteImport) => Promise<void>;
  /** Adds and changes what differs from the export; removes nothing. Equal contents write nothing. */
  readonly import: (source: SiteImport) => Promise<ImportedCounts>;
}

export interface OwnedSiteContent extends SiteContent {
  /** With the id of the plugin, such as `tour.panoramas`. */
  readonly key: string;
}

/** Contents of sites, as plugins register them; see `ServerContext.registerSiteContent`. */
export const SiteContents = token<SiteContents>('core.SiteContents');
export interface SiteContents {
  register(owner: string, content: SiteContent): void;
  /** In the order of their import. */
  list(): readonly OwnedSiteContent[];
}

/** A sentence about what an export or import leaves out. */
export interface TransferNote {
  readonly en: string;
  readonly fr: string;
}

export interface TransferredContent {
  readonly content: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly TransferNote[];
}

export interface TransferredSite {
  readonly site: string;
  readonly name: string;
  readonly files: number;
  readonly bytes: number;
  readonly contents: readonly TransferredContent[];
}

/** Exports sites into folders and imports them. Provided by a plugin, for the command line. */
export const SiteTransfers = token<SiteTransfers>('core.SiteTransfers');
export interface SiteTransfers {
  /** @throws `notFound` (404) for an unknown site; `ConfigurationError` if the folder is not empty */
  exportTo(folder: string, site: string, language: 'en' | 'fr'): Promise<TransferredSite>;
  /**
   * With `dryRun` it returns the counts of what would be added and changed, and writes nothing.
   *
   * @throws `invalidRequest` (400) before anything is written if the folder is not a complete export
   */
  importFrom(folder: string, author: CallAuthor, options?: { readonly dryRun?: boolean }): Promise<TransferredSite>;
}
