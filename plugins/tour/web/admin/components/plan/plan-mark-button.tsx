import { useRef, type PointerEvent } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { findMarkStep, type PlanMark } from '../../stores/find-mark-step.ts';

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    display: 'grid',
    placeItems: 'center',
    width: '32px',
    height: '32px',
    padding: 0,
    border: 'none',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'transparent',
    transform: 'translate(-50%, -50%)',
    cursor: 'move',
    touchAction: 'none',
    '@media (pointer: coarse)': { width: '44px', height: '44px' },
    ':focus-visible': { outline: `3px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
  },
  // The ring keeps the exact position visible in its middle.
  ring: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    width: '20px',
    height: '20px',
    boxSizing: 'border-box',
    border: `3px solid ${tokens.colorBrandStroke1}`,
    borderRadius: tokens.borderRadiusCircular,
    boxShadow: `0 0 0 2px ${tokens.colorNeutralBackground1}`,
    pointerEvents: 'none',
    '::before': {
      content: '""',
      width: '4px',
      height: '4px',
      borderRadius: tokens.borderRadiusCircular,
      backgroundColor: tokens.colorBrandStroke1,
    },
  },
  failed: {
    borderTopColor: tokens.colorStatusDangerForeground1,
    borderRightColor: tokens.colorStatusDangerForeground1,
    borderBottomColor: tokens.colorStatusDangerForeground1,
    borderLeftColor: tokens.colorStatusDangerForeground1,
    borderTopStyle: 'double',
    borderRightStyle: 'double',
    borderBottomStyle: 'double',
    borderLeftStyle: 'double',
  },
  badge: {
    position: 'absolute',
    left: '100%',
    bottom: '60%',
    minWidth: '16px',
    padding: `0 ${tokens.spacingHorizontalXXS}`,
    boxSizing: 'border-box',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    textAlign: 'center',
    color: tokens.colorNeutralForegroundOnBrand,
    backgroundColor: tokens.colorBrandBackground,
    borderRadius: tokens.borderRadiusMedium,
  },
});

export interface PlanMarkButtonProps {
  /** Position in the visible part of the plan, in fractions of its size. */
  readonly windowPosition: PlanMark;
  readonly mark: PlanMark;
  readonly zoom: number;
  /** Short text, such as a number. */
  readonly badge: string;
  readonly label: string;
  readonly describedBy: string;
  /** True if the residual of the mark is too large. */
  readonly failed: boolean;
  /** Converts a position in the window to a position on the plan. */
  readonly toMark: (position: { readonly clientX: number; readonly clientY: number }) => PlanMark;
  readonly onMove: (mark: PlanMark) => void;
  readonly onRemove: () => void;
}

/** A mark on a plan. Moved by pointer and arrow keys, removed by the delete key. */
export function PlanMarkButton({
  windowPosition,
  mark,
  zoom,
  badge,
  label,
  describedBy,
  failed,
  toMark,
  onMove,
  onRemove,
}: PlanMarkButtonProps) {
  const styles = useStyles();
  /** Offset of the pointer from the mark, so that the mark does not jump to the pointer. */
  const dragOffset = useRef<PlanMark>(undefined);
  const handlePointerMove = (event: PointerEvent): void => {
    if (!dragOffset.current) return;
    const { x, y } = toMark(event);
    onMove({ x: x - dragOffset.current.x, y: y - dragOffset.current.y });
  };
  return (
    <button
      type="button"
      data-plan-mark=""
      className={styles.root}
      style={{ left: `${windowPosition.x * 100}%`, top: `${windowPosition.y * 100}%` }}
      aria-label={label}
      aria-describedby={describedBy}
      onClick={(event) => event.stopPropagation()}
      onPointerDown={(event) => {
        const { x, y } = toMark(event);
        dragOffset.current = { x: x - mark.x, y: y - mark.y };
        event.currentTarget.setPointerCapture?.(event.pointerId);
      }}
      onPointerMove={handlePointerMove}
      onPointerUp={() => (dragOffset.current = undefined)}
      onPointerCancel={() => (dragOffset.current = undefined)}
      onKeyDown={(event) => {
        const movedMark = findMarkStep(event, mark, zoom);
        if (movedMark) onMove(movedMark);
        else if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <span className={mergeClasses(styles.ring, failed && styles.failed)}>
        <span className={styles.badge}>{badge}</span>
      </span>
    </button>
  );
}
