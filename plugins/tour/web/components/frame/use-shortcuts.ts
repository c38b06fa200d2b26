import { useEffect, useRef } from 'react';
import { isInOverlay, isModalOpen } from '#core/ui';

export interface Shortcuts {
  /** Called by `H`. */
  readonly toggleTools: () => void;
  /** Called by `/` and Ctrl+K. */
  readonly search: () => void;
  /** Called by Escape, unless a dialog or menu handles it. */
  readonly close: () => void;
  /** Called by `?`. */
  readonly openList: () => void;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** Handles the shortcuts of the whole tour, unless a dialog is open. In text fields only Ctrl+K and Escape apply. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latestShortcuts = useRef(shortcuts);
  useEffect(() => {
    latestShortcuts.current = shortcuts;
  });
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      const { key: eventKey, target } = event;
      const isHandled = eventKey === 'Escape' ? isInOverlay(target) : event.defaultPrevented;
      if (isHandled || event.altKey || isModalOpen()) return;
      const { toggleTools, search, close, openList } = latestShortcuts.current;
      const withControl = event.ctrlKey || event.metaKey;
      const key = eventKey.toLowerCase();
      if (key === 'escape' && !withControl) close();
      else if (withControl ? key === 'k' : key === '/' && !isTyping(target)) {
        event.preventDefault();
        search();
      } else if (key === 'h' && !withControl && !isTyping(target)) toggleTools();
      else if (key === '?' && !withControl && !isTyping(target)) openList();
    };
    window.addEventListener('keydown', handleKey);
    return () => window.removeEventListener('keydown', handleKey);
  }, []);
}
