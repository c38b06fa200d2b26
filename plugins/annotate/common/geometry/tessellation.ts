import { nominalPipes } from '#core/piping';
import type { FacetedCylinder } from './fit-facets.ts';

/** The diameter that a tessellated cylinder approximates, in metres. */
export interface TrueDiameter {
  readonly value: number;
  /** One standard deviation. */
  readonly sigma: number;
}

/**
 * Factors from the diameter of the corners to the true diameter, for sides of `width` radians. Exporters place the
 * corners on the circle (rvmparser, Open CASCADE, web-ifc), halfway outside, so that the area is preserved, or so that
 * the sides touch the circle.
 *
 * @see https://en.wikibooks.org/wiki/OpenSCAD_User_Manual/undersized_circular_objects
 */
const conventions: readonly ((width: number) => number)[] = [
  () => 1,
  (width) => (1 + Math.cos(width / 2)) / 2,
  (width) => Math.sqrt(Math.sin(width) / width),
  (width) => Math.cos(width / 2),
];

/** Metres by which two tables of standard sizes may differ, such as 168.3 and 168.275 mm. */
const nominalToleranceMetres = 0.0001;
/** Metres by which the distances of the sides from the axis may differ if all sides touch one circle. */
const touchingToleranceMetres = 0.0004;
/** Sigma as a fraction of the range between the conventions. It depends on the evidence for one of them. */
const sigmaFraction = { none: 0.5, irregular: 0.15, nominal: 0.2 } as const;
/** Error in metres that no fit detects. */
const systematicSigma = 0.0001;

/**
 * Computes the diameter that a tessellated cylinder approximates. Without evidence for a convention it is the diameter
 * of the corners, and two sigma include the inscribed circle. Evidence is a standard pipe size that only one convention
 * gives, or sides of different widths, as in a finer circle with removed corners.
 */
export function computeTrueDiameter({
  radius,
  radiusSigma,
  rms,
  lowerWidth,
  upperWidth,
}: FacetedCylinder): TrueDiameter {
  const cornerDiameter = radius * 2;
  const conventionRange = cornerDiameter * (1 - Math.cos(upperWidth / 2));
  const fitSigma = Math.hypot(2 * radiusSigma, 2 * rms, systematicSigma);
  const toTrueDiameter = (value: number, fraction: number): TrueDiameter => ({
    value,
    sigma: Math.hypot(fitSigma, fraction * conventionRange),
  });
  if (radius * (Math.cos(lowerWidth / 2) - Math.cos(upperWidth / 2)) > touchingToleranceMetres + 3 * rms)
    return toTrueDiameter(cornerDiameter, sigmaFraction.irregular);
  const tolerance = nominalToleranceMetres + 1.5 * rms + 2 * radiusSigma;
  // The table of pipe sizes cannot distinguish conventions that are so close together.
  if (conventionRange <= 2 * tolerance) return toTrueDiameter(cornerDiameter, sigmaFraction.none);
  const width = (lowerWidth + upperWidth) / 2;
  const matches = conventions.flatMap((factor) => {
    const value = cornerDiameter * factor(width);
    const pipe = nominalPipes.find(({ outsideDiameter }) => Math.abs(outsideDiameter - value) <= tolerance);
    return pipe ? [{ value, pipe }] : [];
  });
  const [first] = matches;
  if (!first || matches.some(({ pipe }) => pipe !== first.pipe))
    return toTrueDiameter(cornerDiameter, sigmaFraction.none);
  if (first.value === cornerDiameter) return toTrueDiameter(cornerDiameter, sigmaFraction.nominal);
  return toTrueDiameter(
    matches.reduce((sum, { value }) => sum + value / matches.length, 0),
    sigmaFraction.nominal,
  );
}
