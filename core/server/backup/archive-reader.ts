import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import {
  archiveFormat,
  endEntryName,
  parseEntryName,
  manifestEntryName,
  type EndEntry,
  type ParsedName,
  type Manifest,
} from './archive-names.ts';
import { assertArchiveReadable } from './backup-preconditions.ts';

export interface ArchiveEntry {
  readonly name: string;
  readonly parsedName: ParsedName;
  /** Must be consumed before the next entry is requested. */
  readonly content: Readable;
}

/** Reads the entries of an archive in file order. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  const archiveRead = pipeline(createReadStream(file), createGunzip(), tar);
  // The loop below throws the same error.
  archiveRead.catch(() => undefined);
  for await (const entry of tar) {
    const { name } = entry.header;
    yield { name, parsedName: parseEntryName(name), content: Readable.from(entry, { objectMode: false }) };
    entry.resume();
  }
  await archiveRead;
}

export interface VerifiedArchive {
  readonly manifest: Manifest;
  readonly endEntry: EndEntry;
}

/**
 * Reads the whole archive and verifies every checksum.
 *
 * @throws an error for operators if the archive is truncated, damaged or not a backup
 */
export async function verifyArchive(file: string): Promise<VerifiedArchive> {
  await assertArchiveReadable(file);
  let manifest: Manifest | undefined;
  let endEntry: EndEntry | undefined;
  const digests = new Map<string, string>();
  try {
    for await (const { name, parsedName, content } of readArchive(file)) {
      if (endEntry !== undefined) throw new Error(`The entry "${name}" comes after ${endEntryName}.`);
      if (digests.has(name)) throw new Error(`The entry "${name}" appears twice.`);
      if (digests.size === 0 && parsedName.kind !== 'manifest')
        throw new Error(`It does not begin with ${manifestEntryName}.`);
      if (parsedName.kind === 'end') {
        endEntry = JSON.parse(await text(content)) as EndEntry;
        continue;
      }
      const manifestText = parsedName.kind === 'manifest' ? await text(content) : undefined;
      const hash = createHash('sha256');
      if (manifestText === undefined) for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
      else {
        manifest = JSON.parse(manifestText) as Manifest;
        hash.update(manifestText);
      }
      digests.set(name, hash.digest('hex'));
    }
    if (endEntry === undefined) throw new Error(`It has no ${endEntryName}.`);
    const entries = Object.entries(endEntry.entries);
    const changedEntry = entries.find(([name, { sha256 }]) => digests.get(name) !== sha256);
    if (changedEntry !== undefined) throw new Error(`The entry "${changedEntry[0]}" is missing or was changed.`);
    if (entries.length !== digests.size) throw new Error('It has additional entries.');
  } catch (error) {
    throw new Error(
      `${file} is damaged, truncated or not a backup: nothing was restored. Use another copy of it. ` +
        `(${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
  if (manifest === undefined || manifest.format !== archiveFormat) {
    throw new Error(
      `${file} has the format ${manifest?.format ?? 'unknown'}; this version restores the format ` +
        `${archiveFormat}. Restore the archive with the version that wrote it.`,
    );
  }
  return { manifest, endEntry };
}
