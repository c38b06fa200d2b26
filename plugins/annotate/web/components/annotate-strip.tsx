import type { ReactElement, ReactNode } from 'react';
import { makeStyles, tokens, ToolStrip } from '#core/ui';
import { IconButton } from './icon-button.tsx';
import { CloseIcon, ListIcon, UndoIcon } from './icons.tsx';

const useStyles = makeStyles({
  tool: {
    display: 'flex',
    alignItems: 'center',
    gap: '6px',
    fontWeight: tokens.fontWeightSemibold,
    whiteSpace: 'nowrap',
  },
  // The minimum keeps the width of the strip constant while the value in its text changes.
  status: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '8px',
    flexGrow: 1,
    minWidth: '22ch',
    '@media (max-width: 639px)': { minWidth: '16ch' },
  },
  actions: { display: 'flex', alignItems: 'center', gap: '4px', marginInlineStart: 'auto', minWidth: 0 },
});

export interface AnnotateStripProps {
  /** The name of the active tool. */
  readonly label: string;
  readonly icon: ReactElement;
  /** Replaces everything after the tool's name. */
  readonly form?: ReactElement | undefined;
  /** The next instruction or the current result. */
  readonly status: ReactNode;
  /** Controls of this tool. */
  readonly children?: ReactNode;
  /** The button that removes the last point. */
  readonly undo: { readonly label: string; readonly onClick: (() => void) | undefined };
  /** The button that opens and closes the panel of the tool. */
  readonly panelToggle: { readonly label: string; readonly open: boolean; readonly toggle: () => void };
  /** The button that ends the tool. */
  readonly end: { readonly label: string; readonly onClick: () => void };
}

/** The status bar of the active annotation or measuring tool. */
export function AnnotateStrip({ label, icon, form, status, children, undo, panelToggle, end }: AnnotateStripProps) {
  const styles = useStyles();
  return (
    <ToolStrip label={label}>
      <span className={styles.tool}>
        {icon}
        {label}
      </span>
      {form ?? (
        <>
          <span className={styles.status}>{status}</span>
          <span className={styles.actions}>
            {children}
            <IconButton
              label={undo.label}
              icon={<UndoIcon />}
              disabled={undo.onClick === undefined}
              onClick={() => undo.onClick?.()}
            />
            <IconButton
              label={panelToggle.label}
              icon={<ListIcon />}
              pressed={panelToggle.open}
              onClick={panelToggle.toggle}
            />
            <IconButton label={end.label} icon={<CloseIcon />} onClick={end.onClick} />
          </span>
        </>
      )}
    </ToolStrip>
  );
}

/** Styles of the texts in an `AnnotateStrip`. */
export const useStripStyles = makeStyles({
  status: { fontVariantNumeric: 'tabular-nums' },
  warning: { color: tokens.colorPaletteDarkOrangeForeground1 },
});
