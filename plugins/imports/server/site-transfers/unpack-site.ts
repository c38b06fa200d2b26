import { createWriteStream } from 'node:fs';
import { mkdir, stat, statfs } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { errorCodes } from '#core';
import { invalidRequest, ServerError, temporaryFilesFull } from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { filePathPattern, manifestName } from './manifest.ts';

export interface UnpackLimits {
  readonly maxEntries: number;
  /**
   * The contents may be this many times as large as the ZIP file. Contents of at most `minBombBytes` are always
   * accepted.
   */
  readonly maxRatio: number;
  readonly minBombBytes: number;
}

/** What common file systems allow for one segment of a path. */
const maxNameBytes = 255;

/** Pictures and scans hardly compress. A site of tables alone compresses up to about 20 times. */
const defaultLimits: UnpackLimits = { maxEntries: 500_000, maxRatio: 50, minBombBytes: 256 * 1024 ** 2 };

const createDamagedError = (cause: unknown): Error =>
  new ServerError(400, errorCodes.invalidRequest, importsRefusal('imports.refused.transferZipDamaged'), { cause });

/**
 * Unpacks the ZIP file of an export into an empty folder. If a program has packed the export with a folder around it,
 * that folder is left out.
 *
 * @throws `invalidRequest` (400) if the file is damaged, protected, a ZIP bomb or no export, or names files outside of
 *   it; `temporaryFilesFull` (507)
 */
export async function unpackSite(
  file: string,
  folder: string,
  signal: AbortSignal,
  limits: UnpackLimits = defaultLimits,
): Promise<void> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false, validateEntrySizes: true }).catch(
    (cause: unknown) => {
      throw createDamagedError(cause);
    },
  );
  try {
    const entries = await listEntries(zip, (await stat(file)).size, limits);
    const rootFolder = findRoot([...entries.keys()]);
    const bytes = [...entries.values()].reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0);
    const { bavail, bsize } = await statfs(folder);
    if (bavail * bsize < bytes) throw temporaryFilesFull();
    for (const [name, entry] of entries) {
      signal.throwIfAborted();
      const exportedPath = name.slice(rootFolder.length);
      if (name.startsWith(rootFolder) && filePathPattern.test(exportedPath))
        await unpackEntry(zip, entry, path.join(folder, exportedPath), signal);
    }
  } finally {
    zip.close();
  }
}

/** Lists the files of the zip file by name. */
async function listEntries(zip: ZipFile, zipBytes: number, limits: UnpackLimits): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  const names = new Set<string>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const { fileName: name } = entry;
      if (name.endsWith('/') || isSystemFile(name)) continue;
      if (entry.isEncrypted()) throw invalidRequest(importsRefusal('imports.refused.transferZipPassword'));
      // Names that differ only by case would be one file on some disks.
      const isTooLong = name.split('/').some((segment) => Buffer.byteLength(segment) > maxNameBytes);
      if (isTooLong || names.has(name.toLowerCase())) throw createNameError(name);
      names.add(name.toLowerCase());
      entries.set(name, entry);
      bytes += entry.uncompressedSize;
      if (entries.size > limits.maxEntries || (bytes > limits.minBombBytes && bytes > limits.maxRatio * zipBytes))
        throw invalidRequest(
          importsRefusal('imports.refused.transferZipBomb', { most: limits.maxEntries, ratio: limits.maxRatio }),
        );
    }
  } catch (error) {
    if (error instanceof ServerError) throw error;
    const outsidePath =
      error instanceof Error
        ? /^(?:invalid relative path|absolute path|invalid characters in fileName): (.*)$/.exec(error.message)?.[1]
        : undefined;
    throw outsidePath === undefined ? createDamagedError(error) : createNameError(outsidePath);
  }
  for (const name of entries.keys())
    for (const parent of listParents(name.toLowerCase())) if (names.has(parent)) throw createNameError(name);
  return entries;
}

const createNameError = (name: string): Error =>
  invalidRequest(importsRefusal('imports.refused.transferZipNames', { file: name.slice(0, 200) }));

/** Lists the folders of a file. None of them can be a file as well. */
const listParents = (name: string): string[] => [...name.matchAll(/\//g)].map(({ index }) => name.slice(0, index));

/** Whether the operating system of a person has added the file while packing a folder. */
const isSystemFile = (name: string): boolean =>
  /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/i.test(name);

/** The folder of the manifest: empty, or the one folder that surrounds everything. */
function findRoot(names: readonly string[]): string {
  if (names.includes(manifestName)) return '';
  const roots = names.filter((name) => name.split('/').length === 2 && name.endsWith(`/${manifestName}`));
  const [root] = roots;
  if (root === undefined || roots.length > 1)
    throw invalidRequest(importsRefusal('imports.refused.transferNoManifest'));
  return root.slice(0, -manifestName.length);
}

async function unpackEntry(zip: ZipFile, entry: Entry, target: string, signal: AbortSignal): Promise<void> {
  await mkdir(path.dirname(target), { recursive: true });
  const content = await zip.openReadStreamPromise(entry).catch((cause: unknown) => {
    throw createDamagedError(cause);
  });
  let readError: unknown;
  content.on('error', (error) => (readError ??= error));
  try {
    await pipeline(content, createWriteStream(target, { flags: 'wx' }), { signal });
  } catch (error) {
    signal.throwIfAborted();
    // An error of the disk is no fault of the ZIP file.
    throw readError === error && !isDiskError(error) ? createDamagedError(error) : error;
  }
}

const isDiskError = (error: unknown): boolean => error instanceof Error && 'syscall' in error;
