import { createDarkTheme, createLightTheme, type Theme } from '@fluentui/tokens';
import { clampChroma, converter, formatHex, wcagContrast } from 'culori';
import { createBrandRamp, minimumContrast } from './brand-ramp.ts';

export interface BrandThemes {
  readonly light: Theme;
  readonly dark: Theme;
  /** One sentence per theme: the colours of buttons and links, with their contrast. */
  readonly contrasts: readonly string[];
  /** One sentence per change that contrast required. */
  readonly notes: readonly string[];
}

const white = '#ffffff';
/** Legible on every colour on which white is not. */
const black = '#000000';

/**
 * Creates Fluent's light and dark theme from one colour. If white text is illegible on the colour, filled elements have
 * black text, and links and outlines use the darkened colour of the ramp.
 *
 * @param color `#rrggbb`
 */
export function createBrandThemes(color: string): BrandThemes {
  const ramp = createBrandRamp(color);
  const fillTokens = ramp.darkenedTo === undefined ? {} : createBrightFill(color);
  const light = { ...createLightTheme(ramp.light), ...fillTokens };
  const dark = { ...createDarkTheme(ramp.dark), ...fillTokens };
  return {
    light,
    dark,
    contrasts: [describeContrast('Light', light), describeContrast('Dark', dark)],
    notes:
      ramp.darkenedTo === undefined
        ? []
        : [
            `White text on ${color} would be illegible. Buttons have black text, and links use ` +
              `${light.colorBrandForegroundLink} in the light and ${dark.colorBrandForegroundLink} in the dark theme.`,
          ],
  };
}

/** Tokens of filled elements with black text. No state is darker than the colour. */
function createBrightFill(color: string): Partial<Theme> {
  return {
    colorNeutralForegroundOnBrand: black,
    colorBrandBackground: color.toLowerCase(),
    colorBrandBackgroundHover: lighten(color, 0.04),
    colorBrandBackgroundPressed: lighten(color, 0.1),
    colorBrandBackgroundSelected: lighten(color, 0.07),
  };
}

function lighten(color: string, amount: number): string {
  const start = converter('oklch')(color);
  if (!start) throw new Error(`'${color}' is not a colour of the form #rrggbb.`);
  return formatHex(clampChroma({ ...start, l: Math.min(1, start.l + amount) }, 'oklch'));
}

function describeContrast(name: string, theme: Theme): string {
  const { colorNeutralForegroundOnBrand: text, colorBrandBackground: button } = theme;
  const { colorBrandForegroundLink: link, colorNeutralBackground1: page } = theme;
  const formatContrast = (a: string, b: string): string => `${(Math.floor(wcagContrast(a, b) * 10) / 10).toFixed(1)}:1`;
  return (
    `${name} theme: ${text === white ? 'white' : 'black'} text on buttons ${button} has a contrast of ` +
    `${formatContrast(text, button)}, links ${link} have ${formatContrast(link, page)}; the minimum is ${minimumContrast}:1.`
  );
}
