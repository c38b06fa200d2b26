import { teamsHighContrastTheme, type Theme } from '@fluentui/tokens';

/** Hovered, pressed and selected surfaces. White text on it has at least 4.5:1, and it has 3:1 to a black page. */
const surfaceColor = '#00707c';
const textColor = '#ffffff';
const surface = /^color(?:Neutral|Subtle|Transparent)(?:Card)?Background(?!Inverted)\w*(?:Hover|Pressed|Selected)$/;
const text = /^colorNeutralForeground\d(?:Brand)?(?:Hover|Pressed|Selected)$/;

/**
 * Fluent's high-contrast theme with other hovered, pressed and selected surfaces. Fluent fills them with cyan, for
 * black text only. A row may contain text with a colour of its own, such as a quieter second line, which would be white
 * on cyan.
 */
export const contrastTheme = Object.fromEntries(
  Object.entries(teamsHighContrastTheme).map(([name, value]) => {
    if (surface.test(name)) return [name, surfaceColor];
    return [name, text.test(name) ? textColor : value];
  }),
) as unknown as Theme;
