import type { PanoramaPicture } from '#plugins/tour';

/** Pixels as in the file, without conversion on the way to the texture. */
const decoding: ImageBitmapOptions = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };

async function fetchBlob(
  picture: PanoramaPicture,
  path: string,
  signal: AbortSignal,
  priority: RequestPriority = 'auto',
): Promise<Blob> {
  if (picture.read) return picture.read(path);
  const response = await fetch(`${picture.tiles.address}/${path}`, { signal, credentials: 'include', priority });
  if (!response.ok)
    throw new Error(`'${path}' of the panorama could not be read: the server answered ${response.status}.`);
  return response.blob();
}

/** Decoded by the browser off the main thread. */
export async function readBitmap(picture: PanoramaPicture, path: string, signal: AbortSignal): Promise<ImageBitmap> {
  return createImageBitmap(await fetchBlob(picture, path, signal), decoding);
}

/** Fetches the bytes of a preview before anything can be drawn. A failure is reported by the decoding. */
export function fetchPreview(picture: PanoramaPicture, signal: AbortSignal): Promise<Blob> {
  const blob = fetchBlob(picture, 'preview.jpg', signal, 'high');
  blob.catch(() => undefined);
  return blob;
}

/** `arrived` is called when the bytes are loaded and before they are decoded: the connection is then free for tiles. */
export async function decodePreview(bytes: Promise<Blob>, arrived: () => void): Promise<ImageBitmap> {
  const blob = await bytes;
  arrived();
  return createImageBitmap(blob, decoding);
}

export const tilePath = (level: number, column: number, row: number): string => `${level}/${column}_${row}.jpg`;

/** Size of the range mesh. @see PanoramaTiles.mesh */
export const meshSize = { columns: 257, rows: 129 } as const;

/** Ranges in millimetres; undefined if the file has not the size of the mesh. */
export async function readMesh(picture: PanoramaPicture, signal: AbortSignal): Promise<Uint16Array | undefined> {
  const bytes = new DataView(await (await fetchBlob(picture, 'mesh.u16', signal)).arrayBuffer());
  const count = meshSize.columns * meshSize.rows;
  if (bytes.byteLength !== count * 2) return undefined;
  return Uint16Array.from({ length: count }, (_, index) => bytes.getUint16(index * 2, true));
}
