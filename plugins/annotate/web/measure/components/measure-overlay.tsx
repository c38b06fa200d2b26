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
  // A white line with a dark edge is visible on pictures of any brightness.
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
  text: {
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

/** Draws the saved measurements and the current measurement over one surface. */
export const MeasureOverlay = observer(function MeasureOverlay({
  surface,
  main,
  Label,
  computeOpacity,
}: SurfaceOverlayProps) {
  const styles = useStyles();
  const t = useText();
  const measureStore = useService(MeasureStore);
  const { language } = useService(I18n);
  const { measurementDraft, filteredItems, overlayVisible, unit, selected } = measureStore;
  useSurfaceFrames(surface);
  const crosshair = useSurfaceInput(surface, measurementDraft, measurementDraft.kind !== undefined, main);
  const { kind, points, hoverPoint, preview } = measurementDraft;
  const { width, height } = surface.host.getBoundingClientRect();
  return (
    <g aria-hidden="true" data-testid="annotate-overlay" data-points={points.length}>
      {(overlayVisible ? filteredItems : []).map(({ uid, kind: savedKind, points: savedPoints, result }) => (
        <MeasurementShape
          key={uid}
          uid={uid}
          surface={surface}
          kind={savedKind}
          points={savedPoints}
          text={formatMeasurement(savedKind, savedPoints, result)}
          Label={Label}
          computeOpacity={computeOpacity}
          chosen={uid === selected}
        />
      ))}
      {kind ? (
        <MeasurementShape
          uid="making"
          surface={surface}
          kind={kind}
          points={hoverPoint ? [...points, hoverPoint] : points}
          text={formatMeasurement(kind, hoverPoint ? [...points, hoverPoint] : points, preview)}
          Label={Label}
          computeOpacity={computeOpacity}
          chosen
          atCursor
        />
      ) : null}
      {measurementDraft.willSnap && hoverPoint ? <SnapMark surface={surface} point={hoverPoint.point} /> : null}
      {measurementDraft.isPicking && kind === 'DIAMETER' ? (
        <text className={styles.text} x={width / 2} y={height / 2 - 24} textAnchor="middle">
          {t('annotate.fitting')}
        </text>
      ) : null}
      {crosshair ? <Crosshair surface={surface} /> : null}
    </g>
  );

  function formatMeasurement(
    measuredKind: MeasurementKind,
    measuredPoints: readonly StoredPoint[],
    result: MeasurementResult | undefined,
  ): string {
    const text = result ? formatResult(measuredKind, measuredPoints, result, { language, unit }) : '';
    // A diameter is drawn as a single point, so its label must show the kind.
    if (measuredKind !== 'DIAMETER' || text === '') return text;
    const nps = result?.details['nps'];
    return `Ø\u00a0${text}${typeof nps === 'string' ? ` · NPS\u00a0${nps}` : ''}`;
  }
});

/** Marks the earlier point to which a click would snap. The label is below the mark, because values are above lines. */
function SnapMark({ surface, point }: { readonly surface: ViewSurface; readonly point: Point3 }) {
  const styles = useStyles();
  const t = useText();
  const pixel = surface.toPixel(point);
  if (!pixel) return null;
  const { x, y } = pixel;
  return (
    <g data-testid="snap-mark">
      <rect className={styles.snap} x={x - 10} y={y - 10} width={20} height={20} />
      <text className={styles.text} x={x} y={y + 26} textAnchor="middle">
        {t('annotate.snapMark')}
      </text>
    </g>
  );
}

interface MeasurementShapeProps extends Pick<SurfaceOverlayProps, 'Label' | 'computeOpacity'> {
  readonly uid: string;
  readonly surface: ViewSurface;
  readonly kind: MeasurementKind;
  readonly points: readonly StoredPoint[];
  readonly text: string;
  readonly chosen: boolean;
  /** Whether the label follows the pointer. */
  readonly atCursor?: boolean;
}

function MeasurementShape({
  Label,
  computeOpacity,
  uid,
  surface,
  kind,
  points,
  text,
  chosen,
  atCursor = false,
}: MeasurementShapeProps) {
  const styles = useStyles();
  const pixels = points.map(({ point, edge }) => ({
    pixel: surface.toPixel(point),
    edge,
    visible: surface.sees(point),
  }));
  const pixelsInView = pixels.flatMap(({ pixel, edge, visible }) => (pixel ? [{ ...pixel, edge, visible }] : []));
  const firstPixel = pixelsInView[0];
  if (!firstPixel) return null;
  // No line is drawn to a point behind the eye, because the line would have the wrong direction.
  const allInView = pixelsInView.length === pixels.length;
  const closed = kind === 'AREA' && points.length > 2;
  const path =
    allInView && pixelsInView.length > 1
      ? `M${pixelsInView.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${closed ? 'Z' : ''}`
      : undefined;
  const lastPixel = pixelsInView.at(-1) ?? firstPixel;
  const middle = {
    x: pixelsInView.reduce((sum, { x }) => sum + x, 0) / pixelsInView.length,
    y: pixelsInView.reduce((sum, { y }) => sum + y, 0) / pixelsInView.length,
  };
  // The label is above a flat line and next to a steep line, so that it does not cover the measured object.
  const computeAnchor = (): LabelAnchor => {
    if (atCursor || pixelsInView.length === 1) return { x: lastPixel.x, y: lastPixel.y, mode: 'beside' };
    if (kind === 'ANGLE') {
      const { x, y } = pixelsInView[1] ?? firstPixel;
      return { x, y, mode: 'beside' };
    }
    const isSteep = !closed && Math.abs(lastPixel.y - firstPixel.y) > Math.abs(lastPixel.x - firstPixel.x);
    if (isSteep) return { ...middle, mode: 'beside', level: true };
    const xs = pixelsInView.map(({ x }) => x);
    return { ...middle, mode: 'over', from: Math.min(...xs), to: Math.max(...xs) };
  };
  const behind = pixelsInView.every(({ visible }) => !visible);
  return (
    <g data-item={uid} opacity={computeOpacity(chosen ? [] : points.map(({ point }) => point), behind)}>
      {path ? <path className={styles.edge} d={path} /> : null}
      {path ? (
        <path className={mergeClasses(styles.line, chosen && styles.chosen, closed && styles.area)} d={path} />
      ) : null}
      {pixelsInView.map(({ x, y, edge }, index) => (
        // A chain may contain a point twice, so only the index is a unique key.
        <circle
          key={index}
          className={mergeClasses(styles.point, edge && styles.atEdge)}
          cx={x}
          cy={y}
          r={chosen ? 5 : 4}
        />
      ))}
      {text ? (
        <Label
          id={`measurement ${uid}`}
          text={text}
          anchor={computeAnchor()}
          point={points[0]?.point}
          rank={atCursor ? 'making' : chosen ? 'chosen' : behind ? 'behind' : 'usual'}
        />
      ) : null}
    </g>
  );
}
