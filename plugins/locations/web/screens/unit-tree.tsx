import { routes, type LocationNode } from '#core';
import { Badge, makeStyles, mergeClasses, Text, tokens } from '#core/ui';
import { RouteLink, useText } from '#core/web';

const useStyles = makeStyles({
  list: { display: 'grid', gap: tokens.spacingVerticalXS, padding: 0, margin: 0, listStyleType: 'none' },
  inner: { paddingLeft: tokens.spacingHorizontalXL, marginTop: tokens.spacingVerticalXS },
  link: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    gap: tokens.spacingHorizontalM,
    minHeight: '44px',
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    backgroundColor: tokens.colorNeutralBackground1,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
  lit: { backgroundColor: tokens.colorBrandBackground2, border: `1px solid ${tokens.colorBrandStroke1}` },
  words: { display: 'grid' },
  quiet: { color: tokens.colorNeutralForeground3 },
});

export interface UnitTreeProps {
  readonly locations: readonly LocationNode[];
  readonly lit: string | undefined;
  readonly onLit: (uid: string | undefined) => void;
  readonly nested?: boolean;
}

/** What lies in a location, each a link to its tour. */
export function UnitTree({ locations, lit, onLit, nested = false }: UnitTreeProps) {
  const styles = useStyles();
  const t = useText();
  return (
    <ul className={mergeClasses(styles.list, nested && styles.inner)}>
      {locations.map((location) => (
        <li key={location.uid}>
          <RouteLink
            to={routes.tour}
            params={{ location: location.uid }}
            className={mergeClasses(styles.link, lit === location.uid && styles.lit)}
            onPointerEnter={() => onLit(location.uid)}
            onPointerLeave={() => onLit(undefined)}
            onFocus={() => onLit(location.uid)}
            onBlur={() => onLit(undefined)}
          >
            <span className={styles.words}>
              <Text weight="semibold">{location.name}</Text>
              {location.label !== location.name && location.label !== '' && (
                <Text size={200} className={styles.quiet}>
                  {location.label}
                </Text>
              )}
            </span>
            <Badge appearance="tint" color="informative">
              {t(`locations.type.${location.locationType}`)}
            </Badge>
          </RouteLink>
          {location.children.length > 0 && <UnitTree locations={location.children} lit={lit} onLit={onLit} nested />}
        </li>
      ))}
    </ul>
  );
}
