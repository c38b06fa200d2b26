import { teamsHighContrastTheme, type Theme } from '@fluentui/tokens';

/** Colour of hovered, pressed and selected surfaces. White text on it has 5.8:1, and it has 3.6:1 to a black page. */
const surfaceColor = '#00707c';
const textColor = '#ffffff';
const surfaceTokenNames =
  /^color(?:Neutral|Subtle|Transparent)(?:Card)?Background(?!Inverted)\w*(?:Hover|Pressed|Selected)$/;
const textTokenNames = /^colorNeutralForeground\d(?:Brand)?(?:Hover|Pressed|Selected)$/;

/**
 * Fluent's high-contrast theme with other hovered, pressed and selected surfaces. Fluent fills them with cyan, for
 * black text only. But a row may contain text with a colour of its own, such as a grey second line. It would be white
 * on cyan.
 */
export const contrastTheme: Theme = {
  ...teamsHighContrastTheme,
  ...replaceColors(surfaceTokenNames, surfaceColor),
  ...replaceColors(textTokenNames, textColor),
};

function replaceColors(pattern: RegExp, color: string): Partial<Theme> {
  const tokenNames = Object.keys(teamsHighContrastTheme).filter((name) => pattern.test(name));
  return Object.fromEntries(tokenNames.map((name) => [name, color]));
}
