import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Returns the focus on unmount to the element that had it before, or to `fallback` if that is gone, as a menu item is.
 * For a dialog without a `DialogTrigger`, which does not do it itself.
 */
export function useRestoreFocus(fallback: HTMLElement | null = null): void {
  const [previousElement] = useState(() => document.activeElement);
  const restore = useEffectEvent(() => {
    const isPresent = previousElement instanceof HTMLElement && previousElement.isConnected;
    const target = isPresent && previousElement !== document.body ? previousElement : fallback;
    target?.focus();
  });
  useEffect(() => () => restore(), []);
}
