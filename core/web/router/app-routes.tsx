import { useEffect } from 'react';
import { observer } from 'mobx-react-lite';
import { Navigate, Outlet, Route, Router, Routes as RouterRoutes, useLocation } from 'react-router-dom';
import { addressOf, basePath, routes } from '#core';
import { Page } from '../kernel/page.ts';
import { Session } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import type { RouteCategory } from '../kernel/web-plugin.ts';
import { loginAddress } from '../session/login-address.ts';
import { BrowserHistory } from './browser-history.ts';
import { isSignInRoute, type PlacedRoute } from './route-table.ts';
import { CoreScreen, PluginScreen } from './screen.tsx';
import { ShellsContext, useShells, type Shells } from './shells.ts';
import { UnsavedWork } from './unsaved-work.ts';
import { Routes, useMenu, useViewer } from './use-menu.ts';

const signInRoutes = Object.values(routes).filter(isSignInRoute);

/** All screens of the product under the base path, each in its shell. */
export const AppRoutes = observer(function AppRoutes({ shells }: { readonly shells: Shells }) {
  const history = useService(BrowserHistory);
  const table = useService(Routes);
  const placed = (audience: PlacedRoute['audience']) =>
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
              <Route path={routes.dashboard.path} element={<Navigate to={addressOf(routes.home, {})} replace />} />
              <Route element={<UserShell />}>
                <Route
                  path={routes.noAccess.path}
                  element={<CoreScreen title="core.noAccess.application" screen={NoAccess} />}
                />
                {placed('user')}
                <Route path="*" element={<CoreScreen title="core.notFound.title" screen={shells.notFound} />} />
              </Route>
              <Route element={<AdminShell />}>
                <Route path={routes.admin.path} element={<AdminHome />} />
                {placed('admin')}
                <Route
                  path={`${routes.admin.path}/*`}
                  element={<CoreScreen title="core.notFound.title" screen={shells.notFound} />}
                />
              </Route>
              <Route element={<BareShell />}>{placed('bare')}</Route>
            </Route>
          </Route>
        </RouterRoutes>
      </Router>
      <LeaveQuestion />
    </ShellsContext>
  );
});

/**
 * `/` and the login's own addresses: the sign-in page is an entry of its own, so the page is loaded anew. Who is signed
 * in is sent home from there.
 */
function ToSignIn() {
  const page = useService(Page);
  const { pathname, search } = useLocation();
  const shells = useShells();
  const inner = pathname === '/' ? loginAddress({ isAdmin: false }) : pathname + search;
  useEffect(() => page.open(inner), [page, inner]);
  return <shells.pending />;
}

/** Who is not signed in goes to the login, and comes back to the address first asked for. */
const SignedIn = observer(function SignedIn() {
  const session = useService(Session);
  const page = useService(Page);
  const shells = useShells();
  const { pathname, search, hash } = useLocation();
  const away = session.state === 'signedOut';
  const login = loginAddress({ isAdmin: useCategory() === 'ADMIN', next: pathname + search + hash });
  useEffect(() => {
    if (away && !session.leaving) page.open(login);
  }, [away, session, page, login]);
  return away ? <shells.pending /> : <Outlet />;
});

const ActiveAccount = observer(function ActiveAccount() {
  return useService(Session).state === 'inactive' ? (
    <Navigate to={addressOf(routes.accountDeactivate, {})} replace />
  ) : (
    <Outlet />
  );
});

const AccountDeactivate = observer(function AccountDeactivate() {
  const shells = useShells();
  return useService(Session).state === 'inactive' ? (
    <CoreScreen title="core.accountDeactivate.title" screen={shells.accountDeactivate} />
  ) : (
    <Navigate to={addressOf(routes.home, {})} replace />
  );
});

function NoAccess() {
  const shells = useShells();
  return <shells.noAccess thing="application" />;
}

/**
 * The category of the screen that stands now; core's own screens count as TOUR outside and ADMIN inside the admin area.
 */
function useCategory(): RouteCategory {
  const { pathname } = useLocation();
  const table = useService(Routes);
  const isInAdmin = pathname === `/${routes.admin.path}` || pathname.startsWith(`/${routes.admin.path}/`);
  return table.match(pathname)?.category ?? (isInAdmin ? 'ADMIN' : 'TOUR');
}

function UserShell() {
  const shells = useShells();
  return (
    <shells.user category={useCategory()}>
      <Outlet />
    </shells.user>
  );
}

const AdminShell = observer(function AdminShell() {
  const shells = useShells();
  const category = useCategory();
  const { pathname } = useLocation();
  const table = useService(Routes);
  if (!table.admits(useViewer())) {
    // A plugin's screen says itself which access is missing.
    const isScreen = table.match(pathname) !== undefined;
    return (
      <shells.user category={category}>
        {isScreen ? <Outlet /> : <CoreScreen title="core.noAccess.application" screen={NoAccess} />}
      </shells.user>
    );
  }
  return (
    <shells.admin category={category}>
      <Outlet />
    </shells.admin>
  );
});

function BareShell() {
  const shells = useShells();
  return (
    <shells.bare category={useCategory()}>
      <Outlet />
    </shells.bare>
  );
}

const AdminHome = observer(function AdminHome() {
  const shells = useShells();
  const first = useMenu('admin.sidebar')[0];
  if (shells.adminHome) return <CoreScreen title="core.admin.title" screen={shells.adminHome} />;
  return first ? (
    <Navigate to={first.address} replace />
  ) : (
    <CoreScreen title="core.noAccess.application" screen={NoAccess} />
  );
});

const LeaveQuestion = observer(function LeaveQuestion() {
  const { question } = useService(UnsavedWork);
  const shells = useShells();
  return question ? <shells.leaveQuestion leave={() => question.leave()} stay={() => question.stay()} /> : null;
});
