import { readFile } from 'node:fs/promises';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import ExifReader from 'exifreader';
import { parsePictureFacts, type PictureFacts } from '../../common/picture-facts.ts';

/**
 * Reads the metadata of a picture. Empty if it has none or if they are damaged, which its pixels need not be.
 * Compressed metadata are left out: cameras write none, and a small file could contain gigabytes of them.
 */
export async function readPictureFacts(path: string): Promise<PictureFacts> {
  const bytes = await readFile(path);
  const domParser = new DOMParser({ onError: onErrorStopParsing });
  try {
    return parsePictureFacts(ExifReader.load(bytes, { expanded: true, domParser }));
  } catch {
    return {};
  }
}
