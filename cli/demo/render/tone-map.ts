import type { LinearImage } from './denoise.ts';

/** Tone mapping of scene light to a photograph: stops, white balance by channel, saturation and glow. */
export interface Exposure {
  readonly stops: number;
  readonly balance: readonly [number, number, number];
  readonly saturation: number;
  /** How far shadows are lifted towards the mid-tones, from 0 to 1. */
  readonly shadeLift: number;
}

export const daylight: Exposure = { stops: 0.05, balance: [1.02, 1.0, 0.985], saturation: 1.08, shadeLift: 0.34 };

/** Film curve of K. Narkowicz (2016), fitted to ACES. */
const curve = (x: number): number => Math.min(1, Math.max(0, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14)));

const encode = (x: number): number => (x <= 0.0031308 ? 12.92 * x : 1.055 * x ** (1 / 2.4) - 0.055);

/** Mean over a square window, by running sums along rows and columns. */
function boxMean(source: Float32Array, width: number, height: number, radius: number): Float32Array {
  const rows = new Float32Array(source.length);
  const out = new Float32Array(source.length);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let x = -radius; x < width; x++) {
      const enter = x + radius;
      if (enter < width) sum += source[y * width + enter]!;
      const leave = x - radius - 1;
      if (leave >= 0) sum -= source[y * width + leave]!;
      if (x >= 0) rows[y * width + x] = sum / (Math.min(width - 1, enter) - Math.max(0, x - radius) + 1);
    }
  }
  for (let x = 0; x < width; x++) {
    let sum = 0;
    for (let y = -radius; y < height; y++) {
      const enter = y + radius;
      if (enter < height) sum += rows[enter * width + x]!;
      const leave = y - radius - 1;
      if (leave >= 0) sum -= rows[leave * width + x]!;
      if (y >= 0) out[y * width + x] = sum / (Math.min(height - 1, enter) - Math.max(0, y - radius) + 1);
    }
  }
  return out;
}

/**
 * Gain per pixel that lifts shadows and limits glare, like bracketed exposures: compresses the base layer of log light
 * (guided filter, He et al. 2010) and preserves the detail layer.
 */
function shadeLift(pixels: Float32Array, width: number, height: number, compress: number): Float32Array {
  const log = new Float32Array(width * height);
  for (let k = 0; k < log.length; k++)
    log[k] = Math.log2(
      Math.max(1 / 512, 0.2126 * pixels[k * 3]! + 0.7152 * pixels[k * 3 + 1]! + 0.0722 * pixels[k * 3 + 2]!),
    );
  const radius = Math.max(4, Math.round(height / 40));
  const mean = boxMean(log, width, height, radius);
  const squares = boxMean(
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
  const slopes = boxMean(slope, width, height, radius);
  const offsets = boxMean(offset, width, height, radius);
  const middle = Math.log2(0.28);
  return log.map((v, k) => {
    const base = slopes[k]! * v + offsets[k]!;
    return 2 ** ((middle - base) * (base < middle ? compress : compress * 0.35));
  });
}

/** 8-bit sRGB, three bytes per pixel; slightly sharpened, as by a camera. */
export function toneMap(image: LinearImage, exposure: Exposure): Buffer {
  const { width, height, pixels } = image;
  const gain = 2 ** exposure.stops * 0.62;
  const lookup = new Uint8Array(4097);
  for (let k = 0; k <= 4096; k++) lookup[k] = Math.round(encode(k / 4096) * 255);
  const mapped = new Float32Array(pixels.length);
  const lift = shadeLift(pixels, width, height, exposure.shadeLift);
  for (let k = 0; k < pixels.length; k += 3) {
    const own = gain * lift[k / 3]!;
    const r = pixels[k]! * own * exposure.balance[0];
    const g = pixels[k + 1]! * own * exposure.balance[1];
    const b = pixels[k + 2]! * own * exposure.balance[2];
    const grey = 0.2126 * r + 0.7152 * g + 0.0722 * b;
    mapped[k] = curve(Math.max(0, grey + (r - grey) * exposure.saturation));
    mapped[k + 1] = curve(Math.max(0, grey + (g - grey) * exposure.saturation));
    mapped[k + 2] = curve(Math.max(0, grey + (b - grey) * exposure.saturation));
  }
  const out = Buffer.alloc(pixels.length);
  const row = width * 3;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      for (let c = 0; c < 3; c++) {
        const p = y * row + x * 3 + c;
        const left = x > 0 ? p - 3 : p;
        const right = x < width - 1 ? p + 3 : p;
        const above = y > 0 ? p - row : p;
        const below = y < height - 1 ? p + row : p;
        const v = mapped[p]!;
        const blur = (mapped[left]! + mapped[right]! + mapped[above]! + mapped[below]!) / 4;
        out[p] = lookup[Math.round(Math.min(1, Math.max(0, v + (v - blur) * 0.35)) * 4096)]!;
      }
    }
  }
  return out;
}
