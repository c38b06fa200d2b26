import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import {
  archiveFormat,
  endName,
  parseEntryName,
  manifestName,
  type ArchiveEnd,
  type EntryName,
  type Manifest,
} from './archive-names.ts';
import { assertArchive } from './archive-place.ts';

export interface ArchiveEntry {
  readonly name: string;
  readonly what: EntryName;
  /** Must be consumed before the next entry is requested. */
  readonly content: Readable;
}

/** The entries of an archive in their order. */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const tar = extract();
  const fed = pipeline(createReadStream(file), createGunzip(), tar);
  // The loop below throws the same error.
  fed.catch(() => undefined);
  for await (const entry of tar) {
    const { name } = entry.header;
    yield { name, what: parseEntryName(name), content: Readable.from(entry, { objectMode: false }) };
    entry.resume();
  }
  await fed;
}

export interface VerifiedArchive {
  readonly manifest: Manifest;
  readonly end: ArchiveEnd;
}

/**
 * Reads the whole archive and verifies every checksum.
 *
 * @throws a readable error if it is truncated, damaged or no backup
 */
export async function verifyArchive(file: string): Promise<VerifiedArchive> {
  await assertArchive(file);
  let manifest: Manifest | undefined;
  let end: ArchiveEnd | undefined;
  const seen = new Map<string, string>();
  try {
    for await (const { name, what, content } of readArchive(file)) {
      if (end !== undefined) throw new Error(`The entry "${name}" comes after the end.`);
      if (seen.has(name)) throw new Error(`The entry "${name}" comes twice.`);
      if (seen.size === 0 && what.kind !== 'manifest') throw new Error(`It does not begin with ${manifestName}.`);
      if (what.kind === 'end') {
        end = JSON.parse(await text(content)) as ArchiveEnd;
        continue;
      }
      const whole = what.kind === 'manifest' ? await text(content) : undefined;
      const hash = createHash('sha256');
      if (whole === undefined) for await (const chunk of content as AsyncIterable<Buffer>) hash.update(chunk);
      else {
        manifest = JSON.parse(whole) as Manifest;
        hash.update(whole);
      }
      seen.set(name, hash.digest('hex'));
    }
    if (end === undefined) throw new Error(`It has no ${endName}.`);
    const entries = Object.entries(end.entries);
    const wrong = entries.find(([name, { sha256 }]) => seen.get(name) !== sha256);
    if (wrong !== undefined) throw new Error(`The entry "${wrong[0]}" is not what it was.`);
    if (entries.length !== seen.size) throw new Error('It has more entries than it was made with.');
  } catch (error) {
    throw new Error(
      `${file} is damaged, was cut short or is no backup: nothing was restored. Use another copy of it. ` +
        `(${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
  if (manifest === undefined || manifest.format !== archiveFormat) {
    throw new Error(
      `${file} has the format ${manifest?.format ?? 'of something else'}; this version restores the format ` +
        `${archiveFormat}. Restore it with the version that made it.`,
    );
  }
  return { manifest, end };
}
