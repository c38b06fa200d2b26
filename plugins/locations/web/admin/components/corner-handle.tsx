import { useEffect, useRef, type PointerEvent, type Ref } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import type { Corner } from '../../../contract/index.ts';
import { findCornerStep } from '../stores/find-corner-step.ts';

/** A corner is deleted if it is pressed for this long without a move. */
const longPressMs = 600;
/** Shorter movements of a resting finger do not count as a drag. */
const pressTolerancePx = 6;

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    // Above the edge handles.
    zIndex: 1,
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
  /** Without a label, the corner is not a button. */
  readonly label?: string;
  readonly describedBy?: string;
  readonly buttonRef?: Ref<HTMLButtonElement>;
  readonly onClick?: () => void;
  /** Called for an arrow key. */
  readonly onMove?: (corner: Corner) => void;
  readonly onDrag?: (event: PointerEvent) => void;
  /** Called for the key Delete or a long press. */
  readonly onDelete?: () => void;
  /** Called for Escape. */
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
  const pressPoint = useRef<{ readonly x: number; readonly y: number }>(undefined);
  const dragged = useRef(false);
  const longPress = useRef<number>(undefined);
  const endPress = (): void => {
    window.clearTimeout(longPress.current);
    pressPoint.current = undefined;
    dragged.current = false;
  };
  useEffect(() => () => window.clearTimeout(longPress.current), []);
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
        if (!onDrag || event.button > 0) return;
        endPress();
        pressPoint.current = { x: event.clientX, y: event.clientY };
        event.currentTarget.setPointerCapture?.(event.pointerId);
        if (onDelete)
          longPress.current = window.setTimeout(() => {
            endPress();
            onDelete();
          }, longPressMs);
      }}
      onPointerMove={(event) => {
        if (!pressPoint.current) return;
        const { x, y } = pressPoint.current;
        const isResting = Math.hypot(event.clientX - x, event.clientY - y) <= pressTolerancePx;
        if (isResting && !dragged.current) return;
        dragged.current = true;
        window.clearTimeout(longPress.current);
        onDrag?.(event);
      }}
      onPointerUp={endPress}
      onPointerCancel={endPress}
      // In some browsers, a long press also opens the context menu.
      onContextMenu={(event) => onDelete && event.preventDefault()}
      onKeyDown={(event) => {
        const movedCorner = findCornerStep(event, corner);
        if (movedCorner && onMove) onMove(movedCorner);
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
