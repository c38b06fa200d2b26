import { nominalPipes } from '#core/piping';
import type { FacetedCylinder } from './fit-facets.ts';

/** Properties of a tessellated cylinder that determine its true diameter; metres. */
export interface TrueDiameter {
  readonly value: number;
  /** One standard deviation. */
  readonly sigma: number;
}

/**
 * Where exporters put a polygon's corners: on the circle (rvmparser, Open CASCADE, web-ifc), halfway or
 * area-preserving, or circumscribed. The factor turns the diameter of the corners into the true one, for sides of so
 * many radians.
 *
 * @see https://en.wikibooks.org/wiki/OpenSCAD_User_Manual/undersized_circular_objects
 */
const conventions: readonly ((width: number) => number)[] = [
  () => 1,
  (width) => (1 + Math.cos(width / 2)) / 2,
  (width) => Math.sqrt(Math.sin(width) / width),
  (width) => Math.cos(width / 2),
];

/** Metres by which tables of standard sizes differ, such as 168.3 and 168.275 mm. */
const nominalMetres = 0.0001;
/** Metres by which the middles of sides may differ in depth if all of them touch one circle. */
const touchingMetres = 0.0004;
/** Sigma as a share of the range between the conventions, if there is evidence for one of them. */
const doubt = { irregular: 0.15, nominal: 0.2 } as const;
/** Systematic error that no fit detects, metres. */
const systematic = 0.0001;

/**
 * The diameter that a tessellated cylinder approximates. Without evidence for a convention it is that of the corners,
 * and two sigma include the inscribed circle. Evidence is a standard pipe size that only one convention gives, or sides
 * of different widths, which a thinned out finer circle has.
 */
export function computeTrueDiameter({ radius, radiusSigma, rms, narrowest, widest }: FacetedCylinder): TrueDiameter {
  const corners = radius * 2;
  const open = corners * (1 - Math.cos(widest / 2));
  const fit = Math.hypot(2 * radiusSigma, 2 * rms, systematic);
  const of = (value: number, share: number): TrueDiameter => ({ value, sigma: Math.hypot(fit, share * open) });
  if (radius * (Math.cos(narrowest / 2) - Math.cos(widest / 2)) > touchingMetres + 3 * rms)
    return of(corners, doubt.irregular);
  const slack = nominalMetres + 1.5 * rms + 2 * radiusSigma;
  // The table cannot separate conventions that are so close together.
  if (open <= 2 * slack) return of(corners, 0.5);
  const width = (narrowest + widest) / 2;
  const found = conventions.flatMap((factor) => {
    const value = corners * factor(width);
    const pipe = nominalPipes.find(({ outsideDiameter }) => Math.abs(outsideDiameter - value) <= slack);
    return pipe ? [{ value, pipe }] : [];
  });
  const [first] = found;
  if (!first || found.some(({ pipe }) => pipe !== first.pipe)) return of(corners, 0.5);
  if (first.value === corners) return of(corners, doubt.nominal);
  return of(
    found.reduce((sum, { value }) => sum + value / found.length, 0),
    doubt.nominal,
  );
}
