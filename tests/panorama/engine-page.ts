import 'reflect-metadata/lite';
import type { Point3 } from '#core';
import type { PanoramaPicture, PanoramaTiles, PanoramaTransition } from '#plugins/tour';
import { drawPictures } from '../../plugins/tour/web/viewer/draw-pictures.ts';
import { Graphics } from '../../plugins/tour/web/viewer/graphics.ts';
import { createCamera } from '../../plugins/tour/web/viewer/math/camera.ts';
import { WebGlPanoramaEngine } from '../../plugins/tour/web/viewer/panorama-engine.ts';
import { createSamplePicture } from '../../plugins/vr/web/viewer/sample/sample-picture.ts';

/** Shows only the engine in a page, which tests control from outside. */
const engine = new WebGlPanoramaEngine();
const host = document.querySelector('#host') as HTMLElement;
const events: string[] = [];
for (const event of ['shown', 'sharp', 'failed', 'contextLost', 'contextRestored'] as const)
  engine.on(event, (value) => events.push(value === undefined ? event : `${event}:${value.id}`));
/**
 * Returns the red value of a pixel at some shares of a walk to the east. The frames are drawn and read in one task, so
 * that the clock has no influence.
 */
async function readWalkReds(
  from: PanoramaTiles,
  to: PanoramaTiles,
  metres: number,
  fractions: readonly number[],
  x: number,
  y: number,
): Promise<readonly number[]> {
  const ignore = (): void => undefined;
  const graphics = new Graphics({ clientWidth: 1280, clientHeight: 720 }, ignore, ignore, ignore);
  const pictures = [from, to].map((tiles, index) => ({
    tiles,
    heading: 0,
    position: [index * metres, 0, 1.7] as const,
  })) as [PanoramaPicture, PanoramaPicture];
  for (const picture of pictures) await graphics.previews.load(picture);
  const meshes = await Promise.all(pictures.map((picture) => graphics.previews.loadMesh(picture)));
  if (!meshes[0] || !meshes[1]) throw new Error('The pictures need range meshes.');
  const transition = {
    from: pictures[0],
    to: pictures[1],
    walk: { from: meshes[0], to: meshes[1] },
    start: 0,
    milliseconds: 1,
    onEnd: ignore,
  };
  const camera = createCamera({ pan: 90, tilt: 0, fov: 60 }, graphics.canvas.width, graphics.canvas.height);
  return fractions.map((fraction, frame) => {
    drawPictures(graphics, camera, frame, fraction, {
      current: pictures[0],
      next: undefined,
      transition,
      comparison: undefined,
    });
    const pixel = new Uint8Array(4);
    graphics.gl.readPixels(x, y, 1, 1, graphics.gl.RGBA, graphics.gl.UNSIGNED_BYTE, pixel);
    return pixel[0] ?? 0;
  });
}

/** Returns the pixel of a point in each frame of a transition to another picture. Undefined while it is hidden. */
async function readTransitionPixels(
  picture: PanoramaPicture,
  transition: PanoramaTransition,
  point: Point3,
): Promise<readonly (number | undefined)[]> {
  const surface = engine.surface('vr.module');
  const pixels: (number | undefined)[] = [];
  const stop = surface.onChanged(() => pixels.push(surface.toPixel(point)?.x));
  await engine.show(picture, { transition });
  stop();
  return pixels;
}

const page = {
  readWalkReds,
  readTransitionPixels,
  createSamplePicture,
  engine,
  host,
  events,
  detach: engine.attach(host, { label: 'Panorama' }),
};
export type EnginePage = typeof page;
Object.assign(window, { page });
