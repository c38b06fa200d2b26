import { nominalPipes } from '#core/piping';
import type { FacetedCylinder } from './fit-facets.ts';

/** What a tessellated cylinder says of the diameter that it stands for; metres. */
export interface TrueDiameter {
  readonly value: number;
  /** One standard deviation. */
  readonly sigma: number;
}

/**
 * Where an exporter puts the corners of a polygon that stands for a circle: on it, as nearly all do (rvmparser's
 * `TriangulationFactory`, Open CASCADE's deflections, web-ifc's `CIRCLE_SEGMENTS`), halfway or by the area between, or
 * so that the sides touch it. The factor makes the true diameter of that of the corners, for sides of so many radians.
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
/** Metres: what no fit sees. */
const systematic = 0.0001;

/**
 * The diameter that a tessellated cylinder stands for. If nothing tells which convention the exporter followed, it is
 * that of the corners, and twice the sigma reaches to the circle that the sides touch. Two things tell more: a standard
 * pipe size that only one convention gives, and sides of different widths, which remain of a finer circle whose corners
 * were thinned out.
 */
export function computeTrueDiameter({ radius, radiusSigma, rms, narrowest, widest }: FacetedCylinder): TrueDiameter {
  const corners = radius * 2;
  const open = corners * (1 - Math.cos(widest / 2));
  const fit = Math.hypot(2 * radiusSigma, 2 * rms, systematic);
  const of = (value: number, share: number): TrueDiameter => ({ value, sigma: Math.hypot(fit, share * open) });
  if (radius * (Math.cos(narrowest / 2) - Math.cos(widest / 2)) > touchingMetres + 3 * rms)
    return of(corners, doubt.irregular);
  const slack = nominalMetres + 1.5 * rms + 2 * radiusSigma;
  // The table cannot tell conventions apart that lie so close together.
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
