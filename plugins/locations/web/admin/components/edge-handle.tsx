import { useRef, type PointerEvent } from 'react';
import { makeStyles, tokens } from '#core/ui';
import type { Corner } from '../../../contract/index.ts';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    display: 'grid',
    placeItems: 'center',
    width: '24px',
    height: '24px',
    padding: 0,
    border: 'none',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'transparent',
    transform: 'translate(-50%, -50%)',
    cursor: 'copy',
    touchAction: 'none',
    '@media (pointer: coarse)': { width: '36px', height: '36px' },
    ':focus-visible': { outline: `3px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-4px' },
  },
  dot: {
    width: '8px',
    height: '8px',
    boxSizing: 'border-box',
    opacity: 0.8,
    backgroundColor: tokens.colorBrandStroke1,
    border: `1px solid ${tokens.colorNeutralBackground1}`,
    borderRadius: tokens.borderRadiusCircular,
  },
});

export interface EdgeHandleProps {
  readonly from: Corner;
  readonly to: Corner;
  readonly label: string;
  readonly describedBy: string;
  /** Called for a click or a key. Adds a corner in the middle, which the person moves next. */
  readonly onAdd: (middle: Corner) => void;
  /** Adds a corner in the middle, which the pointer drags. False if the outline has the maximum number of corners. */
  readonly onDragStart: (middle: Corner) => boolean;
  readonly onDrag: (event: PointerEvent) => void;
  /** Called for Escape. */
  readonly onLeave: () => void;
}

/** A handle in the middle of an edge of an outline. It adds a corner there. */
export function EdgeHandle({ from, to, label, describedBy, onAdd, onDragStart, onDrag, onLeave }: EdgeHandleProps) {
  const styles = useStyles();
  const pointer = useRef<'up' | 'pressed' | 'dragging'>('up');
  /** True after a drag: the click that ends it must not add a corner. */
  const ignoresClick = useRef(false);
  const middle: Corner = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
  const release = (): void => void (pointer.current = 'up');
  return (
    <button
      type="button"
      className={styles.root}
      style={{ left: `${middle[0] * 100}%`, top: `${middle[1] * 100}%` }}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={(event) => {
        event.stopPropagation();
        if (!ignoresClick.current) onAdd(middle);
        ignoresClick.current = false;
      }}
      onPointerDown={(event) => {
        if (event.button > 0) return;
        pointer.current = 'pressed';
        ignoresClick.current = false;
        event.currentTarget.setPointerCapture?.(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (pointer.current === 'up') return;
        ignoresClick.current = true;
        if (pointer.current === 'pressed' && !onDragStart(middle)) return release();
        pointer.current = 'dragging';
        // After the insertion, this handle belongs to the first half of the edge. It still captures the pointer.
        onDrag(event);
      }}
      onPointerUp={release}
      onPointerCancel={release}
      onKeyDown={(event) => {
        // A drag that ends outside of the handle fires no click. The next click comes from a key and must count.
        ignoresClick.current = false;
        if (event.key !== 'Escape') return;
        onLeave();
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <span className={styles.dot} />
    </button>
  );
}
