import { observer } from 'mobx-react-lite';
import { Button, makeStyles, ToggleButton, tokens } from '#core/ui';
import { useAdminStyles } from '#core/ui-data';
import { useText } from '#core/web';
import { maxWallPoints, maxWalls } from '../../../../contract/values/content-values.ts';
import { useSiteLengths } from '../../stores/site-lengths.ts';
import type { WallEdits } from '../../stores/use-wall-edits.ts';
import { computeWallLength, sumWallLengths } from '../../stores/wall-edits.ts';
import { RemoveIcon } from '../plan/plan-icons.tsx';

const useStyles = makeStyles({
  list: {
    display: 'grid',
    gap: tokens.spacingVerticalXS,
    maxHeight: '50vh',
    margin: 0,
    padding: '2px',
    overflowY: 'auto',
    listStyleType: 'none',
  },
  row: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalXS },
  wall: {
    flexGrow: 1,
    justifyContent: 'space-between',
    minWidth: 0,
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
  length: { marginLeft: 'auto', fontVariantNumeric: 'tabular-nums', fontWeight: tokens.fontWeightRegular },
  button: { '@media (pointer: coarse)': { minWidth: '44px', minHeight: '44px' } },
});

export interface WallListProps {
  /** Uid of a location of the site. */
  readonly location: string;
  readonly edits: WallEdits;
  readonly busy: boolean;
}

export const WallList = observer(function WallList({ location, edits, busy }: WallListProps) {
  const t = useText();
  const styles = useStyles();
  const adminStyles = useAdminStyles();
  const { walls, selected, isFull } = edits;
  const lengths = useSiteLengths(location);
  const formatLength = (metres: number): string => lengths.length(metres, { decimals: 2, fixed: true });
  return (
    <div className={adminStyles.form}>
      <div className={adminStyles.actions}>
        <Button className={styles.button} disabledFocusable={busy} onClick={edits.beginWall}>
          {t('tour.walls.new')}
        </Button>
        <Button className={styles.button} disabledFocusable={busy || !edits.canUndo} onClick={edits.undo}>
          {t('tour.walls.undo')}
        </Button>
      </div>
      <p className={adminStyles.note} role="status">
        {isFull
          ? t('tour.walls.full', { points: maxWallPoints, walls: maxWalls })
          : selected !== undefined
            ? t('tour.walls.drawing', { number: selected })
            : t(walls.length === 0 ? 'tour.walls.none' : 'tour.walls.choose')}
      </p>
      {walls.length === 0 ? null : (
        <>
          <ul className={styles.list} aria-label={t('tour.walls.list')}>
            {walls.map((wall) => (
              <li key={wall.number} className={styles.row}>
                <ToggleButton
                  className={styles.wall}
                  checked={wall.number === selected}
                  onClick={() => edits.select(wall.number === selected ? undefined : wall.number)}
                >
                  {t('tour.walls.wall', { number: wall.number })}
                  <span className={styles.length}>{formatLength(computeWallLength(wall))}</span>
                </ToggleButton>
                <Button
                  className={styles.button}
                  appearance="subtle"
                  icon={<RemoveIcon />}
                  disabledFocusable={busy}
                  aria-label={t('tour.walls.remove', { number: wall.number })}
                  onClick={() => edits.removeWall(wall.number)}
                />
              </li>
            ))}
          </ul>
          <p className={adminStyles.note}>
            {t('tour.walls.total')} {formatLength(sumWallLengths(walls))}
          </p>
        </>
      )}
    </div>
  );
});
