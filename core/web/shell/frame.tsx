import { useEffect, type ReactNode } from 'react';
import { FluentProvider } from '../ui/base.ts';
import { watchFocusHelpers } from './quiet-focus-helpers.ts';

/** Fluent warns on every page without a theme object. */
const noTheme = {};

/**
 * The outermost provider. Theme variables are in the product's stylesheet, so the theme is empty, and no class is set
 * because all menus and dialogs would inherit it.
 */
export function Frame({ children }: { readonly children: ReactNode }) {
  useEffect(() => watchFocusHelpers(document), []);
  return <FluentProvider theme={noTheme}>{children}</FluentProvider>;
}
