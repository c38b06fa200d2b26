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
  /** State of a toggle button. */
  readonly pressed?: boolean;
  readonly onClick: () => void;
}

/** One tool of a viewer's toolbar: an icon with its name as a tooltip. */
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
