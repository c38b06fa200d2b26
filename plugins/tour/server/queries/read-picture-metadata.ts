import { readFile } from 'node:fs/promises';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import ExifReader from 'exifreader';
import { parsePictureMetadata, type PictureMetadata } from '../../common/picture-metadata.ts';

/**
 * Reads the metadata of a picture. Empty if the metadata are missing or damaged, because the pixels may still be valid.
 * Ignores compressed metadata: cameras do not write them, and a small file could decompress to gigabytes.
 */
export async function readPictureMetadata(path: string): Promise<PictureMetadata> {
  const bytes = await readFile(path);
  const domParser = new DOMParser({ onError: onErrorStopParsing });
  try {
    return parsePictureMetadata(ExifReader.load(bytes, { expanded: true, domParser }));
  } catch {
    return {};
  }
}
