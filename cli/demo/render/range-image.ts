import type { PlantRays } from '../geometry/plant-rays.ts';
import type { Point } from '../plant/types.ts';
import { computePixelDirection } from './equirectangular.ts';

/** The longest range that 16 bits of millimetres can store, in metres. */
export const maxRangeMetres = 65.535;

/** Millimetres of a range in metres; 0 if there is none or it is too far. */
export function encodeRange(metres: number | undefined): number {
  return metres === undefined || metres > maxRangeMetres ? 0 : Math.round(metres * 1000);
}

/** Radial ranges of a node as RGB bytes: high byte of the millimetres in R, low byte in G. */
export function createRangeImage(
  rays: PlantRays,
  position: Point,
  heading: number,
  width: number,
  height: number,
): Buffer {
  const result = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const millimetres = encodeRange(
        rays.computeDistance(position, computePixelDirection(x, y, width, height, heading)),
      );
      const offset = (y * width + x) * 3;
      result[offset] = millimetres >> 8;
      result[offset + 1] = millimetres & 255;
    }
  }
  return result;
}
