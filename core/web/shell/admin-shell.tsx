import { NavigationRegular } from '@fluentui/react-icons/svg/navigation';
import { observer } from 'mobx-react-lite';
import { Suspense, useState } from 'react';
import { useText } from '../i18n/use-text.ts';
import { BrowserStorage } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import { useLoaded } from '../router/loaded.ts';
import { ScreenBoundary } from '../router/screen-boundary.tsx';
import type { ShellProps } from '../router/app-components.ts';
import { Button, makeStyles, mergeClasses, tokens } from '../ui/base.ts';
import { useAdminSections } from './admin-groups.ts';
import { BannerArea } from './banner-area.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { compactQuery } from './breakpoints.ts';
import { ShellHeader } from './shell-header.tsx';
import { InShell } from './standalone.tsx';
import { mainId, SkipLink } from './skip-link.tsx';
import { useMediaQuery } from './use-media-query.ts';

/** Width of the admin menu (requirement ADM-12). */
export const sidebarWidthPx = 240;
const storageKey = 'adminMenuHidden';

const useStyles = makeStyles({
  root: {
    display: 'grid',
    gridTemplateRows: 'auto 1fr auto',
    gridTemplateColumns: 'minmax(0, 1fr)',
    minHeight: '100dvh',
  },
  top: { position: 'sticky', top: 0, zIndex: 1 },
  middle: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', minHeight: 0 },
  withSidebar: { gridTemplateColumns: `${sidebarWidthPx}px minmax(0, 1fr)` },
  sidebar: {
    backgroundColor: tokens.colorNeutralBackground3,
    borderRight: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  // The menu fills the window below the header and scrolls separately.
  sticky: { position: 'sticky', top: '56px', maxHeight: 'calc(100dvh - 56px)', overflowY: 'auto' },
  main: {
    minWidth: 0,
    padding: `${tokens.spacingVerticalXXL} ${tokens.spacingHorizontalXXL} ${tokens.spacingVerticalXXXL}`,
    outlineStyle: 'none',
    '@media (max-width: 639px)': {
      padding: `${tokens.spacingVerticalM} ${tokens.spacingHorizontalL} ${tokens.spacingVerticalXXL}`,
    },
  },
  bottom: { position: 'sticky', bottom: 0, zIndex: 1 },
});

const loadMenu = () => import('./admin-menu.tsx');
const loadDrawer = () => import('./admin-drawer.tsx');

/** Shell of admin screens. The menu can be hidden, which the browser stores; on small screens it is a drawer. */
export const AdminShell = observer(function AdminShell({ children }: ShellProps) {
  const styles = useStyles();
  const text = useText();
  const storage = useService(BrowserStorage);
  const small = useMediaQuery(compactQuery);
  const hasMenu = useAdminSections().length > 0;
  const [hidden, setHidden] = useState(() => storage.get<boolean>(storageKey) === true);
  const [drawer, setDrawer] = useState<'never' | 'open' | 'closed'>('never');
  const sidebarVisible = !small && !hidden && hasMenu;
  const menuVisible = small ? drawer === 'open' : sidebarVisible;
  const toggle = () => {
    if (small) setDrawer(drawer === 'open' ? 'closed' : 'open');
    else {
      storage.set(storageKey, !hidden);
      setHidden(!hidden);
    }
  };
  const menuButton = (
    <Button
      appearance="subtle"
      icon={<NavigationRegular />}
      aria-label={text(menuVisible ? 'core.admin.hideMenu' : 'core.admin.showMenu')}
      aria-expanded={menuVisible}
      onClick={toggle}
    />
  );
  return (
    <div className={styles.root}>
      <div className={styles.top}>
        <SkipLink />
        <BannerArea area="top" />
        <ShellHeader area="admin" start={hasMenu ? menuButton : null} />
        {small && drawer !== 'never' ? (
          // The drawer is an overlay. Only its error message renders here, and only while the drawer is open.
          <div hidden={drawer === 'closed'}>
            <ScreenBoundary name="core.adminDrawer">
              <Suspense fallback={null}>
                <LazyDrawer open={drawer === 'open'} onClose={() => setDrawer('closed')} />
              </Suspense>
            </ScreenBoundary>
          </div>
        ) : null}
      </div>
      <div className={mergeClasses(styles.middle, sidebarVisible && styles.withSidebar)}>
        {sidebarVisible ? (
          <div className={styles.sidebar} data-testid="admin-sidebar">
            <div className={styles.sticky}>
              <ScreenBoundary name="core.adminMenu">
                <Suspense fallback={null}>
                  <LazyMenu />
                </Suspense>
              </ScreenBoundary>
            </div>
          </div>
        ) : null}
        <main id={mainId} tabIndex={-1} className={styles.main}>
          <Breadcrumbs root="admin" />
          <InShell value={true}>{children}</InShell>
        </main>
      </div>
      <div className={styles.bottom}>
        <BannerArea area="bottom" />
      </div>
    </div>
  );
});

function LazyMenu() {
  const AdminMenu = useLoaded('core/web/shell/admin-menu', loadMenu);
  return <AdminMenu />;
}

function LazyDrawer(props: { readonly open: boolean; readonly onClose: () => void }) {
  const AdminDrawer = useLoaded('core/web/shell/admin-drawer', loadDrawer);
  return <AdminDrawer {...props} />;
}
