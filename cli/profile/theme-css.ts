import { teamsHighContrastTheme, type Theme } from '@fluentui/tokens';
import type { BrandThemes } from './brand-themes.ts';

/**
 * Fluent's theme as CSS variables, so that the first paint needs no script: light on the root, dark and high contrast
 * by `data-theme`, and the system's choice for `data-theme="system"`. Dark and contrast contain only differences from
 * light.
 */
export function themeCss({ light, dark: darkTheme }: Pick<BrandThemes, 'light' | 'dark'>): string {
  const dark = differences(light, darkTheme);
  const contrast = differences(light, teamsHighContrastTheme);
  return [
    `:root{color-scheme:light;${declarations(light)}}`,
    `:root[data-theme=dark]{color-scheme:dark;${declarations(dark)}}`,
    `@media (prefers-color-scheme:dark){:root[data-theme=system]{color-scheme:dark;${declarations(dark)}}}`,
    `:root[data-theme=contrast]{color-scheme:dark;${declarations(contrast)}}`,
    '',
  ].join('\n');
}

type Declarations = readonly (readonly [name: string, value: string | number])[];

function differences(light: Theme, other: Theme): Theme {
  const base = new Map(Object.entries(light));
  return Object.fromEntries(Object.entries(other).filter(([name, value]) => base.get(name) !== value)) as Theme;
}

function declarations(theme: Theme): string {
  const entries: Declarations = Object.entries(theme);
  return entries.map(([name, value]) => `--${name}:${value}`).join(';');
}
