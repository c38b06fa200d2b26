import type { Theme } from '@fluentui/tokens';
import type { BrandThemes } from './brand-themes.ts';
import { contrastTheme } from './contrast-theme.ts';

/**
 * Fluent's themes as CSS variables, so that the first paint needs no script. The root has the light theme; `data-theme`
 * selects dark, contrast or the system's choice. Dark and contrast contain only the differences from light.
 */
export function formatThemeCss({ light, dark: darkTheme }: Pick<BrandThemes, 'light' | 'dark'>): string {
  const dark = findDifferences(light, darkTheme);
  const contrast = findDifferences(light, contrastTheme);
  return [
    `:root{color-scheme:light;${formatDeclarations(light)}}`,
    `:root[data-theme=dark]{color-scheme:dark;${formatDeclarations(dark)}}`,
    `@media (prefers-color-scheme:dark){:root[data-theme=system]{color-scheme:dark;${formatDeclarations(dark)}}}`,
    `:root[data-theme=contrast]{color-scheme:dark;${formatDeclarations(contrast)}}`,
    '',
  ].join('\n');
}

type Declarations = readonly (readonly [name: string, value: string | number])[];

function findDifferences(light: Theme, otherTheme: Theme): Theme {
  const lightValues = new Map(Object.entries(light));
  return Object.fromEntries(
    Object.entries(otherTheme).filter(([name, value]) => lightValues.get(name) !== value),
  ) as Theme;
}

function formatDeclarations(theme: Theme): string {
  const entries: Declarations = Object.entries(theme);
  return entries.map(([name, value]) => `--${name}:${value}`).join(';');
}
