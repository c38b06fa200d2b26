/** Decompresses gzip. Rejects if the data is truncated or damaged. */
export const decompress = (bytes: ArrayBuffer): Response =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
