// Decodes KTX2 pictures (Basis Universal: ETC1S and UASTC) with the transcoder of three.js, so that browsers need none.
// The transcoder runs in the conversion process, so that a hostile picture ends only that process.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp from 'sharp';

const mediaType = 'image/ktx2';
const bytesPerPixel = 4;
const maxPixels = 16_384 * 16_384;
/** The transcoder's number for uncompressed RGBA. */
const uncompressedFormat = 13;

let transcoder;

/**
 * Loads the transcoder, which is a script for browsers. It exports itself by `define` if there is one, and uses globals
 * of Node that modules lack.
 */
async function createTranscoder() {
  const require = createRequire(import.meta.url);
  const wasm = require.resolve('three/examples/jsm/libs/basis/basis_transcoder.wasm');
  const previousGlobals = { define: globalThis.define, require: globalThis.require, __dirname: globalThis.__dirname };
  let createBasis;
  const define = Object.assign((_, factory) => (createBasis = factory()), { amd: true });
  Object.assign(globalThis, { define, require, __dirname: path.dirname(wasm) });
  try {
    await import('three/examples/jsm/libs/basis/basis_transcoder.js');
    const basis = await createBasis({ wasmBinary: await readFile(wasm) });
    basis.initializeBasis();
    return basis;
  } finally {
    Object.assign(globalThis, previousGlobals);
  }
}

/**
 * Replaces a document's KTX2 pictures by PNG. Pictures that cannot be decoded stay KTX2 and are removed later as
 * unsupported.
 */
export async function decodeKtx2(document) {
  const compressedTextures = document
    .getRoot()
    .listTextures()
    .filter((texture) => texture.getMimeType() === mediaType && texture.getImage());
  if (compressedTextures.length === 0) return;
  const basis = await (transcoder ??= createTranscoder());
  for (const texture of compressedTextures) {
    const decodedImage = decode(basis, texture.getImage());
    if (!decodedImage) continue;
    const { pixels, width, height } = decodedImage;
    texture
      .setImage(
        await sharp(pixels, { raw: { width, height, channels: bytesPerPixel } })
          .png({ compressionLevel: 1 })
          .toBuffer(),
      )
      .setMimeType('image/png')
      .setURI('');
  }
}

function decode(basis, bytes) {
  const file = new basis.KTX2File(bytes);
  try {
    if (!file.isValid() || file.isHDR()) return undefined;
    const { origWidth: width, origHeight: height } = file.getImageLevelInfo(0, 0, 0);
    if (!(width > 0 && height > 0 && width * height <= maxPixels) || !file.startTranscoding()) return undefined;
    const pixels = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, uncompressedFormat));
    if (pixels.length !== width * height * bytesPerPixel) return undefined;
    return file.transcodeImage(pixels, 0, 0, 0, uncompressedFormat, 0, -1, -1) ? { pixels, width, height } : undefined;
  } finally {
    file.close();
    file.delete();
  }
}
