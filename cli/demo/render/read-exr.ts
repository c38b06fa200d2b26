/** Planes of an uncompressed scan-line EXR by channel name, such as `ViewLayer.Combined.R`. */
export interface Exr {
  readonly width: number;
  readonly height: number;
  readonly channels: ReadonlyMap<string, Float32Array>;
}

/**
 * Reads the EXR files of blender_scene.py: scan lines, no compression, half or float samples (openexr.com, "OpenEXR
 * File Layout").
 *
 * @throws for any other kind of EXR
 */
export function readExr(bytes: Buffer): Exr {
  if (bytes.readUInt32LE(0) !== 20000630)
    throw new Error(
      'Not an EXR file: Blender was probably stopped while writing it. Delete the file and render again.',
    );
  let at = 8;
  const text = (): string => {
    const end = bytes.indexOf(0, at);
    const value = bytes.toString('latin1', at, end);
    at = end + 1;
    return value;
  };
  const names: { name: string; half: boolean }[] = [];
  let width = 0;
  let height = 0;
  for (let name = text(); name !== ''; name = text()) {
    text();
    const size = bytes.readUInt32LE(at);
    at += 4;
    const end = at + size;
    if (name === 'compression' && bytes[at] !== 0)
      throw new Error('The EXR is compressed: blender_scene.py must write it with exr_codec NONE.');
    if (name === 'dataWindow') {
      width = bytes.readInt32LE(at + 8) - bytes.readInt32LE(at) + 1;
      height = bytes.readInt32LE(at + 12) - bytes.readInt32LE(at + 4) + 1;
    }
    if (name === 'channels') {
      while (bytes[at] !== 0) {
        const channel = text();
        const type = bytes.readUInt32LE(at);
        if (type !== 1 && type !== 2) throw new Error(`The EXR channel ${channel} holds neither half nor float.`);
        names.push({ name: channel, half: type === 1 });
        at += 16;
      }
    }
    at = end;
  }
  const table = halfTable();
  const planes = names.map(() => new Float32Array(width * height));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let row = 0; row < height; row++) {
    let p = Number(view.getBigUint64(at + row * 8, true));
    const y = view.getInt32(p, true);
    p += 8;
    names.forEach(({ half }, k) => {
      const plane = planes[k]!;
      const start = y * width;
      if (half) for (let x = 0; x < width; x++, p += 2) plane[start + x] = table[view.getUint16(p, true)]!;
      else for (let x = 0; x < width; x++, p += 4) plane[start + x] = view.getFloat32(p, true);
    });
  }
  return { width, height, channels: new Map(names.map(({ name }, k) => [name, planes[k]!])) };
}

/** Stacks images of one width vertically, top first. */
export function stackExr(parts: readonly Exr[]): Exr {
  const [first] = parts;
  if (!first) throw new Error('Nothing to stack: a picture has at least one band.');
  if (parts.length === 1) return first;
  const height = parts.reduce((sum, part) => sum + part.height, 0);
  const channels = new Map<string, Float32Array>();
  for (const name of first.channels.keys()) {
    const plane = new Float32Array(first.width * height);
    let at = 0;
    for (const part of parts) {
      const rows = part.channels.get(name);
      if (!rows || part.width !== first.width)
        throw new Error(
          `A band lacks the channel ${name} or is ${part.width} wide, not ${first.width}. Delete the bands and ` +
            'render again.',
        );
      plane.set(rows, at);
      at += rows.length;
    }
    channels.set(name, plane);
  }
  return { width: first.width, height, channels };
}

/** All 65536 half floats as floats. */
function halfTable(): Float32Array {
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
