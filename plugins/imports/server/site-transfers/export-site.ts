import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import {
  findMediaType,
  notFound,
  type FileStore,
  type LocationStore,
  type OwnedSiteContent,
  type SiteExport,
  type SiteStore,
  type TransferNote,
  type TransferredSite,
} from '#core/server';
import { createHashingStream, toReadable, type ExportTarget } from './export-target.ts';
import {
  manifestFormat,
  manifestName,
  manifestVersion,
  readmeName,
  siteFileName,
  type Manifest,
  type ManifestFile,
} from './manifest.ts';
import { noteMissingRight } from './notes.ts';
import { formatReadme } from './readme.ts';

export interface ExportServices {
  readonly files: Pick<FileStore, 'find' | 'read'>;
  readonly locations: Pick<LocationStore, 'find'>;
  readonly sites: Pick<SiteStore, 'recordAt'>;
  readonly contents: readonly OwnedSiteContent[];
}

export interface ExportRequest extends Pick<SiteExport, 'site' | 'locations' | 'flags' | 'language' | 'signal'> {
  /** Called after each file. */
  readonly onFile?: (files: number, bytes: number) => Promise<void>;
}

/**
 * Writes all contents of a site, then their manifest.
 *
 * @throws `notFound` (404) for an unknown site
 */
export async function exportSite(
  { files: store, locations, sites, contents }: ExportServices,
  target: ExportTarget,
  { site, locations: exportedLocations, flags, language, signal, onFile }: ExportRequest,
): Promise<TransferredSite> {
  const siteLocation = await locations.find(site);
  if (!siteLocation || siteLocation.parent !== null) throw notFound(`The site ${site}`);
  const files: ManifestFile[] = [];
  const usedNames = new Set<string>();
  let totalBytes = 0;
  const write = async (requestedName: string, content: Readable, derived = false): Promise<string> => {
    signal.throwIfAborted();
    const name = findFreeName(requestedName, usedNames);
    const hashing = createHashingStream();
    await Promise.all([pipeline(content, hashing.stream, { signal }), target.write(name, hashing.stream)]);
    const { bytes, sha256 } = hashing.result();
    files.push({ path: name, bytes, sha256, ...(derived ? { derived: true as const } : {}) });
    totalBytes += bytes;
    await onFile?.(files.length, totalBytes);
    return name;
  };
  const writtenContents: (Omit<Manifest['contents'][number], 'notes'> & {
    readonly notes: readonly TransferNote[];
  })[] = [];
  for (const { key, folder, access, export: exportContent } of contents) {
    if (access !== undefined && flags !== 'ALL' && !flags.includes(access)) {
      writtenContents.push({ id: key, folder, counts: {}, notes: [noteMissingRight(access)] });
      continue;
    }
    const counts: Record<string, number> = {};
    const notes: TransferNote[] = [];
    const add: SiteExport['add'] = async (name, content, options) =>
      (await write(`${folder}/${toFileName(name)}`, toReadable(content), options?.derived)).slice(folder.length + 1);
    const fileCountBefore = files.length;
    await exportContent({
      site,
      locations: exportedLocations,
      flags,
      language,
      signal,
      add,
      addStored: async (name, id) => {
        const storedFile = await store.find(id);
        if (!storedFile || storedFile.folder) return undefined;
        return add(`${name}${findExtension(storedFile.name, storedFile.mediaType)}`, await store.read(id));
      },
      count: (changes) => void Object.assign(counts, changes),
      note: (en, fr) => void notes.push({ en, fr }),
    });
    if (files.length > fileCountBefore || notes.length > 0) writtenContents.push({ id: key, folder, counts, notes });
  }
  const siteRecord = {
    code: site,
    name: siteLocation.name,
    label: siteLocation.label,
    ...(await sites.recordAt(site)),
  };
  await write(siteFileName, toReadable(`${JSON.stringify(siteRecord, null, 2)}\n`), true);
  const manifest: Manifest = {
    format: manifestFormat,
    version: manifestVersion,
    exportedAt: new Date().toISOString(),
    language,
    site: { code: site, name: siteLocation.name },
    contents: writtenContents.map(({ notes, ...content }) => ({ ...content, notes: notes.map(({ en }) => en) })),
    files,
  };
  await target.write(readmeName, toReadable(formatReadme(manifest)));
  await target.write(manifestName, toReadable(`${JSON.stringify(manifest, null, 1)}\n`));
  return {
    site,
    name: siteLocation.name,
    files: files.length,
    bytes: totalBytes,
    contents: writtenContents.map(({ id, counts, notes }) => ({ content: id, counts, notes })),
  };
}

/** Replaces characters that some file systems refuse. */
const toFileName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9._/-]/g, '_')
    .split('/')
    .map((segment) => segment.replace(/^\.+/, '_') || '_')
    .join('/');

function findFreeName(requestedName: string, usedNames: Set<string>): string {
  const { dir, name, ext } = path.posix.parse(requestedName);
  let freeName = requestedName;
  for (let number = 2; usedNames.has(freeName.toLowerCase()); number++) freeName = `${dir}/${name}-${number}${ext}`;
  usedNames.add(freeName.toLowerCase());
  return freeName;
}

const extensions: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/svg+xml': '.svg',
  'video/mp4': '.mp4',
  'text/vtt': '.vtt',
  'application/pdf': '.pdf',
  'model/gltf-binary': '.glb',
};

/** The extension of the stored name, unless it contradicts the type of the bytes. */
function findExtension(name: string, mediaType: string): string {
  const ownExtension = path.extname(name).toLowerCase();
  const expectedExtension = extensions[mediaType];
  return expectedExtension === undefined || findMediaType(name) === mediaType ? ownExtension : expectedExtension;
}
