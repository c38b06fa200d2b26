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
  // The colours lie over a photo, whose brightness no theme knows: a white line on a dark one is seen on both.
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
  readonly canvas: RefObject<HTMLDivElement | null>;
  /** The first corner of the edited area. */
  readonly firstCorner: RefObject<HTMLButtonElement | null>;
  readonly draft: AreasDraft;
  /** Address of the navigation image. */
  readonly image: string;
  readonly alt: string;
  readonly findName: (location: string) => string;
}

/** The navigation image with its areas. Outlines are drawn here, and corners moved, by pointer or keyboard. */
export const AreasCanvas = observer(function AreasCanvas({
  canvas,
  firstCorner,
  draft,
  image,
  alt,
  findName,
}: AreasCanvasProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const hint = useId();
  const [failedImage, setFailedImage] = useState<string>();
  const [crosshair, setCrosshair] = useState<Corner>([0.5, 0.5]);
  const [hasCrosshair, setHasCrosshair] = useState(false);
  const [pointer, setPointer] = useState<Corner>();
  const { areas, drawing, edited } = draft;
  const corners = useRef<(HTMLButtonElement | null)[]>([]);
  /** Receives the focus when it is rendered. */
  const addedCorner = useRef<number>(undefined);
  useEffect(() => {
    if (addedCorner.current === undefined) return;
    corners.current[addedCorner.current]?.focus();
    addedCorner.current = undefined;
  });
  const editedArea = areas.find(({ location }) => location === edited);

  const toCorner = ({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Corner => {
    const { left, top, width, height } = canvas.current!.getBoundingClientRect();
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
    const step = findCornerStep(event, crosshair);
    if (step) {
      setCrosshair(step);
      setHasCrosshair(true);
      setPointer(undefined);
    } else if (event.key === ' ') {
      setHasCrosshair(true);
      draft.addCorner(crosshair);
    } else if (event.key === 'Enter') draft.close();
    else if (event.key === 'Escape' || event.key === 'Backspace') draft.removeLastCorner();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const drawnCorners = drawing?.corners ?? [];
  const end = hasCrosshair ? crosshair : pointer;
  const preview = drawnCorners.length > 0 && end ? [...drawnCorners, end] : drawnCorners;
  const [first] = drawnCorners;
  const toValues = ([x, y]: Corner) => ({ x, y });

  return (
    <div>
      <div
        ref={canvas}
        className={mergeClasses(styles.root, drawing && styles.drawing)}
        {...(drawing
          ? {
              role: 'application',
              tabIndex: 0,
              'aria-label': t('locations.areas.drawingOf', { name: findName(drawing.location) }),
              'aria-describedby': hint,
              onClick: addByClick,
              onKeyDown: handleKeyDown,
              onPointerMove: (event) => event.pointerType === 'mouse' && setPointer(toCorner(event)),
              onPointerLeave: () => setPointer(undefined),
            }
          : {})}
      >
        <img
          className={styles.picture}
          src={image}
          alt={alt}
          width={1980}
          height={1080}
          draggable={false}
          onLoad={() => setFailedImage(undefined)}
          onError={() => setFailedImage(image)}
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
                  edited === location && styles.edited,
                  draft.crossing.has(location) && styles.crossing,
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
          // Corners have no identity of their own.
          <CornerHandle key={index} corner={corner} />
        ))}
        {first ? (
          <CornerHandle
            corner={first}
            {...(drawnCorners.length < minCorners
              ? {}
              : { label: t('locations.areas.close'), onClick: () => draft.close() })}
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
                    ...toValues(corner),
                  })}
                  describedBy={hint}
                  buttonRef={index === 0 ? firstCorner : (element) => void (corners.current[index] = element)}
                  onMove={(movedCorner) => draft.moveCorner(index, movedCorner)}
                  onDrag={(event) => draft.moveCorner(index, toCorner(event))}
                  onDelete={() => draft.deleteCorner(index)}
                  onLeave={() => draft.edit(undefined)}
                />
                <EdgeHandle
                  from={corner}
                  to={editedArea.polygon[(index + 1) % editedArea.polygon.length]!}
                  label={t('locations.areas.addCorner', { number: index + 1 })}
                  describedBy={hint}
                  onAdd={(middle) => {
                    if (draft.insertCorner(index + 1, middle)) addedCorner.current = index + 1;
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
        {failedImage === image ? t('locations.unit.pictureFailed') : null}
      </p>
      <p id={hint} className={adminStyles.note}>
        {drawing ? t('locations.areas.drawHint') : editedArea ? t('locations.areas.cornerHint') : null}
      </p>
      <p className={adminStyles.note} role="status">
        {drawing
          ? `${t('locations.areas.corners', { count: drawnCorners.length })}${hasCrosshair ? ` · ${t('locations.areas.place', toValues(crosshair))}` : ''}`
          : null}
      </p>
    </div>
  );
});

const toPoints = (corners: readonly Corner[]): string => corners.map((corner) => corner.join(',')).join(' ');
