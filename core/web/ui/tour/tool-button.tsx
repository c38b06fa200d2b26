import { Button, Tooltip } from '@fluentui/react-components';
import type { ReactElement } from 'react';

export interface ToolButtonProps {
  readonly label: string;
  readonly icon: ReactElement;
  /** For what is on or off. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** One tool of a tour's tool bar: a picture, named by a tooltip. */
export function ToolButton({ label, icon, pressed, onClick }: ToolButtonProps) {
  return (
    <Tooltip content={label} relationship="label">
      <Button size="large" appearance="subtle" icon={icon} onClick={onClick} {...(pressed === undefined ? {} : { 'aria-pressed': pressed })} />
    </Tooltip>
  );
}
