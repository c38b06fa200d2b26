import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
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
  const FocusLibrary = useFocusLibrary();
  return (
    <FluentProvider theme={noTheme}>
      {children}
      {FocusLibrary && <FocusLibrary />}
    </FluentProvider>
  );
}

/** Loads the library after the frame, because it is not needed before the first menu or dialog. */
function useFocusLibrary(): ComponentType | undefined {
  const [library, setLibrary] = useState<{ readonly default: ComponentType }>();
  useEffect(() => {
    // Without it, dialogs still work.
    import('./focus-library.tsx').then(setLibrary, () => undefined);
  }, []);
  return library?.default;
}
