import type { BrandVariants } from '@fluentui/tokens';
import { clampChroma, converter, formatHex, wcagContrast, type Oklch } from 'culori';

/** Body text on its background, WCAG 2.2 success criterion 1.4.3. */
export const minimumContrast = 4.5;

const stops = [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160] as const;
type Stop = (typeof stops)[number];

/** Fluent's light theme paints buttons with stop 80, the dark theme with stop 70; both write on them in white. */
const anchorStop = 80;
const darkButtonStop = 70;
/** Fluent's dark theme writes brand text and links with stops 90 to 120 on this background. */
const darkBackground = '#292929';
const firstTextStopInDark = 90;
const darkestLightness = 0.13;
const lightestLightness = 0.975;

export interface BrandRamp {
  readonly light: BrandVariants;
  readonly dark: BrandVariants;
  /**
   * The colour that buttons get where the customer's own would make white text unreadable; undefined where it was kept.
   */
  readonly darkenedTo: string | undefined;
}

/**
 * Sixteen stops in OKLCH from one colour: lightness runs evenly from nearly black through the brand colour at stop 80
 * to nearly white, hue is kept, chroma falls off towards the ends and is clamped to sRGB. The colour is darkened until
 * white text on it has a contrast of 4.5; for the dark theme the text stops are lifted until they have it on the
 * theme's background.
 *
 * @param color `#rrggbb`
 */
export function brandRamp(color: string): BrandRamp {
  const brand = converter('oklch')(color);
  if (!brand) throw new Error(`'${color}' is not a colour of the form #rrggbb.`);
  const anchor = darkenUntil(brand, (candidate) => wcagContrast(candidate, '#ffffff') >= minimumContrast);
  const kept = anchor.l === brand.l;
  const light = Object.fromEntries(
    stops.map((stop) => [stop, stop === anchorStop && kept ? color.toLowerCase() : hex(atStop(anchor, stop))]),
  ) as BrandVariants;
  return { light, dark: liftForDark(light, anchor), darkenedTo: kept ? undefined : light[anchorStop] };
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
