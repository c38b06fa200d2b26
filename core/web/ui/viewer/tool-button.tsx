import { Button, makeStyles, tokens, Tooltip } from '@fluentui/react-components';
import type { ReactElement } from 'react';
import { useTooltipVisibility } from '../use-tooltip-visibility.ts';

const useStyles = makeStyles({
  pressed: {
    color: tokens.colorBrandForeground1,
    backgroundColor: tokens.colorSubtleBackgroundSelected,
    '@media (forced-colors: active)': { outline: '2px solid Highlight', outlineOffset: '-2px' },
  },
});

export interface ToolButtonProps {
  readonly label: string;
  readonly icon: ReactElement;
  /** The state of a toggle button; undefined for other buttons. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** A button of a viewer's toolbar with an icon and a tooltip. */
export function ToolButton({ label, icon, pressed, onClick }: ToolButtonProps) {
  const styles = useStyles();
  const tooltipVisibility = useTooltipVisibility();
  return (
    <Tooltip content={label} relationship="label" {...tooltipVisibility}>
      <Button
        size="large"
        appearance="subtle"
        icon={icon}
        onClick={onClick}
        className={pressed ? styles.pressed : undefined}
        {...(pressed === undefined ? {} : { 'aria-pressed': pressed })}
      />
    </Tooltip>
  );
}
