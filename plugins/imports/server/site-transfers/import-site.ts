import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  getCheck,
  invalidRequest,
  noAccess,
  type CallAuthor,
  type ImportedFile,
  type LocationStore,
  type OwnedSiteContent,
  type SiteImport,
  type TransferNote,
  type TransferredContent,
  type TransferredSite,
} from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { maxJsonBytes, type Manifest } from './manifest.ts';
import { noteMissingPlugin, noteMissingRight } from './notes.ts';
import { openSiteFolder } from './open-site-folder.ts';

export interface ImportRequest extends Pick<SiteImport, 'author' | 'signal' | 'dryRun'> {
  readonly folder: string;
  /** Called after the checks, before anything is written. Not called in a dry run. */
  readonly onChecked: (site: Manifest['site']) => Promise<void>;
  /** Called while files are imported, with the number of imported files and of all files. */
  readonly onProgress?: (done: number, total: number) => Promise<void>;
}

type Locations = Pick<LocationStore, 'find' | 'canAccess' | 'descendants' | 'accessibleDescendants'>;

/**
 * Imports an exported site: verifies all files, lets each content check its own files, and then writes one content
 * after the other. A dry run computes the counts and writes nothing.
 *
 * @throws `noAccess` (403) without the rights or the locations; `invalidRequest` (400) before anything is written if
 *   the export is incomplete or changed, or later if a content is refused, of which nothing is written then
 */
export async function importSite(
  { contents, locations }: { readonly contents: readonly OwnedSiteContent[]; readonly locations: Locations },
  { folder, author, signal, dryRun, onChecked, onProgress }: ImportRequest,
): Promise<TransferredSite> {
  assertImportRights(author);
  const { manifest } = await openSiteFolder(folder, signal);
  await assertWholeSite(locations, author, manifest.site.code);
  const importedContents: TransferredContent[] = [];
  const progress = new TransferProgress(onProgress);
  const knownContents = contents.flatMap((content) => {
    const manifestEntry = manifest.contents.find(({ id }) => id === content.key);
    if (!manifestEntry) return [];
    const notes: TransferNote[] = [];
    const prefix = `${manifestEntry.folder}/`;
    const files = manifest.files
      .filter((file) => file.path.startsWith(prefix) && file.derived !== true)
      .map(({ path: name, bytes, sha256 }) => ({
        name: name.slice(prefix.length),
        path: path.join(folder, name),
        bytes,
        sha256,
      }));
    if (files.length === 0) return [];
    const sourceOptions = { site: manifest.site.code, author, signal, dryRun, files, notes };
    return [{ content, notes, files, source: createSource(sourceOptions, progress.advance) }];
  });
  progress.total = knownContents.reduce((sum, { files }) => sum + files.length, 0);
  for (const { content, source } of knownContents) await content.check?.(source);
  if (!dryRun) await onChecked(manifest.site);
  let doneFiles = 0;
  for (const { content, source, notes, files } of knownContents) {
    signal.throwIfAborted();
    const { access } = content;
    if (access !== undefined && !author.caller.access.flags.includes(access)) {
      importedContents.push({ content: content.key, counts: {}, notes: [noteMissingRight(access)] });
      continue;
    }
    const counts = await content.import(source);
    importedContents.push({ content: content.key, counts: { ...counts }, notes });
    doneFiles += files.length;
    await progress.raiseTo(doneFiles);
  }
  for (const { id } of manifest.contents)
    if (!contents.some(({ key }) => key === id))
      importedContents.push({ content: id, counts: {}, notes: [noteMissingPlugin] });
  return {
    site: manifest.site.code,
    name: manifest.site.name,
    files: manifest.files.length,
    bytes: manifest.files.reduce((sum, { bytes }) => sum + bytes, 0),
    contents: importedContents,
  };
}

/** @throws `noAccess` (403) without the flags that all contents need (ADR 0082) */
export function assertImportRights({ caller }: CallAuthor): void {
  const { flags } = caller.access;
  if (!flags.includes('import') || !flags.includes('configure'))
    throw noAccess(importsRefusal('imports.refused.transferRights'));
}

/** @throws `noAccess` (403) unless the person can access each location of the site, or all locations for a new site */
async function assertWholeSite(locations: Locations, { caller }: CallAuthor, site: string): Promise<void> {
  if (caller.access.locations === 'ALL') return;
  const siteLocations = (await locations.find(site)) ? await locations.descendants(site) : undefined;
  const accessibleUids = siteLocations ? new Set(await locations.accessibleDescendants(caller, site)) : undefined;
  if (!siteLocations?.every((uid) => accessibleUids?.has(uid)))
    throw noAccess(importsRefusal('imports.refused.transferPlaces', { site }));
}

/** Counts imported files. The count never decreases. */
class TransferProgress {
  total = 0;
  #done = 0;
  readonly #report: ImportRequest['onProgress'];

  constructor(report: ImportRequest['onProgress']) {
    this.#report = report;
  }

  readonly advance = (files: number): Promise<void> => this.raiseTo(this.#done + files);

  async raiseTo(files: number): Promise<void> {
    this.#done = Math.min(this.total, Math.max(this.#done, files));
    await this.#report?.(this.#done, this.total);
  }
}

type SourceOptions = Pick<SiteImport, 'site' | 'author' | 'signal' | 'dryRun' | 'files'> & {
  readonly notes: TransferNote[];
};

function createSource({ files, notes, ...rest }: SourceOptions, advance: SiteImport['advance']): SiteImport {
  const fileByName = new Map(files.map((file) => [file.name, file]));
  const requireFile = (name: string): ImportedFile => {
    const importedFile = fileByName.get(name);
    if (!importedFile) throw invalidRequest(importsRefusal('imports.refused.transferFileMissing', { file: name }));
    return importedFile;
  };
  return {
    ...rest,
    files,
    requireFile,
    read: async (name, schema) => {
      const createUnreadableError = (): Error =>
        invalidRequest(importsRefusal('imports.refused.transferUnreadable', { file: name }));
      const { path: filePath, bytes } = requireFile(name);
      // The size is that of the manifest, which `openSiteFolder` has verified.
      if (bytes > maxJsonBytes) throw createUnreadableError();
      let value: unknown;
      try {
        value = JSON.parse(await readFile(filePath, 'utf8'));
      } catch (error) {
        throw error instanceof SyntaxError ? createUnreadableError() : error;
      }
      if (getCheck(schema, 'body')(value) !== true) throw createUnreadableError();
      return value as never;
    },
    note: (en, fr) => void notes.push({ en, fr }),
    advance,
  };
}
