interface Key {
  readonly key: string;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  readonly target: EventTarget;
}

/** Index of the row that a key moves to; undefined for other keys. `perPage` is the number of visible rows. */
export function findIndexAfter(
  { key, altKey, shiftKey, target }: Key,
  active: number,
  total: number,
  perPage: number,
): number | undefined {
  // Text fields handle these keys themselves.
  if (total === 0 || altKey || shiftKey || (target instanceof Element && target.matches(textFields))) return undefined;
  const clampIndex = (index: number): number => Math.max(0, Math.min(index, total - 1));
  switch (key) {
    case 'ArrowUp':
      return clampIndex(active - 1);
    case 'ArrowDown':
      return clampIndex(active + 1);
    case 'PageUp':
      return clampIndex(active - perPage);
    case 'PageDown':
      return clampIndex(active + perPage);
    case 'Home':
      return 0;
    case 'End':
      return total - 1;
    default:
      return undefined;
  }
}

const textFields = 'input, select, textarea, [contenteditable]';
