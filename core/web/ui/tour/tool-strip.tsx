import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    top: '56px',
    left: '8px',
    right: '8px',
    width: 'fit-content',
    marginInline: 'auto',
    boxSizing: 'border-box',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '8px',
    padding: '6px 12px',
    borderRadius: tokens.borderRadiusXLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    boxShadow: tokens.shadow8,
    '@media (forced-colors: active)': { border: '1px solid CanvasText' },
  },
  besidePanel: { right: '376px', '@media (max-width: 639px)': { right: '8px' } },
});

export interface ToolStripProps {
  /** The name of the tool in use. */
  readonly label: string;
  /** A side panel is open. */
  readonly besidePanel: boolean;
  readonly children: ReactNode;
}

/** The bar of the tool in use, above the picture of a tour. It stands there as long as the tool is in use, whatever else fades away. */
export function ToolStrip({ label, besidePanel, children }: ToolStripProps) {
  const styles = useStyles();
  return (
    <div className={mergeClasses(styles.root, besidePanel && styles.besidePanel)} role="group" aria-label={label}>
      {children}
    </div>
  );
}
