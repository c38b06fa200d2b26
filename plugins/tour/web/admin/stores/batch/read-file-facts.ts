import { parsePictureFacts, type PictureFacts } from '../../../../common/picture-facts.ts';

/** Metadata are at the beginning of a file. The server reads the whole file. */
const headBytes = 256 * 1024;

/** Reads the metadata of a picture before it is sent. Empty if it has none, or none that can be read. */
export async function readFileFacts(file: File): Promise<PictureFacts> {
  try {
    const { default: ExifReader } = await import('exifreader');
    return parsePictureFacts(await ExifReader.load(file, { expanded: true, length: headBytes }));
  } catch {
    // The server names what is wrong with the file.
    return {};
  }
}
