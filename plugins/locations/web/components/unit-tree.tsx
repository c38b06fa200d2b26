import type { ComponentPropsWithoutRef } from 'react';
import { Link } from 'react-router-dom';
import type { LocationNode } from '#core';
import { Badge, makeStyles, mergeClasses, Text, tokens } from '#core/ui';
import { useText } from '#core/web';
import type { UnitTarget } from '../stores/use-unit-target.ts';

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
  highlighted: { backgroundColor: tokens.colorBrandBackground2, border: `1px solid ${tokens.colorBrandStroke1}` },
  text: { display: 'grid' },
  details: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    justifyContent: 'end',
    columnGap: tokens.spacingHorizontalM,
  },
  quiet: { color: tokens.colorNeutralForeground3 },
});

export interface UnitTreeProps {
  readonly locations: readonly LocationNode[];
  readonly findTarget: (uid: string) => UnitTarget;
  readonly highlighted: string | undefined;
  readonly onHighlight: (uid: string | undefined) => void;
  readonly nested?: boolean;
}

/** The descendants of a location. Units with a URL are links. Units without a tour are marked. */
export function UnitTree({ locations, findTarget, highlighted, onHighlight, nested = false }: UnitTreeProps) {
  const styles = useStyles();
  const t = useText();
  return (
    <ul className={mergeClasses(styles.list, nested && styles.inner)}>
      {locations.map((location) => {
        const { url, isEmpty } = findTarget(location.uid);
        return (
          <li key={location.uid}>
            <UnitLink
              to={url}
              className={mergeClasses(styles.link, highlighted === location.uid && styles.highlighted)}
              onPointerEnter={() => onHighlight(location.uid)}
              onPointerLeave={() => onHighlight(undefined)}
              onFocus={() => onHighlight(location.uid)}
              onBlur={() => onHighlight(undefined)}
            >
              <span className={styles.text}>
                <Text weight="semibold">{location.name}</Text>
                {location.label !== location.name && location.label !== '' && (
                  <Text size={200} className={styles.quiet}>
                    {location.label}
                  </Text>
                )}
              </span>
              <span className={styles.details}>
                {isEmpty ? (
                  <Text size={200} className={styles.quiet}>
                    {t('locations.unit.noTour')}
                  </Text>
                ) : null}
                <Badge appearance="tint" color="informative">
                  {t(`locations.type.${location.locationType}`)}
                </Badge>
              </span>
            </UnitLink>
            {location.children.length > 0 && (
              <UnitTree
                locations={location.children}
                findTarget={findTarget}
                highlighted={highlighted}
                onHighlight={onHighlight}
                nested
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The row of a unit. It is a link if the unit has a URL. */
function UnitLink({ to, ...props }: { readonly to: string | undefined } & Omit<ComponentPropsWithoutRef<'a'>, 'href'>) {
  const { className, children } = props;
  return to === undefined ? <div className={className}>{children}</div> : <Link to={to} {...props} />;
}
