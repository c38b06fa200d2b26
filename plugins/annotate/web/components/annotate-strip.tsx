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
  // Fixed, so that the strip keeps its width when its text changes with the figure.
  words: {
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
  /** The next instruction, or the result. */
  readonly words: ReactNode;
  /** Controls of this tool. */
  readonly children?: ReactNode;
  readonly undo: { readonly label: string; readonly act: (() => void) | undefined };
  readonly list: { readonly label: string; readonly shown: boolean; readonly toggle: () => void };
  readonly end: { readonly label: string; readonly act: () => void };
}

/** Status bar of the active annotating or measuring tool. */
export function AnnotateStrip({ label, icon, form, words, children, undo, list, end }: AnnotateStripProps) {
  const styles = useStyles();
  return (
    <ToolStrip label={label}>
      <span className={styles.tool}>
        {icon}
        {label}
      </span>
      {form ?? (
        <>
          <span className={styles.words}>{words}</span>
          <span className={styles.actions}>
            {children}
            <IconButton
              label={undo.label}
              icon={<UndoIcon />}
              disabled={undo.act === undefined}
              onClick={() => undo.act?.()}
            />
            <IconButton label={list.label} icon={<ListIcon />} pressed={list.shown} onClick={list.toggle} />
            <IconButton label={end.label} icon={<CloseIcon />} onClick={end.act} />
          </span>
        </>
      )}
    </ToolStrip>
  );
}

/** Texts shown in it. */
export const useStripStyles = makeStyles({
  words: { fontVariantNumeric: 'tabular-nums' },
  warning: { color: tokens.colorPaletteDarkOrangeForeground1 },
});
