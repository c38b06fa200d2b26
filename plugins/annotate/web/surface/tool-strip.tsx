import type { ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { useService } from '#core/web';
import { TourStore } from '#plugins/tour';

const phone = '@media (max-width: 639px)';

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
  besidePanel: { right: '376px', [phone]: { right: '8px' } },
});

export interface ToolStripProps {
  /** The name of the tool in use. */
  readonly label: string;
  readonly children: ReactNode;
}

/** The bar of the tool in use, above the picture. It stands there as long as the tool is in use, whatever else fades away. */
export const ToolStrip = observer(function ToolStrip({ label, children }: ToolStripProps) {
  const styles = useStyles();
  const { panel, selectedTag } = useService(TourStore);
  return (
    <div className={mergeClasses(styles.root, (panel !== undefined || selectedTag !== undefined) && styles.besidePanel)} role="group" aria-label={label}>
      {children}
    </div>
  );
});

/** Of the words in it. */
export const useStripStyles = makeStyles({
  words: { minWidth: '12ch', fontVariantNumeric: 'tabular-nums' },
  warning: { color: tokens.colorPaletteDarkOrangeForeground1 },
});
