import { memo } from 'react';
import { makeStyles, mergeClasses, tokens } from '#core/ui';
import type { ContentLink } from '../../../../contract/api/tour-content.ts';
import { handleDistancePx } from '../../stores/find-hit.ts';
import { ceilToStep, type DrawingBox, type DrawingPoint } from '../../stores/plan-frame.ts';

// A white line on a dark line is visible on plans of any brightness.
const useStyles = makeStyles({
  // The plan sets the variable so that the size of a mark does not depend on the zoom.
  constantSize: { transform: 'scale(var(--units-per-px))' },
  shadow: { fill: 'none', stroke: '#000000', strokeOpacity: 0.6, strokeWidth: '4px', strokeLinejoin: 'round' },
  arrow: { fill: '#ffffff', stroke: tokens.colorBrandBackground, strokeWidth: '2px', strokeLinejoin: 'round' },
  withPanorama: { fill: tokens.colorBrandBackground, stroke: '#ffffff' },
  ring: { fill: 'none', stroke: '#ffffff', strokeWidth: '2px' },
  handle: { fill: '#ffffff', stroke: '#000000', strokeWidth: '2px', cursor: 'grab' },
  code: {
    fontSize: '12px',
    fontFamily: tokens.fontFamilyBase,
    fontWeight: tokens.fontWeightSemibold,
    fill: '#000000',
    stroke: '#ffffff',
    strokeWidth: '3px',
    paintOrder: 'stroke',
  },
  wide: { stroke: '#000000', strokeOpacity: 0.5, strokeWidth: '4px', vectorEffect: 'non-scaling-stroke' },
  line: { stroke: '#ffffff', strokeWidth: '2px', vectorEffect: 'non-scaling-stroke' },
  STAIR: { strokeDasharray: '8 3' },
  LADDER: { strokeDasharray: '2 3' },
  proposal: { stroke: tokens.colorBrandBackground, strokeWidth: '3px', strokeDasharray: '6 6' },
  grid: {
    fill: 'none',
    stroke: tokens.colorNeutralStroke1,
    strokeWidth: '1px',
    vectorEffect: 'non-scaling-stroke',
    '@media (forced-colors: active)': { stroke: 'GrayText' },
  },
});

export interface NodeMarkProps extends DrawingPoint {
  /** Degrees clockwise from the upper edge of the drawing. */
  readonly rotation: number;
  /** Shown next to the mark. Undefined if another label is in the way. */
  readonly code: string | undefined;
  readonly selected: boolean;
  readonly hasPanorama: boolean;
  readonly hasHandle: boolean;
}

const arrowPath = 'M0 -12 8 9 0 4 -8 9Z';

/** A viewpoint as an arrow in the direction of its heading, filled if it has a panorama. */
export const NodeMark = memo(function NodeMark({
  x,
  y,
  rotation,
  code,
  selected,
  hasPanorama,
  hasHandle,
}: NodeMarkProps) {
  const styles = useStyles();
  return (
    <g transform={`translate(${x} ${y})`} data-selected={selected || undefined}>
      <g className={styles.constantSize}>
        {selected ? (
          <>
            <circle r={16} className={styles.shadow} />
            <circle r={16} className={styles.ring} />
          </>
        ) : null}
        <g transform={`rotate(${rotation})`}>
          {hasHandle ? (
            <>
              <path d={`M0 -16V${-handleDistancePx}`} className={styles.shadow} />
              <path d={`M0 -16V${-handleDistancePx}`} className={styles.ring} />
              <circle cy={-handleDistancePx} r={7} className={styles.handle} />
            </>
          ) : null}
          <path d={arrowPath} className={styles.shadow} />
          <path d={arrowPath} className={mergeClasses(styles.arrow, hasPanorama && styles.withPanorama)} />
        </g>
        {code === undefined ? null : (
          <text x={18} y={4} className={styles.code}>
            {code}
          </text>
        )}
      </g>
    </g>
  );
});

export interface LinkMarkProps {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly kind: ContentLink['kind'];
  readonly isProposal: boolean;
}

/** A link as a line, dashed if it is only proposed. */
export const LinkMark = memo(function LinkMark({ kind, isProposal, ...ends }: LinkMarkProps) {
  const styles = useStyles();
  return (
    <>
      <line {...ends} className={styles.wide} />
      <line
        {...ends}
        data-link={isProposal ? 'proposed' : kind}
        className={mergeClasses(styles.line, kind !== 'WALK' && styles[kind], isProposal && styles.proposal)}
      />
    </>
  );
});

const maxGridLines = 24;

export interface GridMarkProps {
  readonly box: DrawingBox;
  /** Metres per unit. `east` and `north` are the site coordinates of the origin of the drawing. */
  readonly scale: number;
  readonly east: number;
  readonly north: number;
}

/** Lines at round coordinates of the site. */
export function GridMark({ box, scale, east, north }: GridMarkProps) {
  const styles = useStyles();
  const step = ceilToStep((Math.max(box.width, box.height) * scale) / maxGridLines);
  const listLines = (origin: number, sign: 1 | -1, from: number, length: number): readonly number[] => {
    const values = [origin + sign * from * scale, origin + sign * (from + length) * scale];
    const firstLine = Math.ceil(Math.min(...values) / step);
    const lastLine = Math.floor(Math.max(...values) / step);
    return Array.from(
      { length: Math.max(0, lastLine - firstLine + 1) },
      (_, index) => (sign * ((firstLine + index) * step - origin)) / scale,
    );
  };
  const columns = listLines(east, 1, box.x, box.width).map((x) => `M${x} ${box.y}v${box.height}`);
  const rows = listLines(north, -1, box.y, box.height).map((y) => `M${box.x} ${y}h${box.width}`);
  return <path d={[...columns, ...rows].join('')} className={styles.grid} />;
}
