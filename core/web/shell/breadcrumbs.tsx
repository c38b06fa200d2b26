import { ChevronRightRegular } from '@fluentui/react-icons/svg/chevron-right';
import { observer } from 'mobx-react-lite';
import { Suspense } from 'react';
import { Link, matchPath, useLocation } from 'react-router-dom';
import { routeUrl, routes } from '#core';
import { useText } from '../i18n/use-text.ts';
import { PluginScope } from '../kernel/plugin-scope.tsx';
import { Locations, Navigation } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { Routes } from '../router/use-menu.ts';
import { makeStyles, mergeClasses, tokens } from '../ui/base.ts';

const useStyles = makeStyles({
  list: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: tokens.spacingHorizontalXS,
    minHeight: '20px',
    margin: `0 0 ${tokens.spacingVerticalM}`,
    padding: 0,
    listStyleType: 'none',
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    color: tokens.colorNeutralForeground3,
  },
  crumb: { display: 'flex', alignItems: 'center', columnGap: tokens.spacingHorizontalXS },
  link: {
    color: 'inherit',
    textDecorationLine: 'none',
    minHeight: '24px',
    display: 'inline-flex',
    alignItems: 'center',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { color: tokens.colorBrandForegroundLink, textDecorationLine: 'underline' },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  current: { color: tokens.colorNeutralForeground2 },
});

interface Crumb {
  readonly label: string;
  readonly url: string | undefined;
}

/** Breadcrumbs from home to the current screen, with the location's parents. There are none on the home screen. */
export const Breadcrumbs = observer(function Breadcrumbs({ root }: { readonly root: 'home' | 'admin' }) {
  const { pathname } = useLocation();
  const route = useService(Routes).match(pathname);
  const rootRoute = root === 'home' ? routes.home : routes.admin;
  if (route === undefined || route.routeRef.id === rootRoute.id) return null;
  return (
    <Suspense fallback={<CrumbList crumbs={[]} />}>
      <PluginScope plugin={route.plugin}>
        <CrumbPath root={root} title={route.title} routePath={`/${route.routeRef.path}`} />
      </PluginScope>
    </Suspense>
  );
});

const CrumbPath = observer(function CrumbPath({
  root,
  title,
  routePath,
}: {
  readonly root: 'home' | 'admin';
  readonly title: string;
  readonly routePath: string;
}) {
  const text = useText();
  const navigation = useService(Navigation);
  const locations = useService(Locations);
  const { pathname } = useLocation();
  const uid = matchPath({ path: routePath, end: true }, pathname)?.params['location'];
  const locationPath = uid === undefined ? [] : locations.pathTo(uid);
  const rootCrumb: Crumb =
    root === 'home'
      ? { label: text('core.shell.home'), url: navigation.linkTo(routes.home, {}) }
      : { label: text('core.shell.admin'), url: routeUrl(routes.admin, {}) };
  const pathCrumbs: readonly Crumb[] =
    locationPath.length === 0
      ? [{ label: text(title), url: undefined }]
      : locationPath.map((location) => ({
          label: location.name,
          url: navigation.linkTo(routes.location, { location: location.uid }),
        }));
  return <CrumbList crumbs={[rootCrumb, ...pathCrumbs]} />;
});

function CrumbList({ crumbs }: { readonly crumbs: readonly Crumb[] }) {
  const styles = useStyles();
  const text = useText();
  return (
    <nav aria-label={text('core.shell.breadcrumbs')}>
      <ol className={styles.list}>
        {crumbs.map(({ label, url }, index) => {
          const isLast = index === crumbs.length - 1;
          return (
            <li key={`${label} ${url ?? ''}`} className={mergeClasses(styles.crumb, isLast && styles.current)}>
              {index === 0 ? null : <ChevronRightRegular aria-hidden="true" />}
              {isLast || url === undefined ? (
                <span aria-current={isLast ? 'page' : undefined}>{label}</span>
              ) : (
                <Link className={styles.link} to={url}>
                  {label}
                </Link>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
