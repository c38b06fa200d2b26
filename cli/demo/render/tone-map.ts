import type { LinearImage } from './denoise.ts';

/** Parameters of tone mapping. */
export interface Exposure {
  readonly stops: number;
  readonly balance: readonly [number, number, number];
  readonly saturation: number;
  /** The degree to which shadows are lifted towards the mid-tones, from 0 to 1. */
  readonly shadeLift: number;
}

export const daylight: Exposure = { stops: 0.05, balance: [1.02, 1.0, 0.985], saturation: 1.08, shadeLift: 0.34 };

/** Film curve by K. Narkowicz (2016), an approximation of ACES. */
const applyFilmCurve = (x: number): number =>
  Math.min(1, Math.max(0, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)));

const encodeSrgb = (x: number): number => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** Mean over a square window, computed by running sums along rows and columns. */
function computeBoxMean(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(source.length);
  const result = new Float32Array(source.length);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = -radius; x < width; x++) {
      const entering = x + radius;
      if (entering < width) sum += source[y * width + entering]!;
      const leaving = x - radius - 1;
      if (leaving >= 0) sum -= source[y * width + leaving]!;
      if (x >= 0) rows[y * width + x] = sum / (Math.min(width - 1, entering) - Math.max(0, x - radius) + 1);
    }
  }
  for (let x = 0; x < width; x++) {
    let sum = 0;
    for (let y = -radius; y < height; y++) {
      const entering = y + radius;
      if (entering < height) sum += rows[entering * width + x]!;
      const leaving = y - radius - 1;
      if (leaving >= 0) sum -= rows[leaving * width + x]!;
      if (y >= 0) result[y * width + x] = sum / (Math.min(height - 1, entering) - Math.max(0, y - radius) + 1);
    }
  }
  return result;
}

/**
 * Computes the gain of each pixel that lifts shadows and limits glare. Compresses the base layer of log light (guided
 * filter, He et al. 2010) and preserves the detail layer.
 */
function computeShadeGains(pixels: Float32Array, width: number, height: number, compress: number): Float32Array {
  const log = new Float32Array(width * height);
  for (let k = 0; k < log.length; k++)
    log[k] = Math.log2(
      Math.max(1 / 512, 0.2126 * pixels[k * 3]! + 0.7152 * pixels[k * 3 + 1]! + 0.0722 * pixels[k * 3 + 2]!),
    );
  const radius = Math.max(4, Math.round(height / 40));
  const mean = computeBoxMean(log, width, height, radius);
  const squares = computeBoxMean(
    log.map((v) => v * v),
    width,
    height,
    radius,
  );
  const slope = squares.map((v, k) => {
    const variance = Math.max(0, v - mean[k]! ** 2);
    return variance / (variance + 1.2);
  });
  const offset = mean.map((v, k) => v * (1 - slope[k]!));
  const slopes = computeBoxMean(slope, width, height, radius);
  const offsets = computeBoxMean(offset, width, height, radius);
  const middle = Math.log2(0.28);
  return log.map((v, k) => {
    const base = slopes[k]! * v + offsets[k]!;
    return 2 ** ((middle - base) * (base < middle ? compress : compress * 0.35));
  });
}

/** Converts linear light to 8-bit sRGB with three bytes per pixel, slightly sharpened as by a camera. */
export function toneMap(image: LinearImage, exposure: Exposure): Buffer {
  const { width, height, pixels } = image;
  const gain = 2 ** exposure.stops * 0.62;
  const lookup = new Uint8Array(4097);
  for (let k = 0; k <= 4096; k++) lookup[k] = Math.round(encodeSrgb(k / 4096) * 255);
  const mappedPixels = new Float32Array(pixels.length);
  const gains = computeShadeGains(pixels, width, height, exposure.shadeLift);
  for (let k = 0; k < pixels.length; k += 3) {
    const pixelGain = gain * gains[k / 3]!;
    const r = pixels[k]! * pixelGain * exposure.balance[0];
    const g = pixels[k + 1]! * pixelGain * exposure.balance[1];
    const b = pixels[k + 2]! * pixelGain * exposure.balance[2];
    const grey = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    mappedPixels[k] = applyFilmCurve(Math.max(0, grey + (r - grey) * exposure.saturation));
    mappedPixels[k + 1] = applyFilmCurve(Math.max(0, grey + (g - grey) * exposure.saturation));
    mappedPixels[k + 2] = applyFilmCurve(Math.max(0, grey + (b - grey) * exposure.saturation));
  }
  const result = Buffer.alloc(pixels.length);
  const row = width * 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        const p = y * row + x * 3 + c;
        const left = x > 0 ? p - 3 : p;
        const right = x < width - 1 ? p + 3 : p;
        const above = y > 0 ? p - row : p;
        const below = y < height - 1 ? p + row : p;
        const v = mappedPixels[p]!;
        const blur = (mappedPixels[left]! + mappedPixels[right]! + mappedPixels[above]! + mappedPixels[below]!) / 4;
        result[p] = lookup[Math.round(Math.min(1, Math.max(0, v + (v - blur) * 0.35)) * 4096)]!;
      }
    }
  }
  return result;
}
