import { useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import {
  Button,
  fromWindow,
  makeStyles,
  mergeClasses,
  showInWindow,
  tokens,
  toWindow,
  usePictureGestures,
  wholePicture,
  windowKeys,
  type WindowKeys,
} from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { PlacedPlan } from '../../../../contract/api/tour-content.ts';
import { findMarkStep, limitMark, type MarkDevice, type PlanMark } from '../../stores/find-mark-step.ts';
import { PlanMarkButton } from './plan-mark-button.tsx';

const useStyles = makeStyles({
  root: {
    position: 'relative',
    margin: '0 auto',
    overflow: 'clip',
    touchAction: 'none',
    cursor: 'crosshair',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground3,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  image: { position: 'absolute', maxWidth: 'none', display: 'block', pointerEvents: 'none' },
  crosshair: {
    position: 'absolute',
    inset: 0,
    width: '100%',
    height: '100%',
    pointerEvents: 'none',
    color: tokens.colorBrandStroke1,
  },
  lines: { position: 'absolute', inset: 0, width: '100%', height: '100%', pointerEvents: 'none' },
  casing: {
    fill: 'none',
    stroke: tokens.colorNeutralBackground1,
    strokeWidth: '7px',
    vectorEffect: 'non-scaling-stroke',
  },
  line: {
    fill: 'none',
    stroke: tokens.colorNeutralForeground2,
    strokeWidth: '3px',
    strokeLinejoin: 'round',
    vectorEffect: 'non-scaling-stroke',
  },
  highlighted: { stroke: tokens.colorBrandStroke1, strokeWidth: '4px' },
  zoom: { display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '8px', margin: '8px' },
  zoomButton: { '@media (pointer: coarse)': { minWidth: '44px', minHeight: '44px' } },
});

/** Without the arrow keys, which move a mark instead of the plan. */
const zoomKeys: WindowKeys = { '+': windowKeys['+']!, '-': windowKeys['-']! };
const isMark = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.dataset.planMark !== undefined;

export interface LabelledMark extends PlanMark {
  readonly badge: string;
  readonly label: string;
  /** True if the residual of the mark is too large. */
  readonly failed: boolean;
}

export interface PlanLine {
  readonly id: number;
  readonly points: readonly PlanMark[];
  readonly highlighted: boolean;
}

export interface PlanCanvasProps {
  readonly plan: PlacedPlan;
  readonly label: string;
  readonly marks: readonly LabelledMark[];
  /** Lines below the marks. */
  readonly lines?: readonly PlanLine[];
  /** Instructions for adding, moving and removing marks. */
  readonly hint: string;
  /** `pixelSize` is the width of a screen pixel as a fraction of the plan's width. */
  readonly onAdd: (mark: PlanMark, device: MarkDevice, pixelSize: number) => void;
  readonly onMove: (index: number, mark: PlanMark) => void;
  readonly onRemove: (index: number) => void;
}

/** A plan that zooms and pans, with marks that are added, moved and removed by mouse, touch and keyboard. */
export function PlanCanvas({
  plan,
  label,
  marks,
  lines = [],
  hint: hintText,
  onAdd,
  onMove,
  onRemove,
}: PlanCanvasProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const hintId = useId();
  const root = useRef<HTMLDivElement>(null);
  const [pictureWindow, setPictureWindow] = useState(wholePicture);
  const [failedImage, setFailedImage] = useState<string>();
  /** Moved by arrow keys while the plan has the focus. */
  const [crosshair, setCrosshair] = useState<PlanMark>();
  usePictureGestures(root, setPictureWindow, zoomKeys, isMark);

  const toMark = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): PlanMark => {
    const { left, top, width, height } = root.current!.getBoundingClientRect();
    return fromWindow(pictureWindow, { x: (clientX - left) / width, y: (clientY - top) / height });
  };
  const add = (mark: PlanMark, device: MarkDevice): void => {
    const { width } = root.current!.getBoundingClientRect();
    onAdd(limitMark(mark), device, 1 / (width * pictureWindow.zoom));
  };
  const addByClick = (event: MouseEvent): void => {
    // Firefox reports clicks as mouse events, without a pointer type.
    const { pointerType } = event.nativeEvent as Partial<globalThis.PointerEvent>;
    setCrosshair(undefined);
    add(toMark(event), pointerType === 'touch' ? 'touch' : 'mouse');
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.altKey || event.metaKey) return;
    const markAtCrosshair = crosshair ?? fromWindow(pictureWindow, { x: 0.5, y: 0.5 });
    const movedCrosshair = findMarkStep(event, markAtCrosshair, pictureWindow.zoom);
    if (movedCrosshair) {
      setCrosshair(movedCrosshair);
      setPictureWindow((current) => showInWindow(current, movedCrosshair));
    } else if (event.key === 'Enter' || event.key === ' ') {
      setCrosshair(undefined);
      add(markAtCrosshair, 'keyboard');
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const move = (index: number, mark: PlanMark): void => {
    const limitedMark = limitMark(mark);
    setPictureWindow((current) => showInWindow(current, limitedMark, 0));
    onMove(index, limitedMark);
  };
  const remove = (index: number): void => {
    onRemove(index);
    root.current?.focus();
  };
  const controls = {
    role: 'application',
    tabIndex: 0,
    'aria-label': label,
    'aria-describedby': hintId,
    onClick: addByClick,
    onKeyDown: handleKeyDown,
    onBlur: () => setCrosshair(undefined),
  };
  const planOrigin = toWindow(pictureWindow, { x: 0, y: 0 });
  const crosshairInWindow = crosshair && toWindow(pictureWindow, crosshair);
  return (
    <div>
      <div
        ref={root}
        {...controls}
        className={styles.root}
        style={{
          aspectRatio: `${plan.width} / ${plan.height}`,
          width: `min(100%, calc((96vh - 280px) * ${plan.width / plan.height}))`,
        }}
      >
        <img
          className={styles.image}
          style={{
            width: `${pictureWindow.zoom * 100}%`,
            height: `${pictureWindow.zoom * 100}%`,
            left: `${planOrigin.x * 100}%`,
            top: `${planOrigin.y * 100}%`,
          }}
          src={plan.address}
          alt=""
          draggable={false}
          onLoad={() => setFailedImage(undefined)}
          onError={() => setFailedImage(plan.address)}
        />
        {lines.length === 0 ? null : (
          <svg className={styles.lines} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            {lines.map(({ id, points, highlighted }) => {
              const path = points.map((point) => toWindow(pictureWindow, point)).map(({ x, y }) => `${x} ${y}`);
              return (
                <g key={id}>
                  <polyline points={path.join(' ')} className={styles.casing} />
                  <polyline
                    points={path.join(' ')}
                    className={mergeClasses(styles.line, highlighted && styles.highlighted)}
                  />
                </g>
              );
            })}
          </svg>
        )}
        {crosshairInWindow ? (
          <svg className={styles.crosshair} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
            <path
              d={`M${crosshairInWindow.x} 0V1M0 ${crosshairInWindow.y}H1`}
              stroke="currentColor"
              strokeWidth="2"
              vectorEffect="non-scaling-stroke"
            />
          </svg>
        ) : null}
        {marks.map((mark, index) => {
          const windowPosition = toWindow(pictureWindow, mark);
          const isVisible =
            windowPosition.x >= 0 && windowPosition.x <= 1 && windowPosition.y >= 0 && windowPosition.y <= 1;
          return isVisible ? (
            <PlanMarkButton
              // Marks have no ids.
              key={index}
              windowPosition={windowPosition}
              mark={mark}
              zoom={pictureWindow.zoom}
              badge={mark.badge}
              label={mark.label}
              failed={mark.failed}
              describedBy={hintId}
              toMark={toMark}
              onMove={(movedMark) => move(index, movedMark)}
              onRemove={() => remove(index)}
            />
          ) : null;
        })}
      </div>
      <div className={styles.zoom}>
        {(['+', '-'] as const).map((key) => (
          <Button
            key={key}
            className={styles.zoomButton}
            aria-label={t(key === '+' ? 'tour.zoomIn' : 'tour.zoomOut')}
            onClick={() => setPictureWindow((current) => zoomKeys[key]?.(current) ?? current)}
          >
            <span aria-hidden="true">{key === '+' ? '+' : '−'}</span>
          </Button>
        ))}
        <Button className={styles.zoomButton} onClick={() => setPictureWindow(wholePicture)}>
          {t('tour.plan.whole')}
        </Button>
      </div>
      <p className={adminStyles.note} role="alert">
        {failedImage === plan.address ? t('tour.plan.imageFailed') : null}
      </p>
      <p id={hintId} className={adminStyles.note}>
        {hintText}
      </p>
      <p className={adminStyles.note} role="status">
        {crosshair ? t('tour.plan.crosshair', { x: crosshair.x, y: crosshair.y }) : null}
      </p>
    </div>
  );
}
