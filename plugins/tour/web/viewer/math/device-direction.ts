import { toPanTilt, toRadians } from '#core';

/**
 * Computes the direction in which the back of a device points (x east, y north, z up) from the angles of a
 * `deviceorientation` event in degrees (intrinsic Z-X'-Y''). Without a compass, `pan` has an unknown constant offset.
 *
 * @see W3C Device Orientation
 */
export function computeDeviceDirection(
  alpha: number,
  beta: number,
  gamma: number,
): { readonly pan: number; readonly tilt: number } {
  const a = toRadians(alpha);
  const b = toRadians(beta);
  const g = toRadians(gamma);
  // The device's -z axis, rotated by Rz(alpha) Rx(beta) Ry(gamma).
  return toPanTilt([
    -(Math.cos(a) * Math.sin(g) + Math.sin(a) * Math.sin(b) * Math.cos(g)),
    -(Math.sin(a) * Math.sin(g) - Math.cos(a) * Math.sin(b) * Math.cos(g)),
    -Math.cos(b) * Math.cos(g),
  ]);
}
