import type { KeyboardEvent } from 'react';

/** Of a panel over the picture: Escape closes it, and nothing that lies below. */
export const closedByEscape =
  (close: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    close();
  };
