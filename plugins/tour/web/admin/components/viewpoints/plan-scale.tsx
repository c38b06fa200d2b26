import { observer } from 'mobx-react-lite';
import { makeStyles, tokens } from '#core/ui';
import { useFormats, useText } from '#core/web';
import { ceilToStep } from '../../stores/plan-frame.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';

const minBarPx = 50;

const useStyles = makeStyles({
  root: {
    position: 'absolute',
    left: tokens.spacingHorizontalS,
    bottom: tokens.spacingVerticalS,
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalS,
    padding: `${tokens.spacingVerticalXXS} ${tokens.spacingHorizontalS}`,
    pointerEvents: 'none',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    borderRadius: tokens.borderRadiusMedium,
  },
  bar: { height: '4px', borderLeft: '2px solid', borderRight: '2px solid', borderBottom: '2px solid' },
});

export interface PlanScaleProps {
  /** Uid of a location of the site. */
  readonly location: string;
  readonly metresPerPx: number;
  /** Direction of the upper edge, degrees clockwise from north. */
  readonly heading: number;
}

/** The scale of a plan and the direction of north. */
export const PlanScale = observer(function PlanScale({ location, metresPerPx, heading }: PlanScaleProps) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const lengths = useSiteLengths(location);
  const length = ceilToStep(lengths.fromMetres(minBarPx * metresPerPx));
  return (
    <div className={styles.root}>
      <svg
        width="20"
        height="20"
        viewBox="-10 -10 20 20"
        role="img"
        aria-label={t('tour.content.north', { heading: formats.number(heading, 1) })}
      >
        <g transform={`rotate(${-heading})`} fill="currentColor">
          <path d="M0 -9 4 2 0 0 -4 2Z" />
          <path d="M0 9V2" stroke="currentColor" strokeWidth="1.5" />
        </g>
      </svg>
      <span className={styles.bar} style={{ width: `${length / lengths.fromMetres(metresPerPx)}px` }} />
      {t('tour.content.length', { value: formats.number(length, 3), unit: lengths.symbol })}
    </div>
  );
});
