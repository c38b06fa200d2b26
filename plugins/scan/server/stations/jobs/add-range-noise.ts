import sharp from 'sharp';

/**
 * Adds normally distributed noise to an exact range image (lossless, high byte in R, low byte in G). `sigma` is one
 * standard deviation in metres. The same seed gives the same bytes.
 */
export async function addRangeNoise(file: string, sigma: number, seed: number): Promise<Buffer> {
  const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const nextNormal = createNormalGenerator(seed);
  for (let offset = 0; offset < data.length; offset += 3) {
    const exact = ((data[offset] ?? 0) << 8) | (data[offset + 1] ?? 0);
    if (exact === 0) continue;
    const measured = Math.min(65_535, Math.max(1, Math.round(exact + nextNormal() * sigma * 1000)));
    data[offset] = measured >> 8;
    data[offset + 1] = measured & 255;
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/**
 * Creates a generator of normally distributed numbers with mean 0 and standard deviation 1.
 *
 * @see Box and Muller (1958); the generator is `mulberry32` (Steele, Lea and Flood 2014)
 */
function createNormalGenerator(seed: number): () => number {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  };
  let spare: number | undefined;
  return () => {
    if (spare !== undefined) {
      const cached = spare;
      spare = undefined;
      return cached;
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}
