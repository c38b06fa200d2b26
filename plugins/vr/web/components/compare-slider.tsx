import { useEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { observer } from 'mobx-react-lite';
import { Button, isInOverlay, makeStyles, tokens } from '#core/ui';
import { useFormats, useText } from '#core/web';
import type { Captures, Comparison } from '../stores/captures.ts';

/** On these screens, panels cover the lower half. */
const phone = '@media (max-width: 639px)';

const useStyles = makeStyles({
  root: { position: 'absolute', inset: 0, overflow: 'clip', pointerEvents: 'none' },
  line: {
    position: 'absolute',
    top: 0,
    bottom: 0,
    width: '2px',
    marginLeft: '-1px',
    backgroundColor: '#fff',
    boxShadow: '0 0 4px rgba(0, 0, 0, 0.8)',
  },
  handle: {
    position: 'absolute',
    top: '50%',
    width: '48px',
    height: '48px',
    transform: 'translate(-50%, -50%)',
    display: 'grid',
    placeItems: 'center',
    boxSizing: 'border-box',
    borderRadius: tokens.borderRadiusCircular,
    border: '2px solid #fff',
    backgroundColor: 'rgba(0, 0, 0, 0.72)',
    color: '#fff',
    cursor: 'ew-resize',
    pointerEvents: 'auto',
    touchAction: 'none',
    [phone]: { top: '32%' },
    ':focus-visible': { outline: '2px solid #fff', outlineOffset: '2px', boxShadow: '0 0 0 6px #000' },
    '@media (forced-colors: active)': {
      backgroundColor: 'Canvas',
      color: 'CanvasText',
      border: '2px solid CanvasText',
    },
  },
  date: {
    position: 'absolute',
    top: 'calc(50% - 52px)',
    [phone]: { top: 'calc(32% - 52px)' },
    maxWidth: 'calc(50% - 32px)',
    padding: '2px 10px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'rgba(0, 0, 0, 0.72)',
    color: '#fff',
    fontSize: '13px',
    lineHeight: '20px',
    whiteSpace: 'nowrap',
  },
  // Lies below the tool bar of the tour, which a person can show during a comparison.
  end: {
    position: 'absolute',
    top: '64px',
    left: '50%',
    minHeight: '44px',
    transform: 'translateX(-50%)',
    whiteSpace: 'nowrap',
    pointerEvents: 'auto',
    boxShadow: tokens.shadow16,
  },
  failed: {
    position: 'absolute',
    top: 'calc(50% + 40px)',
    [phone]: { top: 'calc(32% + 40px)' },
    left: '16px',
    maxWidth: 'min(320px, calc(100% - 32px))',
    padding: '8px 12px',
    display: 'grid',
    gap: '8px',
    justifyItems: 'start',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    pointerEvents: 'auto',
  },
});

const smallStep = 0.02;
const bigStep = 0.1;

export interface CompareSliderProps {
  readonly captures: Captures;
  readonly comparison: Comparison;
  /** Whether the older picture could not be loaded. */
  readonly failed: boolean;
  readonly onRetry: () => void;
}

/** Slider that moves the border between the older picture on the left and the newer picture on the right. */
export const CompareSlider = observer(function CompareSlider({
  captures,
  comparison,
  failed,
  onRetry,
}: CompareSliderProps) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const root = useRef<HTMLDivElement>(null);
  const { older, newer, fraction } = comparison;
  const moveTo = (newFraction: number): void => captures.compare(older, Math.min(1, Math.max(0, newFraction)));
  const handlePointerMove = (event: PointerEvent): void => {
    const box = root.current?.getBoundingClientRect();
    if (box && box.width > 0 && event.currentTarget.hasPointerCapture(event.pointerId))
      moveTo((event.clientX - box.left) / box.width);
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    const newFraction = computeNextFraction(event.key, fraction, event.shiftKey);
    if (newFraction === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    moveTo(newFraction);
  };
  useEffect(() => {
    const handleEscape = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape' || isInOverlay(event.target)) return;
      event.preventDefault();
      captures.endComparison();
    };
    window.addEventListener('keydown', handleEscape);
    return () => window.removeEventListener('keydown', handleEscape);
  }, [captures]);
  const left = `${fraction * 100}%`;
  const percent = Math.round(fraction * 100);
  return (
    <div ref={root} className={styles.root}>
      <div className={styles.line} style={{ left }} />
      <div className={styles.date} style={{ right: `calc(${100 - fraction * 100}% + 8px)` }}>
        {formats.calendarDay(older.day)}
      </div>
      <div className={styles.date} style={{ left: `calc(${left} + 8px)` }}>
        {formats.calendarDay(newer.day)}
      </div>
      <div
        role="slider"
        tabIndex={0}
        className={styles.handle}
        style={{ left: `clamp(26px, ${left}, calc(100% - 26px))` }}
        aria-label={t('vr.compare.slider')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={t('vr.compare.value', {
          percent,
          older: formats.calendarDay(older.day),
          newer: formats.calendarDay(newer.day),
        })}
        onPointerDown={(event) => {
          event.preventDefault();
          event.currentTarget.focus();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={handlePointerMove}
        onKeyDown={handleKeyDown}
      >
        <svg
          viewBox="0 0 20 20"
          width="22"
          height="22"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.6"
          strokeLinecap="round"
          strokeLinejoin="round"
          aria-hidden="true"
        >
          <path d="M7 5 2.5 10 7 15M13 5l4.5 5-4.5 5" />
        </svg>
      </div>
      <Button className={styles.end} onClick={() => captures.endComparison()}>
        {t('vr.compare.end')}
      </Button>
      {failed ? (
        <div className={styles.failed} role="alert">
          {t('vr.compare.failed', { date: formats.calendarDay(older.day) })}
          <Button onClick={onRetry}>{t('vr.compare.retry')}</Button>
        </div>
      ) : null}
    </div>
  );
});

function computeNextFraction(key: string, fraction: number, shift: boolean): number | undefined {
  const change = shift ? bigStep : smallStep;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return fraction - change;
    case 'ArrowRight':
    case 'ArrowUp':
      return fraction + change;
    case 'PageDown':
      return fraction - bigStep;
    case 'PageUp':
      return fraction + bigStep;
    case 'Home':
      return 0;
    case 'End':
      return 1;
    default:
      return undefined;
  }
}
