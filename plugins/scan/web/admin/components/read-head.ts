import { maxHeadBytes } from '../../../contract/index.ts';

const offsetAt = 96;
const firstBytes = 104;

/**
 * Returns the start of a LAS, LAZ or COPC file, up to its points, as Base64. Undefined for other files and for headers
 * that are too long to send.
 */
export async function readHead(file: File): Promise<string | undefined> {
  const first = atob(await toBase64(file.slice(0, firstBytes)));
  if (!first.startsWith('LASF') || first.length < firstBytes) return undefined;
  const byte = (at: number): number => first.charCodeAt(offsetAt + at);
  const offset = byte(0) + byte(1) * 2 ** 8 + byte(2) * 2 ** 16 + byte(3) * 2 ** 24;
  // Reads the complete LAS 1.4 header, even if the points follow at once.
  const end = Math.max(offset, 375);
  return end > maxHeadBytes ? undefined : toBase64(file.slice(0, end));
}

function toBase64(part: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file could not be read.')));
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve(address.slice(address.indexOf(',') + 1));
    });
    reader.readAsDataURL(part);
  });
}
