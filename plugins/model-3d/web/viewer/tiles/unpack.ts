/** Unpacks what was packed by gzip. Rejects where it is cut off or damaged. */
export const unpack = (bytes: ArrayBuffer): Response =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')));
