import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { useCover } from './cover.ts';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    top: '56px',
    // The bar is centred in the part of the image that no panel covers.
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
  /** Name of the active tool. */
  readonly label: string;
  readonly children: ReactNode;
}

/** The bar of the active tool, over the image of a viewer. */
export function ToolStrip({ label, children }: ToolStripProps) {
  const styles = useStyles();
  return (
    <div ref={useCover('top')} className={styles.root} role="group" aria-label={label}>
      {children}
    </div>
  );
}
