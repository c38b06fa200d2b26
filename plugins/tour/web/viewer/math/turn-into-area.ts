import { toDegrees, toDirection } from '#core';
import type { PanoramaArea, PanoramaView } from '#plugins/tour';
import { createCamera, projectDirection } from './camera.ts';

/** Space around a target at the edge of the area, pixels. Its label needs it. */
const marginPx = 48;

export interface ViewDirection {
  /** Degrees. */
  readonly pan: number;
  readonly tilt: number;
}

/**
 * Computes the view in which a target is at the centre of the free area of a picture. Undefined if the target is in the
 * area already.
 *
 * @param size of the picture, pixels
 * @param area pixels from the picture's top left corner
 */
export function turnIntoArea(
  target: ViewDirection,
  view: PanoramaView,
  size: { readonly width: number; readonly height: number },
  area: PanoramaArea,
): ViewDirection | undefined {
  const camera = createCamera(view, size.width, size.height);
  const pixel = projectDirection(camera, toDirection(target.pan, target.tilt));
  const [right, bottom] = [area.left + area.width, area.top + area.height];
  const margin = Math.min(marginPx, area.width / 4, area.height / 4);
  const isInside =
    pixel !== undefined &&
    pixel.x >= area.left + margin &&
    pixel.x <= right - margin &&
    pixel.y >= area.top + margin &&
    pixel.y <= bottom - margin;
  if (isInside || area.width === 0 || area.height === 0) return undefined;
  // Exact for a horizontal view. Near the zenith the target is off the centre, but still in the area.
  const rightward = ((area.left + right) / size.width - 1) * camera.halfWidth;
  const upward = (1 - (area.top + bottom) / size.height) * camera.halfHeight;
  return { pan: target.pan - toDegrees(Math.atan(rightward)), tilt: target.tilt - toDegrees(Math.atan(upward)) };
}
