import { useRef, type KeyboardEvent, type MouseEvent } from 'react';
import { makeStyles, mergeClasses } from '#core/ui';
import type { LabelAnchor, SiteShapeProps } from '#plugins/tour';
import { Label } from './label.tsx';
import { computeMarkOpacity } from './mark-opacity.ts';
import { projectLine, type Pixel } from './project-line.ts';
import { useSurfaceScope } from './surface-context.ts';

const useStyles = makeStyles({
  root: { color: '#ff9d5c' },
  active: {
    pointerEvents: 'auto',
    cursor: 'pointer',
    outlineStyle: 'none',
    ':focus-visible': { filter: 'drop-shadow(0 0 2px #fff) drop-shadow(0 0 2px #fff)' },
  },
  // A bright line with a dark edge is visible on pictures of any brightness, in every theme.
  edge: {
    fill: 'none',
    stroke: 'rgba(0, 0, 0, 0.65)',
    strokeWidth: '6px',
    strokeLinejoin: 'round',
    strokeLinecap: 'round',
  },
  line: { fill: 'none', stroke: 'currentColor', strokeWidth: '3px', strokeLinejoin: 'round', strokeLinecap: 'round' },
  area: { fill: 'color-mix(in srgb, currentColor 18%, transparent)' },
  dot: { fill: 'currentColor', stroke: 'rgba(0, 0, 0, 0.75)', strokeWidth: '2px' },
});

/** Maximum number of points tested for occlusion. Testing all points of a curve takes longer than a frame. */
const maxProbes = 4;
/** Maximum movement of a click in pixels. Pictures use the same value. */
const maxClickMovePx = 4;

/**
 * Points, a line or an area of the site on the current surface. Renders nothing while it is completely behind the eye.
 */
export function SiteShape({
  id,
  points,
  closed = false,
  filled = false,
  arrow = false,
  dots = points.length === 1,
  children,
  className,
  label,
  labelAt = 'right',
  rank,
  onActivate,
}: SiteShapeProps) {
  const styles = useStyles();
  const { surface, tools } = useSurfaceScope();
  const pressedPixel = useRef<Pixel>(undefined);
  const lines = projectLine(points, closed, (point) => surface.toPixel(point));
  const pixels = lines.flat();
  const [first] = pixels;
  if (!first) return null;
  const isOccluded = points
    .filter((_, index) => index % Math.ceil(points.length / maxProbes) === 0)
    .every((point) => !surface.sees(point));
  const isProminent = rank === 'chosen' || rank === 'making';
  const unclipped = lines.length === 1;
  const path = lines
    .filter((line) => line.length > 1)
    .map((line) => `M${line.map(formatPixel).join('L')}${closed && unclipped ? 'Z' : ''}`)
    .join('');
  const arrowHead = arrow && unclipped ? formatArrowHead(pixels) : '';
  const dotPixels = points.flatMap((point) => surface.toPixel(point) ?? []);
  const activate = (event: MouseEvent | KeyboardEvent): void => {
    event.stopPropagation();
    onActivate?.();
  };
  const buttonProps = onActivate
    ? ({
        role: 'button',
        tabIndex: 0,
        'aria-label': label,
        onPointerDown: ({ clientX: x, clientY: y }: MouseEvent) => (pressedPixel.current = { x, y }),
        // A drag of the picture that began on the shape ends with a click on the shape. Clicks of screen readers have
        // the detail 0.
        onClick: (event: MouseEvent) => {
          const start = pressedPixel.current;
          const isDrag =
            event.detail > 0 && start && Math.hypot(event.clientX - start.x, event.clientY - start.y) >= maxClickMovePx;
          if (!isDrag) activate(event);
        },
        onKeyDown: (event: KeyboardEvent) => {
          if (event.key !== 'Enter' && event.key !== ' ') return;
          event.preventDefault();
          activate(event);
        },
      } as const)
    : ({ 'aria-hidden': true } as const);
  return (
    <g
      {...buttonProps}
      className={mergeClasses(styles.root, onActivate && styles.active, className)}
      opacity={computeMarkOpacity(points, { eye: isProminent ? undefined : tools.position, occluded: isOccluded })}
    >
      {path ? <path className={styles.edge} d={path + arrowHead} /> : null}
      {path ? <path className={mergeClasses(styles.line, filled && styles.area)} d={path + arrowHead} /> : null}
      {children ? <g transform={`translate(${formatPixel(first)})`}>{children}</g> : null}
      {dots && !children
        ? dotPixels.map(({ x, y }, index) => (
            // Two points may have the same pixel, so the index is the only key.
            <circle key={index} className={styles.dot} cx={x} cy={y} r={rank === 'chosen' ? 6 : 5} />
          ))
        : null}
      {label ? (
        <Label
          id={id}
          text={label}
          anchor={computeAnchor(pixels, first, labelAt)}
          point={points[0]}
          rank={rank ?? (isOccluded ? 'behind' : 'usual')}
        />
      ) : null}
    </g>
  );
}

const formatPixel = ({ x, y }: Pixel): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

function computeAnchor(pixels: readonly Pixel[], first: Pixel, labelAt: SiteShapeProps['labelAt']): LabelAnchor {
  const right = pixels.reduce((rightmost, pixel) => (pixel.x > rightmost.x ? pixel : rightmost), first);
  if (labelAt === 'middle' && pixels.length > 1)
    return {
      mode: 'over',
      x: pixels.reduce((sum, { x }) => sum + x, 0) / pixels.length,
      y: pixels.reduce((sum, { y }) => sum + y, 0) / pixels.length,
      from: Math.min(...pixels.map(({ x }) => x)),
      to: right.x,
    };
  const { x, y } = labelAt === 'first' ? first : right;
  return { mode: 'beside', x, y };
}

/** Formats the two strokes of an arrow head at the last pixel. */
function formatArrowHead(pixels: readonly Pixel[]): string {
  const [tail, head] = pixels.slice(-2);
  if (!tail || !head) return '';
  const angle = Math.atan2(head.y - tail.y, head.x - tail.x);
  const computeStrokeEnd = (turn: number): Pixel => ({
    x: head.x - 16 * Math.cos(angle + turn),
    y: head.y - 16 * Math.sin(angle + turn),
  });
  return `M${formatPixel(computeStrokeEnd(0.45))}L${formatPixel(head)}L${formatPixel(computeStrokeEnd(-0.45))}`;
}
