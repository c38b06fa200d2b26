import { mandatory, max, min, number } from '#core';

/** A place in the site as it is typed. */
export type TypedPlace = Readonly<Record<'x' | 'y' | 'z' | 'heading', string>>;

const coordinate = [mandatory, number, min(-1e8), max(1e8)];
export const placeRules = {
  x: coordinate,
  y: coordinate,
  z: coordinate,
  heading: [mandatory, number, min(-360), max(360)],
};

/** Position in metres and degrees clockwise, to a micrometre. */
export function typedPlace({
  position: [x, y, z],
  heading,
}: {
  readonly position: readonly [number, number, number];
  readonly heading: number;
}): TypedPlace {
  const typed = (value: number): string => String(Math.round(value * 1e6) / 1e6);
  return { x: typed(x), y: typed(y), z: typed(z), heading: typed(heading) };
}

export function placeOf({ x, y, z, heading }: TypedPlace): {
  readonly position: [number, number, number];
  readonly heading: number;
} {
  return { position: [Number(x), Number(y), Number(z)], heading: Number(heading) };
}
