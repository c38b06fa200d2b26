import type { Exr } from './read-exr.ts';

/** An image of linear light with three floats per pixel. */
export interface LinearImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array;
}

/** The layers from which the filter recognises edges between surfaces. */
interface Guide {
  readonly width: number;
  readonly height: number;
  readonly normals: Float32Array;
  readonly depth: Float32Array;
  /** Whether the left and right edges meet. */
  readonly wraps: boolean;
}

interface FilterStrength {
  readonly levels: number;
  /** The maximum difference in light to a neighbour, in standard deviations of the noise. */
  readonly light: number;
  readonly normalPower: number;
}

/**
 * Denoises a path-traced image with few samples. Filters the light without albedo with an edge-avoiding a-trous wavelet
 * that is guided by normal, depth and local noise, then multiplies it with the albedo. `averageTexture` also averages
 * gratings finer than a pixel.
 *
 * @see Dammertz et al. 2010; Schied et al. 2017
 */
export function denoise(exr: Exr, wraps: boolean, averageTexture: boolean): LinearImage {
  const { width, height } = exr;
  const layer = [...exr.channels.keys()][0]?.split('.')[0] ?? '';
  const getPass = (name: string, letters = 'RGB'): Float32Array =>
    joinPlanes(
      exr,
      [...letters].map((letter) => `${layer}.${name}.${letter}`),
    );
  const depth = exr.channels.get(`${layer}.Depth.Z`);
  if (!depth) throw new Error(`The EXR has no depth pass; it has ${[...exr.channels.keys()].join(', ')}.`);
  const guide: Guide = { width, height, normals: getPass('Normal', 'XYZ'), depth, wraps };
  const pixels = new Float32Array(width * height * 3);
  const addLight = (light: Float32Array, colour?: Float32Array): void => {
    for (let k = 0; k < pixels.length; k++) pixels[k]! += colour ? light[k]! * colour[k]! : light[k]!;
  };
  const diffuse = getPass('DiffCol');
  const isolated = new Uint8Array(width * height);
  addLight(filterLight(getPass('DiffDir'), guide, { levels: 5, light: 3.2, normalPower: 32 }, isolated), diffuse);
  addLight(filterLight(getPass('DiffInd'), guide, { levels: 4, light: 6, normalPower: 16 }), diffuse);
  const glossy = getPass('GlossCol');
  const shine = getPass('GlossDir');
  const reflection = getPass('GlossInd');
  for (let k = 0; k < shine.length; k++) shine[k]! += reflection[k]!;
  addLight(filterLight(shine, guide, { levels: 4, light: 2.8, normalPower: 64 }), glossy);
  addLight(getPass('Emit'));
  addLight(getPass('Env'));
  return { width, height, pixels: averageTexture ? averageFineTexture(pixels, isolated, guide) : pixels };
}

function joinPlanes(exr: Exr, names: readonly string[]): Float32Array {
  const planes = names.map((name) => {
    const plane = exr.channels.get(name);
    if (!plane) throw new Error(`The EXR has no channel ${name}; it has ${[...exr.channels.keys()].join(', ')}.`);
    return plane;
  });
  const [r, g, b] = planes as [Float32Array, Float32Array, Float32Array];
  const result = new Float32Array(r.length * 3);
  for (let k = 0; k < r.length; k++) {
    result[k * 3] = r[k]!;
    result[k * 3 + 1] = g[k]!;
    result[k * 3 + 2] = b[k]!;
  }
  return result;
}

const luminance = (a: Float32Array, at: number): number => 0.2126 * a[at]! + 0.7152 * a[at + 1]! + 0.0722 * a[at + 2]!;

/**
 * Standard deviation of light in a 5 x 5 window of the same surface, from which the filter estimates noise. Also clamps
 * single pixels that are much too bright, in `light`.
 */
function computeDeviation(light: Float32Array, { width, height, normals, depth, wraps }: Guide): Float32Array {
  const result = new Float32Array(width * height);
  const source = new Float32Array(width * height);
  for (let k = 0; k < source.length; k++) source[k] = luminance(light, k * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const p = y * width + x;
      const z = depth[p]!;
      let sum = 0,
        squares = 0,
        count = 0,
        highest = 0;
      for (let dy = -2; dy <= 2; dy++) {
        const yy = y + dy;
        if (yy < 0 || yy >= height) continue;
        for (let dx = -2; dx <= 2; dx++) {
          let xx = x + dx;
          if (xx < 0 || xx >= width) {
            if (!wraps) continue;
            xx = (xx + width) % width;
          }
          const q = yy * width + xx;
          if (Math.abs(depth[q]! - z) > 0.04 * z) continue;
          if (
            normals[q * 3]! * normals[p * 3]! +
              normals[q * 3 + 1]! * normals[p * 3 + 1]! +
              normals[q * 3 + 2]! * normals[p * 3 + 2]! <
            0.8
          )
            continue;
          const value = source[q]!;
          sum += value;
          squares += value * value;
          count++;
          if (q !== p && value > highest) highest = value;
        }
      }
      if (count < 2) continue;
      const mean = sum / count;
      result[p] = Math.sqrt(Math.max(0, squares / count - mean * mean));
      if (count > 14 && source[p]! > highest * 1.5 && source[p]! > mean * 4) {
        const scale = (highest * 1.2) / source[p]!;
        light[p * 3]! *= scale;
        light[p * 3 + 1]! *= scale;
        light[p * 3 + 2]! *= scale;
      }
    }
  }
  return result;
}

function filterLight(
  light: Float32Array,
  guide: Guide,
  strength: FilterStrength,
  isolated = new Uint8Array(guide.width * guide.height),
): Float32Array {
  const { width, height, normals, depth, wraps } = guide;
  const noise = computeDeviation(light, guide);
  let current: Float32Array = light;
  let next: Float32Array = new Float32Array(light.length);
  const luminances = new Float32Array(width * height);
  const powerSteps = Math.round(Math.log2(strength.normalPower));
  for (let level = 0; level < strength.levels; level++) {
    const step = 1 << level;
    // Each level leaves less noise to the next.
    const tolerance = strength.light / (1 + level * 0.9);
    for (let k = 0; k < luminances.length; k++) luminances[k] = luminance(current, k * 3);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const p = y * width + x;
        const p3 = p * 3;
        const z = depth[p]!;
        let r = current[p3]!,
          g = current[p3 + 1]!,
          b = current[p3 + 2]!;
        if (z < 1e6) {
          const nx = normals[p3]!,
            ny = normals[p3 + 1]!,
            nz = normals[p3 + 2]!;
          const l = luminances[p]!;
          const reach = 1 / (tolerance * noise[p]! + 0.004 + l * 0.02);
          const gap = 1 / (0.012 * z * (1 + step * 0.25) + 0.002);
          let weights = 0.25;
          r *= 0.25;
          g *= 0.25;
          b *= 0.25;
          for (let dy = -step; dy <= step; dy += step) {
            const yy = y + dy;
            if (yy < 0 || yy >= height) continue;
            for (let dx = -step; dx <= step; dx += step) {
              if (dx === 0 && dy === 0) continue;
              let xx = x + dx;
              if (xx < 0 || xx >= width) {
                if (!wraps) continue;
                xx = (xx + width) % width;
              }
              const q = yy * width + xx;
              const dz = Math.abs(depth[q]! - z) * gap;
              if (dz > 3) continue;
              const q3 = q * 3;
              let n = nx * normals[q3]! + ny * normals[q3 + 1]! + nz * normals[q3 + 2]!;
              if (n < 0.6) continue;
              for (let s = 0; s < powerSteps; s++) n *= n;
              const t = dz + Math.abs(luminances[q]! - l) * reach;
              // 1 / (1 + t + t2/2 + t3/6) approximates exp(-t) in a third of the time.
              const w = ((dx === 0 || dy === 0 ? 0.125 : 0.0625) * n) / (1 + t * (1 + t * (0.5 + t * 0.1667)));
              r += current[q3]! * w;
              g += current[q3 + 1]! * w;
              b += current[q3 + 2]! * w;
              weights += w;
            }
          }
          if (level === 0 && weights < 0.5) isolated[p] = 1;
          r /= weights;
          g /= weights;
          b /= weights;
        }
        next[p3] = r;
        next[p3 + 1] = g;
        next[p3 + 2] = b;
      }
    }
    const spareBuffer: Float32Array = current === light ? new Float32Array(light.length) : current;
    current = next;
    next = spareBuffer;
  }
  return averageIsolatedPixels(current, isolated, guide);
}

/**
 * Averages light where nearly all neighbours are isolated, because gratings and rails beyond three metres are finer
 * than a pixel and would flicker.
 */
function averageFineTexture(
  pixels: Float32Array,
  isolated: Uint8Array,
  { width, height, depth, wraps }: Guide,
): Float32Array {
  const result = Float32Array.from(pixels);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 0; x < width; x++) {
      const p = y * width + x;
      if (!isolated[p] || depth[p]! < 3) continue;
      if (!wraps && (x < 2 || x >= width - 2)) continue;
      let isolatedNeighbours = 0,
        r = 0,
        g = 0,
        b = 0,
        weights = 0;
      for (let dy = -2; dy <= 2; dy++) {
        for (let dx = -2; dx <= 2; dx++) {
          const q = (y + dy) * width + ((x + dx + width) % width);
          isolatedNeighbours += isolated[q]!;
          const w = Math.exp(-(dx * dx + dy * dy) * 0.8);
          r += pixels[q * 3]! * w;
          g += pixels[q * 3 + 1]! * w;
          b += pixels[q * 3 + 2]! * w;
          weights += w;
        }
      }
      if (isolatedNeighbours < 21) continue;
      result[p * 3] = r / weights;
      result[p * 3 + 1] = g / weights;
      result[p * 3 + 2] = b / weights;
    }
  }
  return result;
}

/**
 * Averages isolated pixels. They show several surfaces (edges, distant gratings) and so have few similar neighbours.
 * They get the mean of their surroundings, weighted towards well-filtered pixels.
 */
function averageIsolatedPixels(
  light: Float32Array,
  isolated: Uint8Array,
  { width, height, wraps }: Guide,
): Float32Array {
  const result = Float32Array.from(light);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const p = y * width + x;
      if (!isolated[p]) continue;
      let r = 0,
        g = 0,
        b = 0,
        weights = 0;
      for (let dy = -2; dy <= 2; dy++) {
        const yy = y + dy;
        if (yy < 0 || yy >= height) continue;
        for (let dx = -2; dx <= 2; dx++) {
          let xx = x + dx;
          if (xx < 0 || xx >= width) {
            if (!wraps) continue;
            xx = (xx + width) % width;
          }
          const q = yy * width + xx;
          const w = Math.exp(-(dx * dx + dy * dy) * 0.45) * (isolated[q] ? 0.6 : 1);
          r += light[q * 3]! * w;
          g += light[q * 3 + 1]! * w;
          b += light[q * 3 + 2]! * w;
          weights += w;
        }
      }
      result[p * 3] = r / weights;
      result[p * 3 + 1] = g / weights;
      result[p * 3 + 2] = b / weights;
    }
  }
  return result;
}
