import type { BrandVariants } from '@fluentui/tokens';
import { clampChroma, converter, formatHex, wcagContrast, type Oklch } from 'culori';

/** Body text on its background, WCAG 2.2 success criterion 1.4.3. */
export const minimumContrast = 4.5;

const stops = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160] as const;
type Stop = (typeof stops)[number];

/** Fluent's light theme paints buttons with stop 80, the dark theme with stop 70; both with white text. */
const anchorStop = 80;
const darkButtonStop = 70;
/** Fluent's dark theme uses stops 90 to 120 for brand text and links on this background. */
const darkBackground = '#292929';
const firstTextStopInDark = 90;
const darkestLightness = 0.13;
const lightestLightness = 0.975;

export interface BrandRamp {
  readonly light: BrandVariants;
  readonly dark: BrandVariants;
  /** The colour of buttons if white text on the customer's would be illegible; undefined if it was kept. */
  readonly darkenedTo: string | undefined;
}

/**
 * Sixteen stops in OKLCH from one colour at stop 80: even lightness from nearly black to nearly white, constant hue,
 * chroma reduced towards the ends and clamped to sRGB. Darkens the colour until white text has a contrast of 4.5, and
 * lifts the dark theme's text stops likewise.
 *
 * @param color `#rrggbb`
 */
export function brandRamp(color: string): BrandRamp {
  const brand = converter('oklch')(color);
  if (!brand) throw new Error(`'${color}' is not a colour of the form #rrggbb.`);
  const anchor = darkenUntil(brand, (candidate) => wcagContrast(candidate, '#ffffff') >= minimumContrast);
  const isUnchanged = anchor.l === brand.l;
  const light = Object.fromEntries(
    stops.map((stop) => [stop, stop === anchorStop && isUnchanged ? color.toLowerCase() : hex(atStop(anchor, stop))]),
  ) as BrandVariants;
  return { light, dark: liftForDark(light, anchor), darkenedTo: isUnchanged ? undefined : light[anchorStop] };
}

function atStop(anchor: Oklch, stop: Stop): Oklch {
  if (stop <= anchorStop) {
    const t = (stop - 10) / (anchorStop - 10);
    return {
      ...anchor,
      l: Math.min(darkestLightness, anchor.l) + (anchor.l - Math.min(darkestLightness, anchor.l)) * t,
      c: anchor.c * (0.35 + 0.65 * t),
    };
  }
  const t = (stop - anchorStop) / (160 - anchorStop);
  return { ...anchor, l: anchor.l + (lightestLightness - anchor.l) * t, c: anchor.c * (1 - 0.8 * t ** 1.3) };
}

function liftForDark(light: BrandVariants, anchor: Oklch): BrandVariants {
  const lifted: Record<number, string> = { ...light };
  lifted[darkButtonStop] = hex(
    darkenUntil(atStop(anchor, darkButtonStop), (candidate) => wcagContrast(candidate, '#ffffff') >= minimumContrast),
  );
  for (const stop of stops.filter((candidate) => candidate >= firstTextStopInDark)) {
    let color = atStop(anchor, stop);
    while (wcagContrast(hex(color), darkBackground) < minimumContrast && color.l < lightestLightness)
      color = { ...color, l: color.l + 0.005 };
    lifted[stop] = hex(color);
  }
  return lifted as BrandVariants;
}

function darkenUntil(color: Oklch, isEnough: (hexColor: string) => boolean): Oklch {
  let candidate = color;
  while (!isEnough(hex(candidate)) && candidate.l > 0) candidate = { ...candidate, l: candidate.l - 0.005 };
  return candidate;
}

function hex(color: Oklch): string {
  return formatHex(clampChroma(color, 'oklch'));
}
