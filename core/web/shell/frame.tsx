import { useEffect, type ReactNode } from 'react';
import { FluentProvider } from '../ui/base.ts';
import { watchFocusHelpers } from './quiet-focus-helpers.ts';

/** An empty theme object. Without any, Fluent would warn on every page. */
const noTheme = {};

/**
 * The outermost provider. The theme is empty because the product's stylesheet has the theme variables. It sets no class
 * because all menus and dialogs would inherit it.
 */
export function Frame({ children }: { readonly children: ReactNode }) {
  useEffect(() => watchFocusHelpers(document), []);
  return <FluentProvider theme={noTheme}>{children}</FluentProvider>;
}
