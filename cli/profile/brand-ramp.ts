import type { BrandVariants } from '@fluentui/tokens';
import { clampChroma, converter, formatHex, wcagContrast, type Oklch } from 'culori';

/** Minimum contrast of text by WCAG 2.2, success criterion 1.4.3. */
export const minimumContrast = 4.5;

const stops = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160] as const;
type Stop = (typeof stops)[number];

/** Stops of buttons with white text in Fluent's light and dark theme. */
const anchorStop = 80;
const darkButtonStop = 70;
/** Fluent's dark theme uses stops 90 to 120 for brand text and links, also on rows and cards under the pointer. */
const darkHoverBackground = '#3d3d3d';
const firstTextStopInDark = 90;
const darkestLightness = 0.13;
const lightestLightness = 0.975;

export interface BrandRamp {
  readonly light: BrandVariants;
  readonly dark: BrandVariants;
  /** The darker colour of buttons if white text is illegible on the customer's colour, otherwise undefined. */
  readonly darkenedTo: string | undefined;
}

/**
 * Computes sixteen stops in OKLCH from one colour at stop 80, with even lightness, constant hue, and less chroma
 * towards both ends. Darkens the colour until white text has a contrast of 4.5, and lightens the text stops of the dark
 * theme likewise.
 *
 * @param color `#rrggbb`
 */
export function createBrandRamp(color: string): BrandRamp {
  const brand = converter('oklch')(color);
  if (!brand) throw new Error(`'${color}' is not a colour of the form #rrggbb.`);
  const anchor = darkenUntil(brand, (candidate) => wcagContrast(candidate, '#ffffff') >= minimumContrast);
  const isUnchanged = anchor.l === brand.l;
  const light = Object.fromEntries(
    stops.map((stop) => [
      stop,
      stop === anchorStop && isUnchanged ? color.toLowerCase() : toHex(computeStop(anchor, stop)),
    ]),
  ) as BrandVariants;
  return { light, dark: lightenForDark(light, anchor), darkenedTo: isUnchanged ? undefined : light[anchorStop] };
}

function computeStop(anchor: Oklch, stop: Stop): Oklch {
  if (stop <= anchorStop) {
    const fraction = (stop - 10) / (anchorStop - 10);
    return {
      ...anchor,
      l: Math.min(darkestLightness, anchor.l) + (anchor.l - Math.min(darkestLightness, anchor.l)) * fraction,
      c: anchor.c * (0.35 + 0.65 * fraction),
    };
  }
  const fraction = (stop - anchorStop) / (160 - anchorStop);
  return {
    ...anchor,
    l: anchor.l + (lightestLightness - anchor.l) * fraction,
    c: anchor.c * (1 - 0.8 * fraction ** 1.3),
  };
}

function lightenForDark(light: BrandVariants, anchor: Oklch): BrandVariants {
  const darkVariants: Record<number, string> = { ...light };
  darkVariants[darkButtonStop] = toHex(
    darkenUntil(
      computeStop(anchor, darkButtonStop),
      (candidate) => wcagContrast(candidate, '#ffffff') >= minimumContrast,
    ),
  );
  for (const stop of stops.filter((candidate) => candidate >= firstTextStopInDark)) {
    let color = computeStop(anchor, stop);
    while (wcagContrast(toHex(color), darkHoverBackground) < minimumContrast && color.l < lightestLightness)
      color = { ...color, l: color.l + 0.005 };
    darkVariants[stop] = toHex(color);
  }
  return darkVariants as BrandVariants;
}

function darkenUntil(color: Oklch, isEnough: (hexColor: string) => boolean): Oklch {
  let candidate = color;
  while (!isEnough(toHex(candidate)) && candidate.l > 0) candidate = { ...candidate, l: candidate.l - 0.005 };
  return candidate;
}

function toHex(color: Oklch): string {
  return formatHex(clampChroma(color, 'oklch'));
}
