import { createDarkTheme, createLightTheme, type Theme } from '@fluentui/tokens';
import { clampChroma, converter, formatHex, wcagContrast } from 'culori';
import { brandRamp, minimumContrast } from './brand-ramp.ts';

export interface BrandThemes {
  readonly light: Theme;
  readonly dark: Theme;
  /** One sentence per theme: the colours of buttons and links, with their contrast. */
  readonly contrasts: readonly string[];
  /** One sentence per change that contrast required. */
  readonly notes: readonly string[];
}

const white = '#ffffff';
/** Fluent's darkest neutral: legible on every colour where white is not. */
const black = '#000000';

/**
 * Fluent's light and dark theme from one colour. If white text is illegible on it, filled elements keep the colour with
 * black text; links and outlines, which are on the page, use the ramp's darkened colour.
 *
 * @param color `#rrggbb`
 */
export function brandThemes(color: string): BrandThemes {
  const ramp = brandRamp(color);
  const filled = ramp.darkenedTo === undefined ? {} : brightFill(color);
  const light = { ...createLightTheme(ramp.light), ...filled };
  const dark = { ...createDarkTheme(ramp.dark), ...filled };
  return {
    light,
    dark,
    contrasts: [contrastSentence('Light', light), contrastSentence('Dark', dark)],
    notes:
      ramp.darkenedTo === undefined
        ? []
        : [
            `White text on ${color} could not be read: buttons have black text, and links use ` +
              `${light.colorBrandForegroundLink} in the light and ${dark.colorBrandForegroundLink} in the dark theme.`,
          ],
  };
}

/** Tokens of filled elements with text. Each state is as bright as the colour or brighter. */
function brightFill(color: string): Partial<Theme> {
  return {
    colorNeutralForegroundOnBrand: black,
    colorBrandBackground: color.toLowerCase(),
    colorBrandBackgroundHover: lighter(color, 0.04),
    colorBrandBackgroundPressed: lighter(color, 0.1),
    colorBrandBackgroundSelected: lighter(color, 0.07),
  };
}

function lighter(color: string, by: number): string {
  const start = converter('oklch')(color);
  if (!start) throw new Error(`'${color}' is not a colour of the form #rrggbb.`);
  return formatHex(clampChroma({ ...start, l: Math.min(1, start.l + by) }, 'oklch'));
}

function contrastSentence(name: string, theme: Theme): string {
  const { colorNeutralForegroundOnBrand: text, colorBrandBackground: button } = theme;
  const { colorBrandForegroundLink: link, colorNeutralBackground1: page } = theme;
  const formatContrast = (a: string, b: string): string => `${(Math.floor(wcagContrast(a, b) * 10) / 10).toFixed(1)}:1`;
  return (
    `${name} theme: ${text === white ? 'white' : 'black'} text on buttons ${button} has a contrast of ` +
    `${formatContrast(text, button)}, links ${link} have ${formatContrast(link, page)}; at least ${minimumContrast}:1 is kept.`
  );
}
