import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../i18n/use-text.ts';
import { PluginScope } from '../../kernel/plugin-scope.tsx';
import { useService } from '../../kernel/use-service.ts';
import type { MenuEntry } from '../../router/route-table.ts';
import { ErrorBoundary } from '../../router/screen-boundary.tsx';
import { Routes } from '../../router/use-menu.ts';
import { makeStyles, tokens } from '../../ui/base.ts';
import { EmptyState, NoAccessActions, PageTitle } from '../../ui/shell.ts';
import { useAdminSections } from '../admin-groups.ts';
import { HomeButton } from './home-button.tsx';

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fill, minmax(min(280px, 100%), 1fr))',
    gap: tokens.spacingHorizontalL,
  },
  section: {
    padding: tokens.spacingHorizontalXL,
    borderRadius: tokens.borderRadiusXLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    backgroundColor: tokens.colorNeutralBackground1,
  },
  title: {
    margin: `0 0 ${tokens.spacingVerticalS}`,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  list: { margin: 0, padding: 0, listStyleType: 'none' },
  link: {
    display: 'flex',
    alignItems: 'center',
    minHeight: '36px',
    color: tokens.colorBrandForegroundLink,
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { textDecorationLine: 'underline' },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '@media (pointer: coarse)': { minHeight: '44px' },
  },
});

/** The screen at `/admin/console` with all admin items of the person, by heading. */
export default observer(function AdminHomeScreen() {
  const styles = useStyles();
  const text = useText();
  const sections = useAdminSections();
  const productHasAdminScreens = useService(Routes).hasMenuItem('admin.sidebar');
  if (sections.length === 0)
    return (
      <EmptyState
        heading="h1"
        title={text(productHasAdminScreens ? 'core.admin.empty' : 'core.admin.none')}
        message={text(productHasAdminScreens ? 'core.admin.emptyHint' : 'core.admin.noneHint')}
        action={
          <>
            <HomeButton label="core.admin.toApplication" />
            {productHasAdminScreens ? <NoAccessActions feature="application" /> : null}
          </>
        }
      />
    );
  return (
    <>
      <PageTitle title={text('core.admin.title')} hint={text('core.admin.hint')} />
      <div className={styles.grid}>
        {sections.map(({ group, entries }) => (
          <section key={group.id} className={styles.section} aria-labelledby={`admin-group-${group.id}`}>
            <h2 id={`admin-group-${group.id}`} className={styles.title}>
              {text(group.title)}
            </h2>
            <ul className={styles.list}>
              {entries.map((entry) => (
                <li key={entry.id}>
                  <ErrorBoundary name={entry.id} fallback={() => null}>
                    <Suspense fallback={null}>
                      <PluginScope plugin={entry.plugin}>
                        <EntryLink entry={entry} />
                      </PluginScope>
                    </Suspense>
                  </ErrorBoundary>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  );
});

function EntryLink({ entry }: { readonly entry: MenuEntry }) {
  const text = useText();
  return (
    <Link className={useStyles().link} to={entry.url}>
      {text(entry.title)}
    </Link>
  );
}
