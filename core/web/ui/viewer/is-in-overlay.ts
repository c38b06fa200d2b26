const overlays = '[role="menu"], [role="dialog"], [role="alertdialog"], .fui-PopoverSurface';

/**
 * Whether an element is in an open menu, dialog or popover. These handle Escape themselves. Tooltips do not count: they
 * handle Escape too, but people do not see them as something to close.
 */
export function isInOverlay(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(overlays) !== null;
}

/** Whether a menu, dialog or popover is open. */
export function isOverlayOpen(): boolean {
  return document.querySelector(overlays) !== null;
}

/** Whether a modal dialog is open. While it is, the page behind it must ignore keyboard shortcuts. */
export function isModalOpen(): boolean {
  return document.querySelector('[aria-modal="true"]') !== null;
}
