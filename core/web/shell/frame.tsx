import { useEffect, type ReactNode } from 'react';
import { FluentProvider } from '../ui/base.ts';
import { watchFocusHelpers } from './quiet-focus-helpers.ts';

/** Around everything. The theme's variables stand in the product's stylesheet, so the provider is given none; nor a class, which all menus and dialogs would get too. */
export function Frame({ children }: { readonly children: ReactNode }) {
  useEffect(() => watchFocusHelpers(document), []);
  return <FluentProvider>{children}</FluentProvider>;
}
