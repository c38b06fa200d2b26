import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getCheck, invalidRequest } from '#core/server';
import { importsRefusal } from '../../contract/errors.ts';
import { createHashingStream } from './export-target.ts';
import { Manifest, manifestFormat, manifestName, manifestVersion, maxJsonBytes } from './manifest.ts';

/** An export on disk, whose files were verified by its manifest. */
export interface SiteFolder {
  readonly folder: string;
  readonly manifest: Manifest;
}

const checkManifest = getCheck(Manifest, 'body');

/**
 * Reads the manifest and verifies all files.
 *
 * @throws `invalidRequest` (400) if something is missing, changed, of a newer version, or no export at all
 */
export async function openSiteFolder(folder: string, signal: AbortSignal): Promise<SiteFolder> {
  const manifest = await readManifest(path.join(folder, manifestName));
  for (const { path: name, bytes, sha256 } of manifest.files) {
    signal.throwIfAborted();
    const file = path.join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (!stats?.isFile()) throw invalidRequest(importsRefusal('imports.refused.transferFileMissing', { file: name }));
    if (stats.size !== bytes || (await hashFile(file)) !== sha256)
      throw invalidRequest(importsRefusal('imports.refused.transferFileChanged', { file: name }));
  }
  return { folder, manifest };
}

async function readManifest(file: string): Promise<Manifest> {
  const size = (await stat(file).catch(() => undefined))?.size;
  if (size === undefined || size > maxJsonBytes)
    throw invalidRequest(importsRefusal('imports.refused.transferNoManifest'));
  let manifest: unknown;
  try {
    manifest = JSON.parse(await readFile(file, 'utf8'));
  } catch {
    throw invalidRequest(importsRefusal('imports.refused.transferNoManifest'));
  }
  const { format, version } = (manifest ?? {}) as Partial<Manifest>;
  if (format === manifestFormat && typeof version === 'number' && version > manifestVersion)
    throw invalidRequest(importsRefusal('imports.refused.transferNewer', { version, supported: manifestVersion }));
  if (checkManifest(manifest) !== true) throw invalidRequest(importsRefusal('imports.refused.transferNoManifest'));
  return manifest as Manifest;
}

async function hashFile(file: string): Promise<string> {
  const hashing = createHashingStream();
  const discard = new Writable({ write: (_chunk, _encoding, finish) => finish() });
  await pipeline(createReadStream(file), hashing.stream, discard);
  return hashing.result().sha256;
}
