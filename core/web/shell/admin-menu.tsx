import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { observer } from 'mobx-react-lite';
import { Suspense, useId, useState } from 'react';
import { NavLink } from 'react-router-dom';
import { useText } from '../i18n/use-text.ts';
import { PluginScope } from '../kernel/plugin-scope.tsx';
import { useLoaded } from '../router/loaded.ts';
import type { MenuEntry } from '../router/route-table.ts';
import { ErrorBoundary } from '../router/screen-boundary.tsx';
import { makeStyles, mergeClasses, tokens } from '../ui/base.ts';
import { useAdminSections, type AdminSection } from './admin-groups.ts';

const useStyles = makeStyles({
  nav: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalS}` },
  heading: {
    display: 'flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalS,
    width: '100%',
    minHeight: '36px',
    padding: `0 ${tokens.spacingHorizontalS}`,
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: tokens.colorNeutralForeground2,
    font: 'inherit',
    fontWeight: tokens.fontWeightSemibold,
    textAlign: 'left',
    cursor: 'pointer',
    ':hover': { backgroundColor: tokens.colorNeutralBackground3Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
  openArrow: { transform: 'rotate(90deg)' },
  list: { margin: `0 0 ${tokens.spacingVerticalS}`, padding: 0, listStyleType: 'none' },
  item: {
    position: 'relative',
    display: 'flex',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalS,
    minHeight: '36px',
    padding: `0 ${tokens.spacingHorizontalS} 0 ${tokens.spacingHorizontalXXXL}`,
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { backgroundColor: tokens.colorNeutralBackground3Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '&[aria-current="page"]': {
      backgroundColor: tokens.colorNeutralBackground1,
      fontWeight: tokens.fontWeightSemibold,
      '::before': {
        content: '""',
        position: 'absolute',
        left: tokens.spacingHorizontalM,
        top: '10px',
        bottom: '10px',
        width: '3px',
        borderRadius: tokens.borderRadiusCircular,
        backgroundColor: tokens.colorCompoundBrandStroke,
      },
    },
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
  waiting: {
    height: '16px',
    margin: `10px ${tokens.spacingHorizontalXXXL}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground5,
  },
});

/** The admin menu under collapsible headings. `onSelect` lets a drawer close. */
export default observer(function AdminMenu({ onSelect }: { readonly onSelect?: () => void }) {
  const styles = useStyles();
  const text = useText();
  return (
    <nav className={styles.nav} aria-label={text('core.admin.menu')}>
      {useAdminSections().map((section) => (
        <Section key={section.group.id} section={section} onSelect={onSelect} />
      ))}
    </nav>
  );
});

function Section({
  section: { group, entries },
  onSelect,
}: {
  readonly section: AdminSection;
  readonly onSelect: (() => void) | undefined;
}) {
  const styles = useStyles();
  const text = useText();
  const [open, setOpen] = useState(true);
  const listId = useId();
  return (
    <>
      <button
        type="button"
        className={styles.heading}
        aria-expanded={open}
        aria-controls={listId}
        onClick={() => setOpen(!open)}
      >
        <ChevronRightRegular className={mergeClasses(open && styles.openArrow)} aria-hidden="true" />
        {text(group.title)}
      </button>
      <ul id={listId} className={styles.list} hidden={!open}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <ErrorBoundary name={entry.id} fallback={() => null}>
              <Suspense fallback={<div className={styles.waiting} />}>
                <PluginScope plugin={entry.plugin}>
                  <Item entry={entry} onSelect={onSelect} />
                </PluginScope>
              </Suspense>
            </ErrorBoundary>
          </li>
        ))}
      </ul>
    </>
  );
}

function Item({ entry, onSelect }: { readonly entry: MenuEntry; readonly onSelect: (() => void) | undefined }) {
  const text = useText();
  return (
    <NavLink className={useStyles().item} to={entry.url} onClick={onSelect}>
      {entry.icon === undefined ? null : <ItemIcon name={entry.id} load={entry.icon} />}
      {text(entry.title)}
    </NavLink>
  );
}

function ItemIcon({ name, load }: { readonly name: string; readonly load: NonNullable<MenuEntry['icon']> }) {
  const Icon = useLoaded(`${name}/icon`, load);
  return <Icon />;
}
