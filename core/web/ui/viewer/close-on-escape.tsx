import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';

/** Makes the wrapper invisible to the layout of the panel. */
const layoutNeutral: CSSProperties = { display: 'contents' };

export interface CloseOnEscapeProps {
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** Calls `onClose` when Escape is pressed inside, and stops the event. */
export function CloseOnEscape({ onClose, children }: CloseOnEscapeProps) {
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onClose();
  };
  return (
    <div role="presentation" style={layoutNeutral} onKeyDown={handleKeyDown}>
      {children}
    </div>
  );
}
