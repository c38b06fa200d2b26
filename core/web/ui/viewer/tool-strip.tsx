import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useCover } from './cover.ts';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    top: '56px',
    // In the middle of the picture as long as no panel takes a part of it.
    left: 'var(--viewer-left)',
    right: 'max(var(--viewer-left), var(--viewer-right))',
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
});

export interface ToolStripProps {
  /** The name of the tool in use. */
  readonly label: string;
  readonly children: ReactNode;
}

/** The bar of the tool in use, over the picture of a viewer. It is shown for as long as the tool is in use. */
export function ToolStrip({ label, children }: ToolStripProps) {
  const styles = useStyles();
  return (
    <div ref={useCover('top')} className={styles.root} role="group" aria-label={label}>
      {children}
    </div>
  );
}
