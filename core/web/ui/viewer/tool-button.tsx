import { Button, makeStyles, tokens, Tooltip } from '@fluentui/react-components';
import type { ReactElement } from 'react';

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
  return (
    <Tooltip content={label} relationship="label">
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
