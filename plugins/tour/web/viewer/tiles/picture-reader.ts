import type { PanoramaPicture } from '#plugins/tour';

/** Decodes pixels without colour conversion. */
const bitmapOptions: ImageBitmapOptions = { premultiplyAlpha: 'none', colorSpaceConversion: 'none' };

async function fetchBlob(
  picture: PanoramaPicture,
  path: string,
  signal: AbortSignal,
  priority: RequestPriority = 'auto',
): Promise<Blob> {
  if (picture.read) return picture.read(path);
  const response = await fetch(`${picture.tiles.address}/${path}`, { signal, credentials: 'include', priority });
  if (!response.ok)
    throw new Error(`'${path}' of the panorama could not be read: the server replied ${response.status}.`);
  return response.blob();
}

/** Reads an image, which the browser decodes off the main thread. */
export async function readBitmap(picture: PanoramaPicture, path: string, signal: AbortSignal): Promise<ImageBitmap> {
  return createImageBitmap(await fetchBlob(picture, path, signal), bitmapOptions);
}

/** Fetches the bytes of a preview. `decodePreview` reports a failure. */
export function fetchPreview(picture: PanoramaPicture, signal: AbortSignal): Promise<Blob> {
  const blob = fetchBlob(picture, 'preview.jpg', signal, 'high');
  blob.catch(() => undefined);
  return blob;
}

/** Decodes a preview. `onBytesLoaded` is called before the decoding, when the connection is free for tiles. */
export async function decodePreview(bytes: Promise<Blob>, onBytesLoaded: () => void): Promise<ImageBitmap> {
  const blob = await bytes;
  onBytesLoaded();
  return createImageBitmap(blob, bitmapOptions);
}

export const formatTilePath = (level: number, column: number, row: number): string => `${level}/${column}_${row}.jpg`;

/** Size of the range mesh. @see PanoramaTiles.mesh */
export const meshSize = { columns: 257, rows: 129 } as const;

/** Reads the range mesh in millimetres. Undefined if the file has an unexpected size. */
export async function readMesh(picture: PanoramaPicture, signal: AbortSignal): Promise<Uint16Array | undefined> {
  const bytes = new DataView(await (await fetchBlob(picture, 'mesh.u16', signal)).arrayBuffer());
  const count = meshSize.columns * meshSize.rows;
  if (bytes.byteLength !== count * 2) return undefined;
  return Uint16Array.from({ length: count }, (_, index) => bytes.getUint16(index * 2, true));
}
