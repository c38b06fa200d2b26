import { useEffect, type ComponentType, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { Navigate, Outlet, Route, Router, Routes as RouterRoutes, useLocation } from 'react-router-dom';
import { routeAddress, basePath, routes } from '#core';
import { Page } from '../kernel/page.ts';
import { Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { buildLoginAddress } from '../session/login-address.ts';
import { GuardedHistory } from './guarded-history.ts';
import { isSignInRoute, type PluginRoute } from './route-table.ts';
import { CoreScreen, LazyCoreScreen, PluginScreen } from './screen.tsx';
import { ShellsContext, useShells, type ShellProps, type Shells } from './shells.ts';
import { UnsavedWork } from './unsaved-work.ts';
import { Routes, useViewer } from './use-menu.ts';

const signInRoutes = Object.values(routes).filter(isSignInRoute);

/** All screens of the product under the base path, each in its shell. */
export const AppRoutes = observer(function AppRoutes({ shells }: { readonly shells: Shells }) {
  const history = useService(GuardedHistory);
  const table = useService(Routes);
  const renderRoutes = (audience: PluginRoute['audience']) =>
    table.all
      .filter((route) => route.audience === audience)
      .map((route) => <Route key={route.route.id} path={route.route.path} element={<PluginScreen route={route} />} />);
  return (
    <ShellsContext value={shells}>
      <Router basename={basePath} location={history.location} navigationType={history.action} navigator={history}>
        <RouterRoutes>
          <Route index element={<ToSignIn />} />
          {signInRoutes.map(({ id, path }) => (
            <Route key={id} path={path} element={<ToSignIn />} />
          ))}
          <Route path={routes.loading.path} element={<CoreScreen title="core.loading" screen={shells.loading} />} />
          <Route
            path={routes.serverError.path}
            element={<CoreScreen title="core.serverError.title" screen={shells.serverError} />}
          />
          <Route
            path={routes.forbidden.path}
            element={<CoreScreen title="core.forbidden.title" screen={shells.forbidden} />}
          />
          <Route
            path={routes.notFound.path}
            element={<CoreScreen title="core.notFound.title" screen={shells.notFound} />}
          />
          <Route element={<SignedIn />}>
            <Route path={routes.accountDeactivate.path} element={<AccountDeactivate />} />
            <Route element={<ActiveAccount />}>
              <Route path={routes.dashboard.path} element={<Navigate to={routeAddress(routes.home, {})} replace />} />
              <Route element={wrapInShell(shells.user)}>
                <Route
                  path={routes.noAccess.path}
                  element={<CoreScreen title="core.noAccess.application" screen={NoAccess} />}
                />
                {renderRoutes('user')}
                <Route path="*" element={<CoreScreen title="core.notFound.title" screen={shells.notFound} />} />
              </Route>
              <Route element={<AdminShell />}>
                <Route
                  path={routes.admin.path}
                  element={<LazyCoreScreen title="core.admin.title" load={shells.adminHome} />}
                />
                {renderRoutes('admin')}
                <Route
                  path={`${routes.admin.path}/*`}
                  element={<CoreScreen title="core.notFound.title" screen={shells.notFound} />}
                />
              </Route>
              <Route element={wrapInShell(shells.bare)}>{renderRoutes('bare')}</Route>
            </Route>
          </Route>
        </RouterRoutes>
      </Router>
      <LeaveQuestion />
    </ShellsContext>
  );
});

/**
 * Loads the sign-in page, a separate entry that contains `/` and the login's addresses. It redirects signed-in people
 * to home.
 */
function ToSignIn() {
  const page = useService(Page);
  const { pathname, search } = useLocation();
  const shells = useShells();
  const inner = pathname === '/' ? buildLoginAddress({ isAdmin: false }) : pathname + search;
  useEffect(() => page.open(inner), [page, inner]);
  return <shells.pending />;
}

/** Redirects an anonymous visitor to the login with the requested address. */
const SignedIn = observer(function SignedIn() {
  const session = useService(Session);
  const page = useService(Page);
  const shells = useShells();
  const { pathname, search, hash } = useLocation();
  const isSignedOut = session.state === 'signedOut';
  const table = useService(Routes);
  const login = buildLoginAddress({
    // Dashboards are not restricted to admins.
    isAdmin: pathname.startsWith(`/${routes.admin.path}`) && table.match(pathname)?.category !== 'DASHBOARD',
    next: pathname + search + hash,
  });
  useEffect(() => {
    if (isSignedOut && !session.leaving) page.open(login);
  }, [isSignedOut, session, page, login]);
  return isSignedOut ? <shells.pending /> : <Outlet />;
});

const ActiveAccount = observer(function ActiveAccount() {
  return useService(Session).state === 'inactive' ? (
    <Navigate to={routeAddress(routes.accountDeactivate, {})} replace />
  ) : (
    <Outlet />
  );
});

const AccountDeactivate = observer(function AccountDeactivate() {
  const shells = useShells();
  return useService(Session).state === 'inactive' ? (
    <CoreScreen title="core.accountDeactivate.title" screen={shells.accountDeactivate} />
  ) : (
    <Navigate to={routeAddress(routes.home, {})} replace />
  );
});

function NoAccess() {
  const shells = useShells();
  return <shells.noAccess subject="application" />;
}

function wrapInShell(Shell: ComponentType<ShellProps>, screen: ReactNode = <Outlet />): ReactNode {
  return <Shell>{screen}</Shell>;
}

const AdminShell = observer(function AdminShell() {
  const shells = useShells();
  const { pathname } = useLocation();
  const table = useService(Routes);
  if (table.hasAdminScreen(useViewer())) return wrapInShell(shells.admin);
  // A plugin's screen reports missing access itself.
  return wrapInShell(
    shells.user,
    table.match(pathname) ? <Outlet /> : <CoreScreen title="core.noAccess.application" screen={NoAccess} />,
  );
});

const LeaveQuestion = observer(function LeaveQuestion() {
  const { question } = useService(UnsavedWork);
  const shells = useShells();
  return question ? <shells.leaveQuestion leave={() => question.leave()} stay={() => question.stay()} /> : null;
});
