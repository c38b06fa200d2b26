import { useEffect, type ComponentType, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { Navigate, Outlet, Route, Router, Routes as RouterRoutes, useLocation } from 'react-router-dom';
import { routeUrl, basePath, routes } from '#core';
import { Page } from '../kernel/page.ts';
import { Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { buildLoginUrl } from '../session/login-url.ts';
import { GuardedHistory } from './guarded-history.ts';
import { isSignInRoute, type PluginRoute } from './route-table.ts';
import { CoreScreen, LazyCoreScreen, PluginScreen } from './screen.tsx';
import { AppComponentsContext, useAppComponents, type ShellProps, type AppComponents } from './app-components.ts';
import { UnsavedWork } from './unsaved-work.ts';
import { Routes, useRouteAccess } from './use-menu.ts';

const signInRoutes = Object.values(routes).filter(isSignInRoute);

/** All screens of the product under the base path, each in its shell. */
export const AppRoutes = observer(function AppRoutes({ components }: { readonly components: AppComponents }) {
  const history = useService(GuardedHistory);
  const table = useService(Routes);
  const renderRoutes = (audience: PluginRoute['audience']) =>
    table.all
      .filter((route) => route.audience === audience)
      .map((route) => (
        <Route key={route.routeRef.id} path={route.routeRef.path} element={<PluginScreen route={route} />} />
      ));
  return (
    <AppComponentsContext value={components}>
      <Router basename={basePath} location={history.location} navigationType={history.action} navigator={history}>
        <RouterRoutes>
          <Route index element={<OpenSignInPage />} />
          {signInRoutes.map(({ id, path }) => (
            <Route key={id} path={path} element={<OpenSignInPage />} />
          ))}
          <Route path={routes.loading.path} element={<CoreScreen title="core.loading" screen={components.loading} />} />
          <Route
            path={routes.serverError.path}
            element={<CoreScreen title="core.serverError.title" screen={components.serverError} />}
          />
          <Route
            path={routes.forbidden.path}
            element={<CoreScreen title="core.forbidden.title" screen={components.forbidden} />}
          />
          <Route
            path={routes.notFound.path}
            element={<CoreScreen title="core.notFound.title" screen={components.notFound} />}
          />
          <Route element={<RequireSignIn />}>
            <Route path={routes.accountDeactivate.path} element={<InactiveAccount />} />
            <Route element={<RequireActiveAccount />}>
              <Route path={routes.dashboard.path} element={<Navigate to={routeUrl(routes.home, {})} replace />} />
              <Route element={wrapInShell(components.user)}>
                <Route
                  path={routes.noAccess.path}
                  element={<CoreScreen title="core.noAccess.application" screen={NoAccess} />}
                />
                {renderRoutes('user')}
                <Route path="*" element={<CoreScreen title="core.notFound.title" screen={components.notFound} />} />
              </Route>
              <Route element={<AdminShell />}>
                <Route
                  path={routes.admin.path}
                  element={<LazyCoreScreen title="core.admin.title" load={components.adminHome} />}
                />
                {renderRoutes('admin')}
                <Route
                  path={`${routes.admin.path}/*`}
                  element={<CoreScreen title="core.notFound.title" screen={components.notFound} />}
                />
              </Route>
              <Route element={wrapInShell(components.bare)}>{renderRoutes('bare')}</Route>
            </Route>
          </Route>
        </RouterRoutes>
      </Router>
      <LeaveQuestion />
    </AppComponentsContext>
  );
});

/**
 * Loads the sign-in page, a separate page of the build, which serves `/` and the login's URLs. It redirects signed-in
 * people to home.
 */
function OpenSignInPage() {
  const page = useService(Page);
  const { pathname, search } = useLocation();
  const components = useAppComponents();
  const signInUrl = pathname === '/' ? buildLoginUrl({ isAdmin: false }) : pathname + search;
  useEffect(() => page.open(signInUrl), [page, signInUrl]);
  return <components.pending />;
}

/** Redirects an anonymous visitor to the login with the requested URL. */
const RequireSignIn = observer(function SignedIn() {
  const session = useService(Session);
  const page = useService(Page);
  const components = useAppComponents();
  const { pathname, search, hash } = useLocation();
  const isSignedOut = session.state === 'signedOut';
  const table = useService(Routes);
  const loginUrl = buildLoginUrl({
    // Screens of the category DASHBOARD are under /admin, but people who are not admins log in for them too.
    isAdmin: pathname.startsWith(`/${routes.admin.path}`) && table.match(pathname)?.category !== 'DASHBOARD',
    next: pathname + search + hash,
  });
  useEffect(() => {
    if (isSignedOut && !session.leaving) page.open(loginUrl);
  }, [isSignedOut, session, page, loginUrl]);
  return isSignedOut ? <components.pending /> : <Outlet />;
});

const RequireActiveAccount = observer(function ActiveAccount() {
  return useService(Session).state === 'inactive' ? (
    <Navigate to={routeUrl(routes.accountDeactivate, {})} replace />
  ) : (
    <Outlet />
  );
});

const InactiveAccount = observer(function InactiveAccount() {
  const components = useAppComponents();
  return useService(Session).state === 'inactive' ? (
    <CoreScreen title="core.accountDeactivate.title" screen={components.accountDeactivate} />
  ) : (
    <Navigate to={routeUrl(routes.home, {})} replace />
  );
});

function NoAccess() {
  const components = useAppComponents();
  return <components.noAccess area="application" />;
}

function wrapInShell(Shell: ComponentType<ShellProps>, screen: ReactNode = <Outlet />): ReactNode {
  return <Shell>{screen}</Shell>;
}

const AdminShell = observer(function AdminShell() {
  const components = useAppComponents();
  const { pathname } = useLocation();
  const table = useService(Routes);
  if (table.hasAdminScreen(useRouteAccess())) return wrapInShell(components.admin);
  // Without access to any admin screen: the admin home redirects to the application, a plugin's screen says itself
  // which access is missing, and all other URLs show that the area is not accessible.
  const isAdminHome = pathname.replace(/\/$/, '') === routeUrl(routes.admin, {});
  return wrapInShell(
    components.user,
    isAdminHome || table.match(pathname) ? (
      <Outlet />
    ) : (
      <CoreScreen title="core.noAccess.application" screen={NoAccess} />
    ),
  );
});

const LeaveQuestion = observer(function LeaveQuestion() {
  const { question } = useService(UnsavedWork);
  const components = useAppComponents();
  return question ? <components.leaveQuestion leave={() => question.leave()} stay={() => question.stay()} /> : null;
});
