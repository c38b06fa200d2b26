import { useRef, type PointerEvent, type RefObject } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import type { Corner } from '../../../contract/index.ts';
import { findCornerStep } from '../stores/find-corner-step.ts';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    display: 'grid',
    placeItems: 'center',
    width: '28px',
    height: '28px',
    padding: 0,
    border: 'none',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'transparent',
    transform: 'translate(-50%, -50%)',
    '@media (pointer: coarse)': { width: '44px', height: '44px' },
    ':focus-visible': { outline: `3px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-4px' },
  },
  passive: { pointerEvents: 'none' },
  button: { cursor: 'pointer' },
  movable: { cursor: 'move', touchAction: 'none' },
  dot: {
    width: '12px',
    height: '12px',
    boxSizing: 'border-box',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `2px solid ${tokens.colorBrandStroke1}`,
    borderRadius: tokens.borderRadiusCircular,
  },
});

export interface CornerHandleProps {
  readonly corner: Corner;
  /** Without it, the corner is only drawn. */
  readonly label?: string;
  readonly describedBy?: string;
  readonly buttonRef?: RefObject<HTMLButtonElement | null>;
  readonly onClick?: () => void;
  /** By an arrow key. */
  readonly onMove?: (corner: Corner) => void;
  readonly onDrag?: (event: PointerEvent) => void;
  readonly onDelete?: () => void;
  /** By Escape. */
  readonly onLeave?: () => void;
}

/** A corner of an outline over the picture. */
export function CornerHandle({
  corner,
  label,
  describedBy,
  buttonRef,
  onClick,
  onMove,
  onDrag,
  onDelete,
  onLeave,
}: CornerHandleProps) {
  const styles = useStyles();
  const dragged = useRef(false);
  const style = { left: `${corner[0] * 100}%`, top: `${corner[1] * 100}%` };
  const dot = <span className={styles.dot} />;
  if (label === undefined)
    return (
      <span className={mergeClasses(styles.root, styles.passive)} style={style} aria-hidden="true">
        {dot}
      </span>
    );
  return (
    <button
      ref={buttonRef}
      type="button"
      className={mergeClasses(styles.root, onDrag ? styles.movable : styles.button)}
      style={style}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={(event) => {
        event.stopPropagation();
        onClick?.();
      }}
      onPointerDown={(event) => {
        if (!onDrag) return;
        dragged.current = true;
        event.currentTarget.setPointerCapture?.(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (dragged.current) onDrag?.(event);
      }}
      onPointerUp={() => (dragged.current = false)}
      onPointerCancel={() => (dragged.current = false)}
      onKeyDown={(event) => {
        const step = findCornerStep(event, corner);
        if (step && onMove) onMove(step);
        else if (event.key === 'Delete' && onDelete) onDelete();
        else if (event.key === 'Escape' && onLeave) onLeave();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {dot}
    </button>
  );
}
