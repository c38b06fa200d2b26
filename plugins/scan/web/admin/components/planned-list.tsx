import { Checkbox, makeStyles, tokens } from '#core/ui';
import { useText } from '#core/web';
import type { PlannedViewpoint } from '../../../contract/api/admin.ts';

const useStyles = makeStyles({
  list: { margin: 0, padding: 0, listStyleType: 'none', maxHeight: '50vh', overflowY: 'auto' },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr)',
    contentVisibility: 'auto',
    containIntrinsicSize: 'auto 56px',
    padding: `${tokens.spacingVerticalXS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  details: {
    paddingLeft: tokens.spacingHorizontalXXXL,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
  },
});

interface PlannedListProps {
  readonly planned: readonly PlannedViewpoint[];
  /** Uids of the stations that the person has excluded. */
  readonly excludedStations: ReadonlySet<string>;
  readonly onToggle: (stations: readonly PlannedViewpoint[], isChosen: boolean) => void;
}

/** Lists the stations of a delivery with their planned viewpoints. Stations with a viewpoint cannot be chosen. */
export function PlannedList({ planned, excludedStations, onToggle }: PlannedListProps) {
  const styles = useStyles();
  const t = useText();
  const newViewpoints = planned.filter(({ existing }) => !existing);
  const chosenCount = newViewpoints.filter(({ station }) => !excludedStations.has(station)).length;
  const describe = ({ code, deck, pictureSource, existing }: PlannedViewpoint): string =>
    existing
      ? t('scan.viewpoints.exists', { code: existing.code, metres: existing.distanceMetres })
      : [
          t('scan.viewpoints.code', { code }),
          deck ?? t('scan.viewpoints.noDeck'),
          t(
            pictureSource === 'PHOTO' || pictureSource === 'COLOURS'
              ? `scan.viewpoints.${pictureSource}`
              : 'scan.viewpoints.noPicture',
          ),
        ].join(' · ');
  if (planned.length === 0) return <p>{t('scan.viewpoints.noStations')}</p>;
  return (
    <>
      <Checkbox
        checked={chosenCount === 0 ? false : chosenCount === newViewpoints.length ? true : 'mixed'}
        disabled={newViewpoints.length === 0}
        label={t('scan.viewpoints.all', {
          count: newViewpoints.length,
          existing: planned.length - newViewpoints.length,
        })}
        onChange={(_, { checked }) => onToggle(newViewpoints, checked !== false)}
      />
      <ul className={styles.list}>
        {planned.map((viewpoint) => (
          <li key={viewpoint.station} className={styles.row}>
            <Checkbox
              checked={!viewpoint.existing && !excludedStations.has(viewpoint.station)}
              disabled={viewpoint.existing !== null}
              label={viewpoint.name}
              onChange={(_, { checked }) => onToggle([viewpoint], checked === true)}
            />
            <span className={styles.details}>{describe(viewpoint)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
