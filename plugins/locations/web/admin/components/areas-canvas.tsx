import { observer } from 'mobx-react-lite';
import {
  Fragment,
  useEffect,
  useId,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
} from 'react';
import { computeCentre, minCorners } from '#core';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import type { Corner } from '../../../contract/index.ts';
import type { AreasDraft } from '../stores/areas-draft.ts';
import { findCornerStep } from '../stores/find-corner-step.ts';
import { CornerHandle } from './corner-handle.tsx';
import { EdgeHandle } from './edge-handle.tsx';

const useStyles = makeStyles({
  root: { position: 'relative', margin: 0, borderRadius: tokens.borderRadiusLarge },
  drawing: {
    cursor: 'crosshair',
    touchAction: 'manipulation',
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '2px' },
  },
  picture: {
    display: 'block',
    width: '100%',
    height: 'auto',
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground4,
  },
  shapes: { position: 'absolute', inset: 0, width: '100%', height: '100%', overflow: 'visible' },
  // The picture can be bright or dark in any theme. A white line on a dark line is visible on both.
  shadow: {
    fill: 'none',
    stroke: '#000000',
    strokeOpacity: 0.6,
    strokeWidth: '4px',
    vectorEffect: 'non-scaling-stroke',
  },
  line: { fill: 'rgba(255, 255, 255, 0.1)', stroke: '#ffffff', strokeWidth: '2px', vectorEffect: 'non-scaling-stroke' },
  selectable: { cursor: 'pointer', ':hover': { fill: 'rgba(255, 255, 255, 0.35)' } },
  edited: { fill: 'rgba(255, 255, 255, 0.3)' },
  crossing: { stroke: '#ff9a9a', strokeDasharray: '6 4' },
  passive: { pointerEvents: 'none' },
  name: {
    position: 'absolute',
    transform: 'translate(-50%, -50%)',
    maxWidth: '40%',
    padding: `0 ${tokens.spacingHorizontalXS}`,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    pointerEvents: 'none',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    borderRadius: tokens.borderRadiusSmall,
  },
  crosshair: { stroke: '#ffffff', strokeWidth: '1px', vectorEffect: 'non-scaling-stroke' },
});

export interface AreasCanvasProps {
  readonly canvasRef: RefObject<HTMLDivElement | null>;
  /** The first corner of the edited area. */
  readonly firstCornerRef: RefObject<HTMLButtonElement | null>;
  readonly draft: AreasDraft;
  /** URL of the navigation image. */
  readonly imageUrl: string;
  readonly alt: string;
  readonly findName: (location: string) => string;
}

/** The navigation image with its areas. Outlines are drawn here, and corners moved, by pointer or keyboard. */
export const AreasCanvas = observer(function AreasCanvas({
  canvasRef,
  firstCornerRef,
  draft,
  imageUrl,
  alt,
  findName,
}: AreasCanvasProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const hintId = useId();
  const [failedImage, setFailedImage] = useState<string>();
  const [crosshair, setCrosshair] = useState<Corner>([0.5, 0.5]);
  const [hasCrosshair, setHasCrosshair] = useState(false);
  const [pointer, setPointer] = useState<Corner>();
  const { areas, drawing, editedLocation } = draft;
  const cornerButtons = useRef<(HTMLButtonElement | null)[]>([]);
  /** Index of a new corner, which receives the focus when it is rendered. */
  const addedCornerIndex = useRef<number>(undefined);
  useEffect(() => {
    if (addedCornerIndex.current === undefined) return;
    cornerButtons.current[addedCornerIndex.current]?.focus();
    addedCornerIndex.current = undefined;
  });
  const editedArea = areas.find(({ location }) => location === editedLocation);

  const toCorner = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Corner => {
    const { left, top, width, height } = canvasRef.current!.getBoundingClientRect();
    return [(clientX - left) / width, (clientY - top) / height];
  };
  const addByClick = (event: MouseEvent): void => {
    const corner = toCorner(event);
    setHasCrosshair(false);
    setCrosshair(corner);
    draft.addCorner(corner);
  };
  const handleKeyDown = (event: KeyboardEvent): void => {
    // The button of the first corner has its own keys.
    if (event.target !== event.currentTarget && event.key !== 'Escape') return;
    const movedCrosshair = findCornerStep(event, crosshair);
    if (movedCrosshair) {
      setCrosshair(movedCrosshair);
      setHasCrosshair(true);
      setPointer(undefined);
    } else if (event.key === ' ') {
      setHasCrosshair(true);
      draft.addCorner(crosshair);
    } else if (event.key === 'Enter') draft.closeOutline();
    else if (event.key === 'Escape' || event.key === 'Backspace') draft.removeLastCorner();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const drawnCorners = drawing?.corners ?? [];
  const previewEnd = hasCrosshair ? crosshair : pointer;
  const preview = drawnCorners.length > 0 && previewEnd ? [...drawnCorners, previewEnd] : drawnCorners;
  const [firstDrawnCorner] = drawnCorners;
  const toMessageValues = ([x, y]: Corner) => ({ x, y });

  return (
    <div>
      <div
        ref={canvasRef}
        className={mergeClasses(styles.root, drawing && styles.drawing)}
        {...(drawing
          ? {
              role: 'application',
              tabIndex: 0,
              'aria-label': t('locations.areas.drawingOf', { name: findName(drawing.location) }),
              'aria-describedby': hintId,
              onClick: addByClick,
              onKeyDown: handleKeyDown,
              onPointerMove: (event) => event.pointerType === 'mouse' && setPointer(toCorner(event)),
              onPointerLeave: () => setPointer(undefined),
            }
          : {})}
      >
        <img
          className={styles.picture}
          src={imageUrl}
          alt={alt}
          width={1980}
          height={1080}
          draggable={false}
          onLoad={() => setFailedImage(undefined)}
          onError={() => setFailedImage(imageUrl)}
        />
        <svg className={styles.shapes} viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">
          {areas.map(({ location, polygon }) => (
            <g key={location}>
              <polygon points={toPoints(polygon)} className={mergeClasses(styles.shadow, styles.passive)} />
              <polygon
                points={toPoints(polygon)}
                className={mergeClasses(
                  styles.line,
                  drawing ? styles.passive : styles.selectable,
                  editedLocation === location && styles.edited,
                  draft.crossingLocations.has(location) && styles.crossing,
                )}
                onPointerDown={() => draft.edit(location)}
              />
            </g>
          ))}
          {preview.length === 0 ? null : (
            <g className={styles.passive}>
              <polyline points={toPoints(preview)} className={styles.shadow} />
              <polyline points={toPoints(preview)} className={styles.line} />
            </g>
          )}
          {drawing && hasCrosshair ? (
            <g className={mergeClasses(styles.crosshair, styles.passive)}>
              <line x1={crosshair[0]} x2={crosshair[0]} y1={0} y2={1} />
              <line x1={0} x2={1} y1={crosshair[1]} y2={crosshair[1]} />
            </g>
          ) : null}
        </svg>
        {areas.map(({ location, polygon }) => {
          const [x, y] = computeCentre(polygon);
          return (
            <span key={location} className={styles.name} style={{ left: `${x * 100}%`, top: `${y * 100}%` }}>
              {findName(location)}
            </span>
          );
        })}
        {drawnCorners.slice(1).map((corner, index) => (
          // Corners have no ids.
          <CornerHandle key={index} corner={corner} />
        ))}
        {firstDrawnCorner ? (
          <CornerHandle
            corner={firstDrawnCorner}
            {...(drawnCorners.length < minCorners
              ? {}
              : { label: t('locations.areas.close'), onClick: () => draft.closeOutline() })}
          />
        ) : null}
        {editedArea && !drawing
          ? editedArea.polygon.map((corner, index) => (
              <Fragment key={index}>
                <CornerHandle
                  corner={corner}
                  label={t('locations.areas.corner', {
                    number: index + 1,
                    count: editedArea.polygon.length,
                    ...toMessageValues(corner),
                  })}
                  describedBy={hintId}
                  buttonRef={index === 0 ? firstCornerRef : (element) => void (cornerButtons.current[index] = element)}
                  onMove={(movedCorner) => draft.moveCorner(index, movedCorner)}
                  onDrag={(event) => draft.moveCorner(index, toCorner(event))}
                  onDelete={() => draft.deleteCorner(index)}
                  onLeave={() => draft.edit(undefined)}
                />
                <EdgeHandle
                  from={corner}
                  to={editedArea.polygon[(index + 1) % editedArea.polygon.length]!}
                  label={t('locations.areas.addCorner', { number: index + 1 })}
                  describedBy={hintId}
                  onAdd={(middle) => {
                    if (draft.insertCorner(index + 1, middle)) addedCornerIndex.current = index + 1;
                  }}
                  onDragStart={(middle) => draft.insertCorner(index + 1, middle)}
                  onDrag={(event) => draft.moveCorner(index + 1, toCorner(event))}
                  onLeave={() => draft.edit(undefined)}
                />
              </Fragment>
            ))
          : null}
      </div>
      <p className={adminStyles.note} role="alert">
        {failedImage === imageUrl ? t('locations.unit.pictureFailed') : null}
      </p>
      <p id={hintId} className={adminStyles.note}>
        {drawing ? t('locations.areas.drawHint') : editedArea ? t('locations.areas.cornerHint') : null}
      </p>
      <p className={adminStyles.note} role="status">
        {drawing
          ? `${t('locations.areas.corners', { count: drawnCorners.length })}${hasCrosshair ? ` · ${t('locations.areas.place', toMessageValues(crosshair))}` : ''}`
          : null}
      </p>
    </div>
  );
});

const toPoints = (corners: readonly Corner[]): string => corners.map((corner) => corner.join(',')).join(' ');
