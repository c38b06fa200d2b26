import { readFile } from 'node:fs/promises';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import ExifReader from 'exifreader';
import { parsePictureMetadata, type PictureMetadata } from '../../common/picture-metadata.ts';

/**
 * Reads the metadata of a picture. Empty if it has none or if they are damaged, which its pixels need not be.
 * Compressed metadata are left out: cameras write none, and a small file could contain gigabytes of them.
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
