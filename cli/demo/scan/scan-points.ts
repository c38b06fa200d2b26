import { join } from 'node:path';
import sharp from 'sharp';
import type { DemoPoints } from '#plugins/scan';
import { plant } from '../plant/plant.ts';
import type { Node } from '../plant/types.ts';
import { seeded } from '../plant/vector.ts';
import { pixelDirection } from '../render/equirectangular.ts';
import { projectRoot } from '../../project-root.ts';

export interface ScanOptions {
  /** One standard deviation along the ray, metres. */
  readonly noise?: number;
  /** Share of points, in [0, 1], that lie up to half a metre before or behind the surface. */
  readonly outliers?: number;
  /** The same seed gives the same points. */
  readonly seed?: number;
  /** Share of the rays that are kept at distances where rays are wider apart than `spacing`. */
  readonly share?: number;
}

const usual: Required<ScanOptions> = { noise: 0.003, outliers: 0, seed: 20_260_609, share: 0.25 };
/** Minimum metres between rays on a surface: closer to the scanner fewer are kept, as in a thinned scan. */
const spacing = 0.012;
const maxOutlierMetres = 0.5;

const rendered = join(projectRoot, 'cli', 'demo', 'rendered');

/**
 * Simulates a scanner at every node: the rays of the committed range images with the colours of the panoramas and noise
 * along each ray. One batch per row of a range image.
 */
export async function* scanPoints(options: ScanOptions = {}): AsyncGenerator<DemoPoints> {
  const settings = { ...usual, ...options };
  for (const [station, node] of plant.nodes.entries()) yield* stationPoints(node, station, settings);
}

async function* stationPoints(
  node: Node,
  station: number,
  { noise, outliers, seed, share }: Required<ScanOptions>,
): AsyncGenerator<DemoPoints> {
  const range = await sharp(join(rendered, 'range', `${node.code}.webp`))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = range.info;
  const picture = await sharp(join(rendered, 'panorama', `${node.code}.jpg`))
    .resize(width, height, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer();
  const choice = seeded(seed + 2 * station);
  // A separate generator, so that the errors do not affect which rays are kept.
  const error = seeded(seed + 2 * station + 1);
  for (let row = 0; row < height; row++) {
    const across = Math.sin(((row + 0.5) / height) * Math.PI);
    const positions: number[] = [];
    const colors: number[] = [];
    const intensities: number[] = [];
    for (let column = 0; column < width; column++) {
      const pixel = row * width + column;
      const distance = ((range.data[pixel * channels]! << 8) | range.data[pixel * channels + 1]!) / 1000;
      const pitch = distance * ((2 * Math.PI) / width);
      const kept = choice() < share * Math.min(across, (pitch * pitch * across) / (spacing * spacing));
      if (distance === 0 || !kept) continue;
      const [x, y, z] = pixelDirection(column, row, width, height, node.heading);
      const stray = outliers > 0 && error() < outliers ? (error() * 2 - 1) * maxOutlierMetres : 0;
      const measured = Math.max(0.1, distance + noise * normal(error) + stray);
      positions.push(node.position[0] + x * measured, node.position[1] + y * measured, node.position[2] + z * measured);
      const [red, green, blue] = [picture[pixel * 3]!, picture[pixel * 3 + 1]!, picture[pixel * 3 + 2]!];
      colors.push(red * 257, green * 257, blue * 257);
      // The returned intensity falls with the squared distance; scanners compensate most of it.
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

/** Mean 0, standard deviation 1 (Box and Muller). */
function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
