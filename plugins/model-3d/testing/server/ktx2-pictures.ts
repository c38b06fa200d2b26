/** Width and height of each picture in pixels. */
export const ktx2Size = 32;

/** The expected RGBA at a pixel. The left half is red, the right half blue, and the lower half is half transparent. */
export const ktx2Pixel = (x: number, y: number): readonly [number, number, number, number] => [
  x < ktx2Size / 2 ? 220 : 20,
  40,
  x < ktx2Size / 2 ? 20 : 220,
  y < ktx2Size / 2 ? 255 : 128,
];

/** One picture in the two encodings of Basis Universal. UASTC is compressed with zstd. */
export const ktx2Pictures = {
  UASTC: Buffer.from(
    'q0tUWCAyMLsNChoKAAAAAAEAAAAgAAAAIAAAAAAAAAAAAAAAAQAAAAEAAAACAAAAaAAAACwAAACUAAAAJAAAAAAAAAAAAAAAAAAAAAAAAAC4AAAAAAAAAEUAAAAAAAAAAAQAAAAAAAAsAAAAAAAAAAIAKACmAQIAAwMAABAAAAAAAAAAAAB/AwAAAAAAAAAA/////x8AAABLVFh3cml0ZXIAQmFzaXMgVW5pdmVyc2FsIDIuNTAAACi1L/1gAAPdAQColxuF4j/aZQAChfs/GmUDAjAChRswFKCQw8JqA7DjYgMNjofj8Tgeh8fxwcyxbHNW/huo5Tk7ohEhBQ==',
    'base64',
  ),
  ETC1S: Buffer.from(
    'q0tUWCAyMLsNChoKAAAAAAEAAAAgAAAAIAAAAAAAAAAAAAAAAQAAAAEAAAABAAAAaAAAADwAAACkAAAAJAAAAMgAAAAAAAAAkgAAAAAAAABaAQAAAAAAAAoAAAAAAAAAAAAAAAAAAAA8AAAAAAAAAAIAOACjAQIAAwMAAAgIAAAAAAAAAAA/AAAAAAAAAAAA/////0AAPw8AAAAAAAAAAP////8fAAAAS1RYd3JpdGVyAEJhc2lzIFVuaXZlcnNhbCAyLjUwAAAEAAIAMAAAAAkAAAAxAAAAAAAAAAAAAAAAAAAABAAAAAQAAAAGAAAAGcBEAAAAAAAAIgMIMBEAAAAAAIAsONABxA0QAAAAgCySIyAAUwAAAAAAIFAWfcAVrKqqqlJVVVUFFMCEAAEAAAAQ5IWIAJgAEAAAAABAdAh4GyAAAAAkkcHoBKfwAaYEAAAAAACQVxogAH+XJAnDNCy8cAQ=',
    'base64',
  ),
} as const;
