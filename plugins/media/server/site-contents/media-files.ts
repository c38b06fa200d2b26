import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Type, type Static } from 'typebox';
import {
  applyUploadRules,
  clearVideoMetadata,
  invalidRequest,
  measurePicture,
  resizePicture,
  writeTemporaryFiles,
  type FileAudience,
  type ImportedFile,
  type ServerContext,
} from '#core/server';
import { mediaRefusal } from '../../contract/errors.ts';
import { captionsUpload, readCaptions } from '../commands/item-changes.ts';
import { pictureLimits, pictureOrVideoUpload, pictureUpload } from '../commands/store-media-file.ts';
import type { MediaTables } from '../tables.ts';

export type MediaContext = ServerContext<MediaTables>;

export const MediaFile = Type.Object({
  file: Type.String(),
  /** File name at the upload. */
  name: Type.String({ minLength: 1, maxLength: 300 }),
  video: Type.Boolean(),
});
export type MediaFile = Static<typeof MediaFile>;

/** A copy of an imported file, cleaned like an upload. A file of an unmodified export is equal to its copy. */
export interface SafeFile {
  readonly path: string;
  readonly mediaType: string;
  readonly sha256: string;
}

/** Exports contain WebP, the format of stored photos, which people cannot upload. */
const accept = [...pictureOrVideoUpload.accept, 'image/webp'];

/**
 * Calls `work` with a copy that was checked and cleaned like an upload.
 *
 * @throws `invalidRequest` (400) or `tooLarge` (413) if an upload would refuse the file
 */
export function withSafeMedia<T>(
  { path: source, name }: ImportedFile,
  { video }: Pick<MediaFile, 'video'>,
  work: (file: SafeFile) => Promise<T>,
): Promise<T> {
  return withCopy(source, async (copy) => {
    const { maximumBytes } = video ? pictureOrVideoUpload : pictureUpload;
    const { mediaType } = await applyUploadRules(copy, name, { accept, maximumBytes });
    if ((mediaType === 'video/mp4') !== video)
      throw invalidRequest(mediaRefusal('media.refused.transferFile', { file: name }));
    if (video) await clearVideoMetadata(copy);
    const needsEncoding = mediaType !== 'image/svg+xml' && !video && (await measurePicture(copy)).hasMetadata;
    if (needsEncoding) await writeFile(copy, await resizePicture(copy, pictureLimits));
    return work({ path: copy, mediaType: needsEncoding ? 'image/webp' : mediaType, sha256: await hashFile(copy) });
  });
}

/** @throws `invalidRequest` (400) or `tooLarge` (413) if an upload would refuse the file */
export const assertMedia = (file: ImportedFile, media: Pick<MediaFile, 'video'>): Promise<void> =>
  withSafeMedia(file, media, () => Promise.resolve());

/** @throws `invalidRequest` (400) or `tooLarge` (413) if an upload would refuse the file */
export async function assertCaptions({ path: file, name }: ImportedFile): Promise<void> {
  await applyUploadRules(file, name, captionsUpload);
  await readCaptions(file);
}

export const storeSafeFile = async (
  { files }: Pick<MediaContext, 'files'>,
  { path: file, mediaType }: Pick<SafeFile, 'path' | 'mediaType'>,
  name: string,
  audience: FileAudience,
): Promise<string> => (await files.put({ name, mediaType, audience }, createReadStream(file))).id;

/** Works on a copy, because the folder of an export must not be changed. */
async function withCopy<T>(source: string, work: (copy: string) => Promise<T>): Promise<T> {
  const folder = await writeTemporaryFiles(() => mkdtemp(path.join(os.tmpdir(), 'walkdown-media-')));
  try {
    const copy = path.join(folder, 'file');
    await writeTemporaryFiles(() => copyFile(source, copy));
    return await work(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}
