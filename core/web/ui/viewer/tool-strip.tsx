import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { toolStripRoom } from './below-tool-strip.ts';

/** Pixels. */
const gap = 8;

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    top: '56px',
    // Clear of the modules.
    left: '72px',
    right: '72px',
    '@media (max-width: 639px)': { left: '8px', right: '8px' },
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

/** The bar of the tool in use, over the picture of a viewer. It is shown for as long as the tool is in use. */
export function ToolStrip({ label, besidePanel, children }: ToolStripProps) {
  const styles = useStyles();
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (strip.current ? reserveSpace(strip.current) : undefined), []);
  return (
    <div
      ref={strip}
      className={mergeClasses(styles.root, besidePanel && styles.besidePanel)}
      role="group"
      aria-label={label}
    >
      {children}
    </div>
  );
}

/** How high it is depends on its words and the width of the page. Answers the way out. */
function reserveSpace(strip: HTMLElement): () => void {
  const { style } = document.documentElement;
  const notify = (): void => style.setProperty(toolStripRoom, `${strip.offsetHeight + gap}px`);
  const size = new ResizeObserver(notify);
  size.observe(strip);
  notify();
  return () => {
    size.disconnect();
    style.removeProperty(toolStripRoom);
  };
}
