/** An image with one plane per channel, by channel name, such as `ViewLayer.Combined.R`. */
export interface Exr {
  readonly width: number;
  readonly height: number;
  readonly channels: ReadonlyMap<string, Float32Array>;
}

/**
 * Reads an EXR file of blender_scene.py: uncompressed scan lines of half or float samples (openexr.com, "OpenEXR File
 * Layout").
 *
 * @throws for any other kind of EXR
 */
export function readExr(bytes: Buffer): Exr {
  if (bytes.readUInt32LE(0) !== 20000630)
    throw new Error(
      'The file is not an EXR picture. Blender was probably stopped while writing it. Delete the file and render again.',
    );
  let offset = 8;
  const readText = (): string => {
    const end = bytes.indexOf(0, offset);
    const value = bytes.toString('latin1', offset, end);
    offset = end + 1;
    return value;
  };
  const channels: { name: string; isHalf: boolean }[] = [];
  let width = 0;
  let height = 0;
  for (let name = readText(); name !== ''; name = readText()) {
    readText();
    const size = bytes.readUInt32LE(offset);
    offset += 4;
    const end = offset + size;
    if (name === 'compression' && bytes[offset] !== 0)
      throw new Error('The EXR is compressed: blender_scene.py must write it with exr_codec NONE.');
    if (name === 'dataWindow') {
      width = bytes.readInt32LE(offset + 8) - bytes.readInt32LE(offset) + 1;
      height = bytes.readInt32LE(offset + 12) - bytes.readInt32LE(offset + 4) + 1;
    }
    if (name === 'channels') {
      while (bytes[offset] !== 0) {
        const channel = readText();
        const type = bytes.readUInt32LE(offset);
        if (type !== 1 && type !== 2) throw new Error(`The EXR channel ${channel} has neither half nor float samples.`);
        channels.push({ name: channel, isHalf: type === 1 });
        offset += 16;
      }
    }
    offset = end;
  }
  const halfFloatValues = createHalfTable();
  const planes = channels.map(() => new Float32Array(width * height));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0; row < height; row++) {
    let cursor = Number(view.getBigUint64(offset + row * 8, true));
    const y = view.getInt32(cursor, true);
    cursor += 8;
    channels.forEach(({ isHalf }, k) => {
      const plane = planes[k]!;
      const start = y * width;
      if (isHalf)
        for (let x = 0; x < width; x++, cursor += 2) plane[start + x] = halfFloatValues[view.getUint16(cursor, true)]!;
      else for (let x = 0; x < width; x++, cursor += 4) plane[start + x] = view.getFloat32(cursor, true);
    });
  }
  return { width, height, channels: new Map(channels.map(({ name }, k) => [name, planes[k]!])) };
}

/** Stacks images of one width vertically, top first. */
export function stackImages(bands: readonly Exr[]): Exr {
  const [first] = bands;
  if (!first) throw new Error('There is no band to stack.');
  if (bands.length === 1) return first;
  const height = bands.reduce((sum, part) => sum + part.height, 0);
  const channels = new Map<string, Float32Array>();
  for (const name of first.channels.keys()) {
    const plane = new Float32Array(first.width * height);
    let offset = 0;
    for (const part of bands) {
      const rows = part.channels.get(name);
      if (!rows || part.width !== first.width)
        throw new Error(
          `A band lacks the channel ${name} or is ${part.width} wide, not ${first.width}. Delete the bands and ` +
            'render again.',
        );
      plane.set(rows, offset);
      offset += rows.length;
    }
    channels.set(name, plane);
  }
  return { width: first.width, height, channels };
}

/** Lookup table from the bits of a half float to its value. Infinity is replaced by the largest value, NaN by 0. */
function createHalfTable(): Float32Array {
  const table = new Float32Array(65536);
  for (let h = 0; h < 65536; h++) {
    const sign = h & 0x8000 ? -1 : 1;
    const exponent = (h >> 10) & 31;
    const fraction = h & 1023;
    table[h] =
      exponent === 0
        ? sign * fraction * 2 ** -24
        : exponent === 31
          ? fraction
            ? 0
            : sign * 65504
          : sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
  }
  return table;
}
