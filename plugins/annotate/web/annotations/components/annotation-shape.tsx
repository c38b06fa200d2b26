import { makeStyles, mergeClasses } from '#core/ui';
import type { Point3 } from '#core';
import type { AnnotationKind, StoredPoint } from '#plugins/annotate';
import type { SurfaceOverlayProps } from '#plugins/tour';
import { computeEllipse } from '../../../common/geometry/facing-box.ts';

const useStyles = makeStyles({
  open: { color: '#ff9d5c' },
  done: { color: '#8fe39b' },
  chosen: { color: '#ffd24d' },
});

export interface AnnotationShapeProps extends Pick<SurfaceOverlayProps, 'Shape'> {
  readonly uid: string;
  readonly kind: AnnotationKind;
  readonly points: readonly StoredPoint[];
  readonly text: string;
  readonly done: boolean;
  /** `chosen` for the selected annotation, `making` for the draft. */
  readonly rank: 'usual' | 'chosen' | 'making';
}

/** Draws one annotation at its points in space. */
export function AnnotationShape({ Shape, uid, kind, points, text, done, rank }: AnnotationShapeProps) {
  const styles = useStyles();
  const closed = (kind === 'RECTANGLE' || kind === 'ELLIPSE') && points.length === 4;
  // The status must not be shown by colour alone.
  const label = done ? `✓ ${text}` : text;
  return (
    <g data-item={uid} data-kind={kind}>
      <Shape
        id={`annotation ${uid}`}
        points={computeOutline(
          kind,
          points.map(({ point }) => point),
        )}
        closed={closed}
        arrow={kind === 'ARROW'}
        dots={!closed && kind !== 'ARROW'}
        className={mergeClasses(styles.open, done && styles.done, rank !== 'usual' && styles.chosen)}
        label={label}
        labelAt={kind === 'ARROW' ? 'first' : kind === 'DISTANCE' ? 'middle' : 'right'}
        {...(rank === 'usual' ? {} : { rank })}
      />
    </g>
  );
}

function computeOutline(kind: AnnotationKind, points: readonly Point3[]): readonly Point3[] {
  const [a, b, c, d] = points;
  return kind === 'ELLIPSE' && a && b && c && d ? computeEllipse([a, b, c, d]) : points;
}
