/**
 * The LAZ formats whose chunks have layers. `pointBytes` is the size of a point without extra bytes, and `layers` the
 * number of compressed layers without those of extra bytes: nine of the point, one of its colour, one of near infrared.
 */
export const layeredFormats: Readonly<Record<number, { readonly pointBytes: number; readonly layers: number }>> = {
  6: { pointBytes: 30, layers: 9 },
  7: { pointBytes: 36, layers: 10 },
  8: { pointBytes: 38, layers: 11 },
};

/**
 * Whether a chunk contains the layers that it states. The decoder allocates and copies as many bytes as a damaged chunk
 * states, which may be gigabytes. A chunk is the first point, a number of points, the size of each layer, and the
 * layers. Each extra byte of a point has one layer. True for formats without layers. Source: LASzip's specification of
 * layered chunks, and laz-perf.
 */
export function hasAllLayers(
  chunk: Uint8Array,
  { format, pointLength }: { readonly format: number; readonly pointLength: number },
): boolean {
  const layeredFormat = layeredFormats[format];
  if (!layeredFormat) return true;
  const layerCount = layeredFormat.layers + pointLength - layeredFormat.pointBytes;
  const sizesOffset = pointLength + 4;
  const headerBytes = sizesOffset + 4 * layerCount;
  if (chunk.length < headerBytes) return false;
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length);
  let layerBytes = 0;
  for (let layer = 0; layer < layerCount; layer++) layerBytes += view.getUint32(sizesOffset + 4 * layer, true);
  return headerBytes + layerBytes <= chunk.length;
}
