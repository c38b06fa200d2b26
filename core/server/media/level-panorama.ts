import { setImmediate } from 'node:timers/promises';
import { toRadians, type Point3 } from '#core';

/**
 * The tilt of a camera in degrees. `pitch` is the elevation of the picture's centre. With a growing `roll` the camera
 * turns clockwise, so that the horizon turns counterclockwise in the picture.
 *
 * @see https://developers.google.com/streetview/spherical-metadata, PosePitchDegrees and PoseRollDegrees
 */
export interface CameraTilt {
  readonly pitch: number;
  readonly roll: number;
}

/** Smaller tilts are not applied. The widest picture, of 12,288 pixels, has 0.029 degrees per pixel. */
const minTiltDegrees = 0.005;
export const isTilted = ({ pitch, roll }: CameraTilt): boolean =>
  Math.abs(pitch) >= minTiltDegrees || Math.abs(roll) >= minTiltDegrees;

/**
 * Computes the axes of a tilted camera (right, forward, up) in its level frame: x to the right, y to the centre, z up.
 */
export function computeCameraAxes({ pitch, roll }: CameraTilt): readonly [Point3, Point3, Point3] {
  const [sinPitch, cosPitch] = [Math.sin(toRadians(pitch)), Math.cos(toRadians(pitch))];
  const [sinRoll, cosRoll] = [Math.sin(toRadians(roll)), Math.cos(toRadians(roll))];
  return [
    [cosRoll, sinRoll * sinPitch, -sinRoll * cosPitch],
    [0, cosPitch, sinPitch],
    [sinRoll, -cosRoll * sinPitch, cosRoll * cosPitch],
  ];
}

/** Rows between two pauses for other work, which is about 5 ms of a picture 8,192 pixels wide. */
const rowsPerSlice = 4;

/**
 * Resamples the equirectangular picture of a tilted camera, so that it is level and its centre keeps its azimuth.
 * Bilinear. Needs twice the memory of `pixels`.
 *
 * @param pixels RGB, row by row
 * @param height half the width
 */
export async function levelPixels(
  pixels: Buffer,
  width: number,
  height: number,
  tilt: CameraTilt,
): Promise<Buffer<ArrayBuffer>> {
  const [[rx, ry, rz], [fx, fy, fz], [ux, uy, uz]] = computeCameraAxes(tilt);
  const level = Buffer.allocUnsafe(pixels.length);
  const sines = new Float64Array(width);
  const cosines = new Float64Array(width);
  for (let column = 0; column < width; column++) {
    const pan = ((column + 0.5) / width - 0.5) * 2 * Math.PI;
    sines[column] = Math.sin(pan);
    cosines[column] = Math.cos(pan);
  }
  const panorama = { pixels, width, height };
  for (let row = 0; row < height; row++) {
    if (row % rowsPerSlice === 0) await setImmediate();
    const elevation = Math.PI * (0.5 - (row + 0.5) / height);
    const [z, horizontal] = [Math.sin(elevation), Math.cos(elevation)];
    for (let column = 0; column < width; column++) {
      const [x, y] = [horizontal * sines[column]!, horizontal * cosines[column]!];
      const across = rx * x + ry * y + rz * z;
      const along = fx * x + fy * y + fz * z;
      const upwards = ux * x + uy * y + uz * z;
      samplePanorama(panorama, across, along, upwards, level, 3 * (row * width + column));
    }
  }
  return level;
}

/** An equirectangular picture. */
export interface PanoramaPixels {
  /** RGB, row by row. */
  readonly pixels: Buffer;
  readonly width: number;
  readonly height: number;
}

/**
 * Writes the colour in a direction into the bytes of `target` from `offset`. Bilinear. Allocates nothing, because it is
 * called for each pixel.
 *
 * @param across to the right of the picture's centre, component of a unit vector
 * @param along to the picture's centre
 * @param upwards to the top of the picture
 */
export function samplePanorama(
  { pixels, width, height }: PanoramaPixels,
  across: number,
  along: number,
  upwards: number,
  target: Buffer,
  offset: number,
): void {
  const elevation = Math.asin(Math.max(-1, Math.min(1, upwards)));
  const sourceX = (Math.atan2(across, along) / (2 * Math.PI) + 0.5) * width - 0.5;
  const sourceY = Math.max(0, Math.min(height - 1, (0.5 - elevation / Math.PI) * height - 0.5));
  const left = Math.floor(sourceX);
  const top = Math.floor(sourceY);
  const weightX = sourceX - left;
  const weightY = sourceY - top;
  const x0 = 3 * ((left + width) % width);
  const x1 = 3 * ((left + 1 + width) % width);
  const y0 = top * width * 3;
  const y1 = Math.min(height - 1, top + 1) * width * 3;
  for (let channel = 0; channel < 3; channel++) {
    const upper = pixels[y0 + x0 + channel]! * (1 - weightX) + pixels[y0 + x1 + channel]! * weightX;
    const lower = pixels[y1 + x0 + channel]! * (1 - weightX) + pixels[y1 + x1 + channel]! * weightX;
    target[offset + channel] = upper * (1 - weightY) + lower * weightY + 0.5;
  }
}
