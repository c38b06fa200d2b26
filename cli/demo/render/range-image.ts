import type { PlantRays } from '../geometry/plant-rays.ts';
import type { Point } from '../plant/types.ts';
import { pixelDirection } from './equirectangular.ts';

/** Longest range in 16 bits of millimetres, in metres. */
export const maxRangeMetres = 65.535;

/** Millimetres of a range in metres; 0 if there is none or it is too far. */
export function encodeRange(metres: number | undefined): number {
  return metres === undefined || metres > maxRangeMetres ? 0 : Math.round(metres * 1000);
}

/** Radial ranges of a node as RGB bytes: high byte of the millimetres in R, low byte in G. */
export function rangeImage(rays: PlantRays, position: Point, heading: number, width: number, height: number): Buffer {
  const out = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const millimetres = encodeRange(rays.distance(position, pixelDirection(x, y, width, height, heading)));
      const at = (y * width + x) * 3;
      out[at] = millimetres >> 8;
      out[at + 1] = millimetres & 255;
    }
  }
  return out;
}
