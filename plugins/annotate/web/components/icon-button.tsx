import type { ReactElement } from 'react';
import { Button, Tooltip } from '#core/ui';

export interface IconButtonProps {
  readonly label: string;
  readonly icon: ReactElement;
  readonly disabled?: boolean;
  /** State of a toggle button. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** A subtle icon button of a strip or a row, named by a tooltip. */
export function IconButton({ label, icon, disabled = false, pressed, onClick }: IconButtonProps) {
  return (
    <Tooltip content={label} relationship="label">
      <Button
        appearance="subtle"
        icon={icon}
        disabled={disabled}
        onClick={onClick}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      />
    </Tooltip>
  );
}
