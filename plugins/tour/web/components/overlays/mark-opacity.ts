import { distanceBetween, type Point3 } from '#core';

/** Opacity of an occluded mark. */
const occludedOpacity = 0.35;
/** Marks up to `near` metres away are opaque. From `far` metres on, they have the opacity `min`. */
const fade = { near: 12, far: 50, min: 0.45 } as const;

/** Computes the opacity of a mark by the distance of its nearest point from the eye. An occluded mark is faint. */
export function computeMarkOpacity(
  points: readonly Point3[],
  { eye, occluded }: { readonly eye: Point3 | undefined; readonly occluded: boolean },
): number {
  if (occluded) return occludedOpacity;
  if (!eye || points.length === 0) return 1;
  const distance = Math.min(...points.map((point) => distanceBetween(point, eye)));
  const fraction = Math.min(1, Math.max(0, (distance - fade.near) / (fade.far - fade.near)));
  return 1 - fraction * (1 - fade.min);
}
