import { useEffect, useRef } from 'react';

export interface Shortcuts {
  /** `H`. */
  readonly toggleTools: () => void;
  /** `/` and Ctrl+K. */
  readonly search: () => void;
  /** Escape, unless a dialog or menu handles it. */
  readonly close: () => void;
  /** `?`. */
  readonly list: () => void;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** Shortcuts of the whole tour. In text fields only Ctrl+K and Escape apply. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key: pressed, target } = event;
      // A tooltip handles Escape itself, but the panel below must close too. Menus, dialogs and popovers close alone.
      const taken =
        pressed === 'Escape'
          ? target instanceof Element && target.closest('[role="menu"], [role="dialog"], .fui-PopoverSurface') !== null
          : event.defaultPrevented;
      if (taken || event.altKey) return;
      const { toggleTools, search, close, list } = latest.current;
      const withControl = event.ctrlKey || event.metaKey;
      const key = pressed.toLowerCase();
      if (key === 'escape' && !withControl) close();
      else if (withControl ? key === 'k' : key === '/' && !isTyping(target)) {
        event.preventDefault();
        search();
      } else if (key === 'h' && !withControl && !isTyping(target)) toggleTools();
      else if (key === '?' && !withControl && !isTyping(target)) list();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}
