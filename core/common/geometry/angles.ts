import type { Point3 } from './view-state.ts';

/** Limits of the vertical field of view, degrees. */
export const fovLimits = { min: 15, max: 100 } as const;

export const toRadians = (degrees: number): number => (degrees * Math.PI) / 180;
export const toDegrees = (angle: number): number => (angle * 180) / Math.PI;

/** Normalises an angle in degrees to [0, 360). */
export function normalizePan(pan: number): number {
  const remainder = pan % 360;
  const positive = remainder < 0 ? remainder + 360 : remainder;
  return positive >= 360 ? 0 : positive + 0;
}

export const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));
export const clampTilt = (tilt: number): number => clamp(tilt, -90, 90);
export const clampFov = (fov: number): number => clamp(fov, fovLimits.min, fovLimits.max);

/** Degrees from `from` to `to` by the shortest turn, in [-180, 180). */
export function computeShortestTurn(from: number, to: number): number {
  return normalizePan(to - from + 180) - 180;
}

/** Unit vector in the site frame for a pan and tilt in degrees. */
export function toDirection(pan: number, tilt: number): Point3 {
  const azimuth = toRadians(pan);
  const elevation = toRadians(tilt);
  return [Math.sin(azimuth) * Math.cos(elevation), Math.cos(azimuth) * Math.cos(elevation), Math.sin(elevation)];
}

/** Pan and tilt in degrees of a vector with non-zero length; pan is 0 for vertical vectors. */
export function toPanTilt([x, y, z]: Point3): { readonly pan: number; readonly tilt: number } {
  return { pan: normalizePan(toDegrees(Math.atan2(x, y))), tilt: toDegrees(Math.atan2(z, Math.hypot(x, y))) };
}
