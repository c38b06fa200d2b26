import { useEffect, type ReactNode } from 'react';
import { FluentProvider } from '../ui/base.ts';
import { watchFocusHelpers } from './quiet-focus-helpers.ts';

/** Without any, Fluent warns on every page. */
const noTheme = {};

/**
 * Around everything. The theme's variables stand in the product's stylesheet, so the provider is given an empty one;
 * nor a class, which all menus and dialogs would get too.
 */
export function Frame({ children }: { readonly children: ReactNode }) {
  useEffect(() => watchFocusHelpers(document), []);
  return <FluentProvider theme={noTheme}>{children}</FluentProvider>;
}
