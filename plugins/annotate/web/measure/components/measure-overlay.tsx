import { observer } from 'mobx-react-lite';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import { I18n, useService, useText } from '#core/web';
import type { Point3 } from '#core';
import type { MeasurementKind, MeasurementResult, StoredPoint } from '#plugins/annotate';
import type { LabelAnchor, SurfaceOverlayProps, ViewSurface } from '#plugins/tour';
import { formatResult } from './format-result.ts';
import { MeasureStore } from '../stores/measure-store.ts';
import { Crosshair } from '../../components/crosshair.tsx';
import { useSurfaceFrames } from '../../components/use-surface-frames.ts';
import { useSurfaceInput } from '../../viewer/use-surface-input.ts';

const useStyles = makeStyles({
  // Pictures have any brightness: a white line with a dark edge is visible on all, in every theme.
  edge: {
    fill: 'none',
    stroke: 'rgba(0, 0, 0, 0.65)',
    strokeWidth: '5px',
    strokeLinejoin: 'round',
    strokeLinecap: 'round',
  },
  line: { fill: 'none', stroke: '#fff', strokeWidth: '2px', strokeLinejoin: 'round', strokeLinecap: 'round' },
  chosen: { stroke: '#ffd24d' },
  area: { fill: 'rgba(255, 255, 255, 0.18)' },
  point: { fill: '#fff', stroke: 'rgba(0, 0, 0, 0.75)', strokeWidth: '2px' },
  atEdge: { fill: '#ffb46b' },
  behind: { opacity: 0.35 },
  words: {
    fill: '#fff',
    stroke: 'rgba(0, 0, 0, 0.8)',
    strokeWidth: '4px',
    paintOrder: 'stroke',
    fontSize: '14px',
    fontFamily: tokens.fontFamilyBase,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  snap: { fill: 'none', stroke: '#ffd24d', strokeWidth: '2px', filter: 'drop-shadow(0 0 1px #000)' },
});

/** Draws the saved measurements and the current one over one surface. */
export const MeasureOverlay = observer(function MeasureOverlay({ surface, main, Label }: SurfaceOverlayProps) {
  const styles = useStyles();
  const t = useText();
  const measureStore = useService(MeasureStore);
  const { language } = useService(I18n);
  const { measuring, shown, drawn, unit, selected } = measureStore;
  useSurfaceFrames(surface);
  const crosshair = useSurfaceInput(surface, measuring, measuring.tool !== undefined, main);
  const { tool, points, hover, preview } = measuring;
  const { width, height } = surface.host.getBoundingClientRect();
  return (
    <g aria-hidden="true" data-testid="annotate-overlay" data-points={points.length}>
      {(drawn ? shown : []).map(({ uid, kind, points: kept, result }) => (
        <Shape
          key={uid}
          uid={uid}
          surface={surface}
          kind={kind}
          points={kept}
          words={formatMeasurement(kind, kept, result)}
          Label={Label}
          chosen={uid === selected}
        />
      ))}
      {tool ? (
        <Shape
          uid="making"
          surface={surface}
          kind={tool}
          points={hover ? [...points, hover] : points}
          words={formatMeasurement(tool, hover ? [...points, hover] : points, preview)}
          Label={Label}
          chosen
          atCursor
        />
      ) : null}
      {measuring.snapping && hover ? <SnapMark surface={surface} point={hover.point} /> : null}
      {measuring.busy && tool === 'DIAMETER' ? (
        <text className={styles.words} x={width / 2} y={height / 2 - 24} textAnchor="middle">
          {t('annotate.fitting')}
        </text>
      ) : null}
      {crosshair ? <Crosshair surface={surface} /> : null}
    </g>
  );

  function formatMeasurement(
    kind: MeasurementKind,
    all: readonly StoredPoint[],
    result: MeasurementResult | undefined,
  ): string {
    const words = result ? formatResult(kind, all, result, { language, unit }) : '';
    // A diameter shows a single point, which does not reveal the kind. Its label does.
    if (kind !== 'DIAMETER' || words === '') return words;
    const nps = result?.details['nps'];
    return `Ø\u00a0${words}${typeof nps === 'string' ? ` · NPS\u00a0${nps}` : ''}`;
  }
});

/**
 * A square around the earlier point that a click would take, with a label below, because values are above their lines.
 */
function SnapMark({ surface, point }: { readonly surface: ViewSurface; readonly point: Point3 }) {
  const styles = useStyles();
  const t = useText();
  const pixel = surface.toPixel(point);
  if (!pixel) return null;
  const { x, y } = pixel;
  return (
    <g data-testid="snap-mark">
      <rect className={styles.snap} x={x - 10} y={y - 10} width={20} height={20} />
      <text className={styles.words} x={x} y={y + 26} textAnchor="middle">
        {t('annotate.snapMark')}
      </text>
    </g>
  );
}

interface ShapeProps extends Pick<SurfaceOverlayProps, 'Label'> {
  readonly uid: string;
  readonly surface: ViewSurface;
  readonly kind: MeasurementKind;
  readonly points: readonly StoredPoint[];
  readonly words: string;
  readonly chosen: boolean;
  /** The label follows the pointer. */
  readonly atCursor?: boolean;
}

function Shape({ Label, uid, surface, kind, points, words, chosen, atCursor = false }: ShapeProps) {
  const styles = useStyles();
  const pixels = points.map(({ point, edge }) => ({ pixel: surface.toPixel(point), edge, seen: surface.sees(point) }));
  const shown = pixels.flatMap(({ pixel, edge, seen }) => (pixel ? [{ ...pixel, edge, seen }] : []));
  const first = shown[0];
  if (!first) return null;
  // A line to a point behind the eye would cross the picture in the wrong direction.
  const whole = shown.length === pixels.length;
  const closed = kind === 'AREA' && points.length > 2;
  const path =
    whole && shown.length > 1
      ? `M${shown.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${closed ? 'Z' : ''}`
      : undefined;
  const last = shown.at(-1) ?? first;
  const middle = {
    x: shown.reduce((sum, { x }) => sum + x, 0) / shown.length,
    y: shown.reduce((sum, { y }) => sum + y, 0) / shown.length,
  };
  const beside = atCursor || shown.length === 1 ? last : kind === 'ANGLE' ? (shown[1] ?? first) : undefined;
  // Label position: above a horizontal line, and next to a vertical one, so that it does not cover what was measured.
  const steep = !closed && Math.abs(last.y - first.y) > Math.abs(last.x - first.x);
  const anchor: LabelAnchor = beside
    ? { x: beside.x, y: beside.y, mode: 'beside' }
    : steep
      ? { ...middle, mode: 'beside', level: true }
      : {
          ...middle,
          mode: 'over',
          from: Math.min(...shown.map(({ x }) => x)),
          to: Math.max(...shown.map(({ x }) => x)),
        };
  const behind = shown.every(({ seen }) => !seen);
  return (
    <g className={behind ? styles.behind : undefined}>
      {path ? <path className={styles.edge} d={path} /> : null}
      {path ? (
        <path className={mergeClasses(styles.line, chosen && styles.chosen, closed && styles.area)} d={path} />
      ) : null}
      {shown.map(({ x, y, edge }, index) => (
        // A chain may contain a point twice. Only the index is a unique key.
        <circle
          key={index}
          className={mergeClasses(styles.point, edge && styles.atEdge)}
          cx={x}
          cy={y}
          r={chosen ? 5 : 4}
        />
      ))}
      {words ? (
        <Label
          id={`measurement ${uid}`}
          text={words}
          anchor={anchor}
          point={points[0]?.point}
          rank={atCursor ? 'making' : chosen ? 'chosen' : behind ? 'behind' : 'usual'}
        />
      ) : null}
    </g>
  );
}
