import sharp from 'sharp';
import { expect, it } from 'vitest';
import { toDegrees, toRadians, toDirection, type Point3 } from '#core';
import { levelPixels } from './level-panorama.ts';
import { tilePanorama } from './tile-pyramid.ts';

const width = 1024;
const height = width / 2;
type Rotate = (point: Point3) => Point3;

/** Creates a rotation by `angle` degrees about an axis, by the right-hand rule. */
const turn = (axis: 0 | 1 | 2, angle: number): Rotate => {
  const [sin, cos] = [Math.sin(toRadians(angle)), Math.cos(toRadians(angle))];
  const [a, b] = [((axis + 1) % 3) as 0 | 1 | 2, ((axis + 2) % 3) as 0 | 1 | 2];
  return (point) => {
    const turnedPoint: [number, number, number] = [...point];
    turnedPoint[a] = point[a] * cos - point[b] * sin;
    turnedPoint[b] = point[a] * sin + point[b] * cos;
    return turnedPoint;
  };
};

/** Computes the pixel of a direction in a picture whose centre is on the y axis. */
const toPixel = ([x, y, z]: Point3): readonly [number, number] => [
  (toDegrees(Math.atan2(x, y)) / 360 + 0.5) * width,
  (0.5 - toDegrees(Math.asin(z)) / 180) * height,
];

/** Draws white dots, 2 degrees wide, as seen by a camera that was turned by `toCamera`. */
function drawDots(directions: readonly Point3[], toCamera: Rotate): Buffer {
  const pixels = Buffer.alloc(width * height * 3);
  const cameraDots = directions.map(toCamera);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [x, y, z] = toDirection(((column + 0.5) / width - 0.5) * 360, 90 - ((row + 0.5) / height) * 180);
      const isDot = cameraDots.some((dot) => dot[0] * x + dot[1] * y + dot[2] * z > Math.cos(toRadians(1)));
      if (isDot) pixels.fill(255, 3 * (row * width + column), 3 * (row * width + column) + 3);
    }
  return pixels;
}

/** The centre of the white pixels near a place, weighted by their brightness. */
function findCentre(pixels: Uint8Array, [x, y]: readonly [number, number]): readonly [number, number] {
  let [total, sumX, sumY] = [0, 0, 0];
  for (let row = Math.floor(y) - 8; row <= y + 8; row++)
    for (let column = Math.floor(x) - 8; column <= x + 8; column++) {
      const value = pixels[3 * (row * width + ((column + width) % width))] ?? 0;
      total += value;
      sumX += value * (column + 0.5);
      sumY += value * (row + 0.5);
    }
  return [sumX / total, sumY / total];
}

const dots = [
  [0, 0],
  [90, 10],
  [-120, 30],
  [45, -35],
  [179.9, 0],
].map(([pan, tilt]) => toDirection(pan!, tilt!));

// The camera is pitched up about its right axis, then rolled clockwise about its forward axis.
const pose = { pitch: 12, roll: -7 };
const toCamera: Rotate = (point) => turn(1, -pose.roll)(turn(0, -pose.pitch)(point));

it('levels the picture of a tilted camera: each direction is where it belongs, within a pixel', async () => {
  const tiltedPicture = drawDots(dots, toCamera);
  const level = await levelPixels(tiltedPicture, width, height, pose);
  for (const dot of dots) {
    const expected = toPixel(dot);
    const centre = findCentre(level, expected);
    expect(Math.hypot(centre[0] - expected[0], centre[1] - expected[1])).toBeLessThan(1);
  }
});

it('makes level tiles and a level preview', async () => {
  const tiltedPicture = await sharp(drawDots(dots, toCamera), { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const parts = new Map<string, Uint8Array>();
  for await (const { path, content } of (await tilePanorama(tiltedPicture, pose)).entries)
    parts.set(path, content as Uint8Array);
  const expected = toPixel(dots[2]!);
  const preview = await sharp(parts.get('preview.jpg')).raw().toBuffer();
  const centre = findCentre(preview, expected);
  expect(Math.hypot(centre[0] - expected[0], centre[1] - expected[1])).toBeLessThan(1);
});

it.each([
  ['the centre of a camera that looks up', { pitch: 12, roll: 0 }, toDirection(0, 0), toDirection(0, 12)],
  ['the right side of a camera that turned clockwise', { pitch: 0, roll: 10 }, toDirection(90, 10), toDirection(90, 0)],
])('defines pitch and roll as the metadata of spheres: %s', async (_, tilt, seenDirection, expected) => {
  const level = await levelPixels(
    drawDots([seenDirection], (point) => point),
    width,
    height,
    tilt,
  );
  const [x, y] = toPixel(expected);
  const centre = findCentre(level, [x, y]);
  expect(Math.hypot(centre[0] - x, centre[1] - y)).toBeLessThan(1);
});
