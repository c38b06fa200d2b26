import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';

/** No box of its own: a panel inside is placed as if it were not there. */
const boxless: CSSProperties = { display: 'contents' };

export interface CloseOnEscapeProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Calls `onClose` when Escape is pressed anywhere inside. What lies outside does not receive that key press. */
export function CloseOnEscape({ onClose, children }: CloseOnEscapeProps) {
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <div role="presentation" style={boxless} onKeyDown={handleKeyDown}>
      {children}
    </div>
  );
}
