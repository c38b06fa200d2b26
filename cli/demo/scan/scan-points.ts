import { join } from 'node:path';
import sharp from 'sharp';
import type { DemoPoints } from '#plugins/scan';
import { plant } from '../plant/plant.ts';
import type { Node } from '../plant/types.ts';
import { createRandom } from '../plant/vector.ts';
import { computePixelDirection } from '../render/equirectangular.ts';
import { projectRoot } from '../../project-root.ts';

export interface ScanOptions {
  /** Standard deviation of the noise along the ray, in metres. */
  readonly noise?: number;
  /** Fraction of points that are up to half a metre before or behind the surface. */
  readonly outliers?: number;
  /** The same seed gives the same points. */
  readonly seed?: number;
  /** Fraction of the rays to keep where the surface is so far away that rays are farther apart than `spacingMetres`. */
  readonly fraction?: number;
}

const defaultOptions: Required<ScanOptions> = { noise: 0.003, outliers: 0, seed: 20_260_609, fraction: 0.25 };
/** Mean distance of points on near surfaces in metres. Fewer rays are kept close to the scanner, as in a thinned scan. */
const spacingMetres = 0.012;
const maxOutlierMetres = 0.5;

const renderedFolder = join(projectRoot, 'cli', 'demo', 'rendered');

/**
 * Simulates a scanner at every node. Points come from the committed range images, with noise along each ray and the
 * colours of the panoramas. Yields one batch per row of a range image.
 */
export async function* scanPoints(options: ScanOptions = {}): AsyncGenerator<DemoPoints> {
  const settings = { ...defaultOptions, ...options };
  for (const [station, node] of plant.nodes.entries()) yield* scanStation(node, station, settings);
}

async function* scanStation(
  node: Node,
  station: number,
  { noise, outliers, seed, fraction }: Required<ScanOptions>,
): AsyncGenerator<DemoPoints> {
  const range = await sharp(join(renderedFolder, 'range', `${node.code}.webp`))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = range.info;
  const picture = await sharp(join(renderedFolder, 'panorama', `${node.code}.jpg`))
    .resize(width, height, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const rayRandom = createRandom(seed + 2 * station);
  // A separate generator, so that noise and outliers do not affect the choice of rays.
  const errorRandom = createRandom(seed + 2 * station + 1);
  for (let row = 0; row < height; row++) {
    const rowWeight = Math.sin(((row + 0.5) / height) * Math.PI);
    const positions: number[] = [];
    const colors: number[] = [];
    const intensities: number[] = [];
    for (let column = 0; column < width; column++) {
      const pixel = row * width + column;
      const distance = ((range.data[pixel * channels]! << 8) | range.data[pixel * channels + 1]!) / 1000;
      const raySpacing = distance * ((2 * Math.PI) / width);
      const isKept =
        rayRandom() <
        fraction * Math.min(rowWeight, (raySpacing * raySpacing * rowWeight) / (spacingMetres * spacingMetres));
      if (distance === 0 || !isKept) continue;
      const [x, y, z] = computePixelDirection(column, row, width, height, node.heading);
      const outlierError = outliers > 0 && errorRandom() < outliers ? (errorRandom() * 2 - 1) * maxOutlierMetres : 0;
      const measuredDistance = Math.max(0.1, distance + noise * generateNormal(errorRandom) + outlierError);
      positions.push(
        node.position[0] + x * measuredDistance,
        node.position[1] + y * measuredDistance,
        node.position[2] + z * measuredDistance,
      );
      const [red, green, blue] = [picture[pixel * 3]!, picture[pixel * 3 + 1]!, picture[pixel * 3 + 2]!];
      colors.push(red * 257, green * 257, blue * 257);
      // The returned intensity falls with the squared distance. Scanners compensate most of this loss.
      intensities.push((0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255 / (1 + distance / 40));
    }
    if (positions.length > 0)
      yield {
        count: intensities.length,
        positions: Float64Array.from(positions),
        colors: Uint16Array.from(colors),
        intensities: Float32Array.from(intensities),
      };
  }
}

/** A random number with mean 0 and standard deviation 1 (Box and Muller). */
function generateNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
