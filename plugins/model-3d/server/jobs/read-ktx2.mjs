// Decodes KTX2 pictures (Basis Universal: ETC1S and UASTC) with the transcoder of three.js, so that browsers need none.
// Runs in the conversion process: a hostile picture only ends that process.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import sharp from 'sharp';

const mediaType = 'image/ktx2';
const bytesOfPixel = 4;
const maxPixels = 16_384 * 16_384;
/** The transcoder's format for uncompressed RGBA. */
const plain = 13;

let opening;

/**
 * The transcoder is a browser script: it exports itself to `define` if present, and in Node uses globals that modules
 * lack.
 */
async function open() {
  const require = createRequire(import.meta.url);
  const wasm = require.resolve('three/examples/jsm/libs/basis/basis_transcoder.wasm');
  const before = { define: globalThis.define, require: globalThis.require, __dirname: globalThis.__dirname };
  let make;
  const define = Object.assign((_, factory) => (make = factory()), { amd: true });
  Object.assign(globalThis, { define, require, __dirname: path.dirname(wasm) });
  try {
    await import('three/examples/jsm/libs/basis/basis_transcoder.js');
    const basis = await make({ wasmBinary: await readFile(wasm) });
    basis.initializeBasis();
    return basis;
  } finally {
    Object.assign(globalThis, before);
  }
}

/** Replaces a document's KTX2 pictures by PNG. Undecodable pictures stay, and are later omitted as unsupported. */
export async function unpackKtx2(document) {
  const packed = document
    .getRoot()
    .listTextures()
    .filter((texture) => texture.getMimeType() === mediaType && texture.getImage());
  if (packed.length === 0) return;
  const basis = await (opening ??= open());
  for (const texture of packed) {
    const unpacked = unpack(basis, texture.getImage());
    if (!unpacked) continue;
    const { pixels, width, height } = unpacked;
    texture
      .setImage(
        await sharp(pixels, { raw: { width, height, channels: bytesOfPixel } })
          .png({ compressionLevel: 1 })
          .toBuffer(),
      )
      .setMimeType('image/png')
      .setURI('');
  }
}

function unpack(basis, bytes) {
  const file = new basis.KTX2File(bytes);
  try {
    if (!file.isValid() || file.isHDR()) return undefined;
    const { origWidth: width, origHeight: height } = file.getImageLevelInfo(0, 0, 0);
    if (!(width > 0 && height > 0 && width * height <= maxPixels) || !file.startTranscoding()) return undefined;
    const pixels = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, plain));
    if (pixels.length !== width * height * bytesOfPixel) return undefined;
    return file.transcodeImage(pixels, 0, 0, 0, plain, 0, -1, -1) ? { pixels, width, height } : undefined;
  } finally {
    file.close();
    file.delete();
  }
}
