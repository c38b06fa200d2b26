import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Returns the focus on unmount to the element that had it before, or to `fallback` if that element is gone, such as a
 * menu item. For dialogs without a `DialogTrigger`, which do not restore the focus themselves.
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
