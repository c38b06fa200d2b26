import { observer } from 'mobx-react-lite';
import type { AccessFlag } from '#core';
import { Badge, makeStyles, tokens } from '#core/ui';
import { useProductFlags } from '#core/ui-data';
import { Locations, useFormats, useService, useText } from '#core/web';

/** Further locations are only counted. */
const maxNames = 12;

const useStyles = makeStyles({
  root: {
    display: 'grid',
    gap: tokens.spacingVerticalXS,
    padding: tokens.spacingHorizontalL,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground3,
    overflowWrap: 'anywhere',
  },
  title: { margin: 0, fontSize: tokens.fontSizeBase300, fontWeight: tokens.fontWeightSemibold },
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    gap: tokens.spacingHorizontalXS,
    margin: 0,
    padding: 0,
    listStyle: 'none',
  },
  text: { margin: 0 },
  note: { margin: 0, color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase200 },
});

export interface RoleSummaryProps {
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  /** Uids of chosen locations, without their descendants. */
  readonly locations: readonly string[];
}

/** The effective access of a person who has only this role. */
export const RoleSummary = observer(function RoleSummary({ flags, allLocations, locations }: RoleSummaryProps) {
  const styles = useStyles();
  const t = useText();
  const formats = useFormats();
  const tree = useService(Locations);
  const productFlags = useProductFlags();
  const shownFlags = flags.filter((flag) => productFlags.has(flag));
  const names = locations.map(
    (uid) =>
      tree
        .pathTo(uid)
        .map(({ name }) => name)
        .join(' › ') || uid,
  );
  const furtherCount = names.length - maxNames;
  return (
    <section className={styles.root} aria-label={t('roles.effective')}>
      <h2 className={styles.title}>{t('roles.effective')}</h2>
      {shownFlags.length === 0 ? (
        <p className={styles.text}>{t('roles.noFeature')}</p>
      ) : (
        <ul className={styles.list}>
          {shownFlags.map((flag) => (
            <li key={flag}>
              <Badge appearance="tint">{t(`roles.flag.${flag}`)}</Badge>
            </li>
          ))}
        </ul>
      )}
      <p className={styles.text}>
        {allLocations
          ? t('roles.atAll')
          : names.length === 0
            ? t('roles.atNone')
            : t('roles.at', {
                names: names.slice(0, maxNames).join(', '),
                furtherCount: Math.max(furtherCount, 0),
                shown: formats.number(Math.max(furtherCount, 0)),
              })}
      </p>
      <p className={styles.note}>{t('roles.union')}</p>
    </section>
  );
});
