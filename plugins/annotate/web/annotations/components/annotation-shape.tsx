import { makeStyles, mergeClasses } from '#core/ui';
import type { Point3 } from '#core';
import type { AnnotationKind, StoredPoint } from '#plugins/annotate';
import type { ViewSurface } from '#plugins/tour';
import { distanceFrom } from '../../components/labels/distance-from.ts';
import { Label } from '../../components/labels/label.tsx';
import { ranks } from '../../components/labels/label-layout.ts';
import type { Box, LabelAnchor } from '../../components/labels/place-label.ts';
import { ellipseWithin } from '../../../common/geometry/facing-box.ts';

const useStyles = makeStyles({
  // Lines stand on pictures of any brightness: a bright line with a dark edge, whatever the theme.
  edge: {
    fill: 'none',
    stroke: 'rgba(0, 0, 0, 0.65)',
    strokeWidth: '6px',
    strokeLinejoin: 'round',
    strokeLinecap: 'round',
  },
  line: { fill: 'none', stroke: '#ff9d5c', strokeWidth: '3px', strokeLinejoin: 'round', strokeLinecap: 'round' },
  done: { stroke: '#8fe39b' },
  chosen: { stroke: '#ffd24d' },
  point: { fill: '#ff9d5c', stroke: 'rgba(0, 0, 0, 0.75)', strokeWidth: '2px' },
  pointDone: { fill: '#8fe39b' },
  pointChosen: { fill: '#ffd24d' },
  behind: { opacity: 0.35 },
});

export interface AnnotationShapeProps {
  readonly uid: string;
  readonly surface: ViewSurface;
  readonly kind: AnnotationKind;
  readonly points: readonly StoredPoint[];
  readonly words: string;
  readonly eye: Point3 | undefined;
  /** The part of the picture that nothing covers. */
  readonly free: Box;
  readonly done: boolean;
  readonly chosen: boolean;
}

/**
 * One annotation where its points in space stand on the surface; faint where something stands before it, nothing where
 * a part lies behind the eye.
 */
export function AnnotationShape({ uid, surface, kind, points, words, eye, free, done, chosen }: AnnotationShapeProps) {
  const styles = useStyles();
  const outline = computeOutline(
    kind,
    points.map(({ point }) => point),
  ).map((point) => surface.toPixel(point));
  const pixels = outline.flatMap((pixel) => (pixel ? [pixel] : []));
  const first = pixels[0];
  if (!first || pixels.length < outline.length) return null;
  const closed = (kind === 'RECTANGLE' || kind === 'ELLIPSE') && points.length === 4;
  const path =
    pixels.length > 1
      ? `M${pixels.map(at).join('L')}${closed ? 'Z' : kind === 'ARROW' ? formatArrowHead(pixels) : ''}`
      : undefined;
  const dots = closed || kind === 'ARROW' ? [] : pixels;
  const right = pixels.reduce((most, pixel) => (pixel.x > most.x ? pixel : most), first);
  const place =
    kind === 'ARROW'
      ? first
      : kind === 'DISTANCE'
        ? {
            x: pixels.reduce((sum, { x }) => sum + x, 0) / pixels.length,
            y: pixels.reduce((sum, { y }) => sum + y, 0) / pixels.length,
          }
        : right;
  const anchor: LabelAnchor = {
    x: place.x,
    y: place.y,
    ...(kind === 'DISTANCE' && pixels.length > 1
      ? { mode: 'over', from: Math.min(...pixels.map(({ x }) => x)), to: right.x }
      : { mode: 'beside' }),
  };
  const behind = points.every(({ point }) => !surface.sees(point));
  return (
    <g className={behind ? styles.behind : undefined} data-kind={kind}>
      {path ? <path className={styles.edge} d={path} /> : null}
      {path ? (
        <path className={mergeClasses(styles.line, done && styles.done, chosen && styles.chosen)} d={path} />
      ) : null}
      {dots.map((pixel, index) => (
        // Two points may fall on one pixel: they have no other name than their number.
        <circle
          key={index}
          className={mergeClasses(styles.point, done && styles.pointDone, chosen && styles.pointChosen)}
          cx={pixel.x}
          cy={pixel.y}
          r={chosen ? 6 : 5}
        />
      ))}
      {/* Colour alone tells nobody that it is done. */}
      {words || done ? (
        <Label
          surface={surface}
          id={`annotation ${uid}`}
          words={done ? `✓ ${words}` : words}
          free={free}
          anchor={anchor}
          rank={uid === 'making' ? ranks.making : chosen ? ranks.chosen : behind ? ranks.behind : ranks.usual}
          distance={distanceFrom(eye, points)}
          chosen={chosen}
        />
      ) : null}
    </g>
  );
}

interface Pixel {
  readonly x: number;
  readonly y: number;
}

const at = ({ x, y }: Pixel): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

function computeOutline(kind: AnnotationKind, points: readonly Point3[]): readonly Point3[] {
  const [a, b, c, d] = points;
  return kind === 'ELLIPSE' && a && b && c && d ? ellipseWithin([a, b, c, d]) : points;
}

/** The two strokes of an arrow's head, at the last pixel. */
function formatArrowHead(pixels: readonly Pixel[]): string {
  const [tail, head] = [pixels[0], pixels[1]];
  if (!tail || !head) return '';
  const angle = Math.atan2(head.y - tail.y, head.x - tail.x);
  const stroke = (turn: number): Pixel => ({
    x: head.x - 16 * Math.cos(angle + turn),
    y: head.y - 16 * Math.sin(angle + turn),
  });
  return `M${at(stroke(0.45))}L${at(head)}L${at(stroke(-0.45))}`;
}
