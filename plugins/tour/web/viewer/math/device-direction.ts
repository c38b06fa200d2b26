import { toPanTilt, radians } from '#core';

/**
 * Where the back of a device looks, by the angles of a `deviceorientation` event (W3C Device Orientation: intrinsic
 * Z-X'-Y'', degrees) in the earth's frame (x east, y north, z up). For events without a compass `pan` has an unknown
 * but constant offset.
 */
export function deviceDirection(
  alpha: number,
  beta: number,
  gamma: number,
): { readonly pan: number; readonly tilt: number } {
  const a = radians(alpha);
  const b = radians(beta);
  const g = radians(gamma);
  // The device's -z axis, turned by Rz(alpha) Rx(beta) Ry(gamma).
  return toPanTilt([
    -(Math.cos(a) * Math.sin(g) + Math.sin(a) * Math.sin(b) * Math.cos(g)),
    -(Math.sin(a) * Math.sin(g) - Math.cos(a) * Math.sin(b) * Math.cos(g)),
    -Math.cos(b) * Math.cos(g),
  ]);
}
