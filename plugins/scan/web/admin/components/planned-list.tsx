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
  facts: {
    paddingLeft: tokens.spacingHorizontalXXXL,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
  },
});

interface PlannedListProps {
  readonly planned: readonly PlannedViewpoint[];
  /** Uids of stations that are left out. */
  readonly left: ReadonlySet<string>;
  readonly onToggle: (stations: readonly PlannedViewpoint[], isChosen: boolean) => void;
}

/** The stations of a delivery with the viewpoints that they become. Those that exist cannot be chosen. */
export function PlannedList({ planned, left, onToggle }: PlannedListProps) {
  const styles = useStyles();
  const t = useText();
  const fresh = planned.filter(({ existing }) => !existing);
  const chosenCount = fresh.filter(({ station }) => !left.has(station)).length;
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
        checked={chosenCount === 0 ? false : chosenCount === fresh.length ? true : 'mixed'}
        disabled={fresh.length === 0}
        label={t('scan.viewpoints.all', { count: fresh.length, existing: planned.length - fresh.length })}
        onChange={(_, { checked }) => onToggle(fresh, checked !== false)}
      />
      <ul className={styles.list}>
        {planned.map((each) => (
          <li key={each.station} className={styles.row}>
            <Checkbox
              checked={!each.existing && !left.has(each.station)}
              disabled={each.existing !== null}
              label={each.name}
              onChange={(_, { checked }) => onToggle([each], checked === true)}
            />
            <span className={styles.facts}>{describe(each)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
