import { parsePictureMetadata, type PictureMetadata } from '../../../../common/picture-metadata.ts';

/** Metadata are at the beginning of a file. The server later reads the whole file. */
const headBytes = 256 * 1024;

/** Reads the metadata of a picture before its upload. Empty if the picture has no readable metadata. */
export async function readFileMetadata(file: File): Promise<PictureMetadata> {
  try {
    const { default: ExifReader } = await import('exifreader');
    return parsePictureMetadata(await ExifReader.load(file, { expanded: true, length: headBytes }));
  } catch {
    // The server refuses a damaged file with a reason.
    return {};
  }
}
