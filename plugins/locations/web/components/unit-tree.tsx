import type { ComponentPropsWithoutRef } from 'react';
import { Link } from 'react-router-dom';
import type { LocationNode } from '#core';
import { Badge, makeStyles, mergeClasses, Text, tokens } from '#core/ui';
import { useText } from '#core/web';

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
  quiet: { color: tokens.colorNeutralForeground3 },
});

export interface UnitTreeProps {
  readonly locations: readonly LocationNode[];
  /** Returns the address of a unit, or undefined if it has none. */
  readonly addressOfUnit: (uid: string) => string | undefined;
  readonly highlighted: string | undefined;
  readonly onHighlight: (uid: string | undefined) => void;
  readonly nested?: boolean;
}

/** The descendants of a location. Units with an address are links. */
export function UnitTree({ locations, addressOfUnit, highlighted, onHighlight, nested = false }: UnitTreeProps) {
  const styles = useStyles();
  const t = useText();
  return (
    <ul className={mergeClasses(styles.list, nested && styles.inner)}>
      {locations.map((location) => (
        <li key={location.uid}>
          <UnitLink
            to={addressOfUnit(location.uid)}
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
            <Badge appearance="tint" color="informative">
              {t(`locations.type.${location.locationType}`)}
            </Badge>
          </UnitLink>
          {location.children.length > 0 && (
            <UnitTree
              locations={location.children}
              addressOfUnit={addressOfUnit}
              highlighted={highlighted}
              onHighlight={onHighlight}
              nested
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The row of a unit, which is a link if the unit has an address. */
function UnitLink({ to, ...props }: { readonly to: string | undefined } & Omit<ComponentPropsWithoutRef<'a'>, 'href'>) {
  const { className, children } = props;
  return to === undefined ? <div className={className}>{children}</div> : <Link to={to} {...props} />;
}
