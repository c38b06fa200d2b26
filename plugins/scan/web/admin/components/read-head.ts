import { maxHeadBytes } from '../../../contract/index.ts';

/** Position of the field in the header that contains the offset of the points. */
const offsetPosition = 96;
const firstBytes = 104;

/**
 * Returns the start of a LAS, LAZ or COPC file, up to its points, as Base64. Undefined for other files and for headers
 * that are too long to send.
 */
export async function readHead(file: File): Promise<string | undefined> {
  const first = atob(await toBase64(file.slice(0, firstBytes)));
  if (!first.startsWith('LASF') || first.length < firstBytes) return undefined;
  const getByte = (index: number): number => first.charCodeAt(offsetPosition + index);
  const offset = getByte(0) + getByte(1) * 2 ** 8 + getByte(2) * 2 ** 16 + getByte(3) * 2 ** 24;
  // The header of LAS 1.4 is 375 bytes long. The stated offset may be too small.
  const end = Math.max(offset, 375);
  return end > maxHeadBytes ? undefined : toBase64(file.slice(0, end));
}

function toBase64(content: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
    reader.addEventListener('load', () => {
      const dataUrl = typeof reader.result === 'string' ? reader.result : '';
      resolve(dataUrl.slice(dataUrl.indexOf(',') + 1));
    });
    reader.readAsDataURL(content);
  });
}
