import { clampFov, clampTilt, normalizePan, computeShortestTurn } from '#core';
import type { PanoramaView } from '#plugins/tour';
import { createCamera, computePanTilt } from './camera.ts';

/**
 * Maximum error of the point under the pointer, degrees. If it is exceeded, such as near the zenith, the view zooms to
 * its centre.
 */
const maxErrorDegrees = 0.05;

/** Changes the field of view and keeps the direction at a pixel, as far as the limits of tilt allow. */
export function zoomAbout(
  view: PanoramaView,
  fov: number,
  width: number,
  height: number,
  x: number,
  y: number,
): PanoramaView {
  const target = computePanTilt(createCamera(view, width, height), x, y);
  const centredView = { ...view, fov: clampFov(fov) };
  let result = centredView;
  for (let round = 0; round < 12; round++) {
    const current = computePanTilt(createCamera(result, width, height), x, y);
    const pan = computeShortestTurn(current.pan, target.pan);
    const tilt = target.tilt - current.tilt;
    if (Math.hypot(pan, tilt) < maxErrorDegrees / 100) return result;
    result = { ...result, pan: normalizePan(result.pan + pan), tilt: clampTilt(result.tilt + tilt) };
  }
  const current = computePanTilt(createCamera(result, width, height), x, y);
  return Math.hypot(computeShortestTurn(current.pan, target.pan), target.tilt - current.tilt) < maxErrorDegrees
    ? result
    : centredView;
}
