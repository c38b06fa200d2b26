import { clampFov, clampTilt, normalizePan, shortestTurn } from '#core';
import type { PanoramaView } from '#plugins/tour';
import { createCamera, directionOfPixel } from './camera.ts';

/**
 * Maximum error of the point under the pointer in degrees. Above it, such as near the zenith, the zoom goes to the
 * centre.
 */
const maxMissed = 0.05;

/** Changes the field of view and keeps the direction at a pixel, as far as the limits of tilt allow. */
export function zoomAbout(
  view: PanoramaView,
  fov: number,
  width: number,
  height: number,
  x: number,
  y: number,
): PanoramaView {
  const goal = directionOfPixel(createCamera(view, width, height), x, y);
  const centred = { ...view, fov: clampFov(fov) };
  let found = centred;
  for (let round = 0; round < 12; round++) {
    const seen = directionOfPixel(createCamera(found, width, height), x, y);
    const pan = shortestTurn(seen.pan, goal.pan);
    const tilt = goal.tilt - seen.tilt;
    if (Math.hypot(pan, tilt) < maxMissed / 100) return found;
    found = { ...found, pan: normalizePan(found.pan + pan), tilt: clampTilt(found.tilt + tilt) };
  }
  const seen = directionOfPixel(createCamera(found, width, height), x, y);
  return Math.hypot(shortestTurn(seen.pan, goal.pan), goal.tilt - seen.tilt) < maxMissed ? found : centred;
}
