import { Suspense, useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { useLocation } from 'react-router-dom';
import { useText } from '../i18n/use-text.ts';
import { PluginScope } from '../kernel/plugin-scope.tsx';
import { ProductInfo } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import type { Load } from '../kernel/web-plugin.ts';
import { useLoaded } from './loaded.ts';
import { findMissingAccess, toRestrictedArea, type PluginRoute } from './route-table.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { useAppComponents } from './app-components.ts';
import { RecentScreensRecorder } from './recent-screens-recorder.ts';
import { useRouteAccess } from './use-menu.ts';

/** A plugin's screen with access check, boundary, suspense, title, focus and recorded visit. */
export const PluginScreen = observer(function PluginScreen({ route }: { readonly route: PluginRoute }) {
  const components = useAppComponents();
  const missingAccess = findMissingAccess(route, useRouteAccess());
  if (missingAccess !== undefined) {
    return (
      <ScreenContent title={`core.noAccess.${toRestrictedArea(missingAccess)}`}>
        <components.noAccess
          area={toRestrictedArea(missingAccess)}
          accessToRequest={missingAccess === 'notAdmin' ? undefined : missingAccess}
        />
      </ScreenContent>
    );
  }
  return (
    <ScreenBoundary key={route.routeRef.id} name={route.routeRef.id}>
      <Suspense fallback={<components.pending />}>
        <PluginScope plugin={route.plugin}>
          <ScreenContent title={route.title}>
            <LazyScreen name={route.routeRef.id} load={route.load} />
          </ScreenContent>
        </PluginScope>
      </Suspense>
    </ScreenBoundary>
  );
});

/** One of core's own screens. */
export function CoreScreen({ title, screen: Screen }: { readonly title: string; readonly screen: ComponentType }) {
  return (
    <ScreenBoundary key={title} name={title}>
      <ScreenContent title={title}>
        <Screen />
      </ScreenContent>
    </ScreenBoundary>
  );
}

/** One of core's own screens, with its code behind an `import()`. */
export function LazyCoreScreen({ title, load }: { readonly title: string; readonly load: Load<ComponentType> }) {
  const components = useAppComponents();
  return (
    <ScreenBoundary key={title} name={title}>
      <Suspense fallback={<components.pending />}>
        <ScreenContent title={title}>
          <LazyScreen name={title} load={load} />
        </ScreenContent>
      </Suspense>
    </ScreenBoundary>
  );
}

function LazyScreen({ name, load }: { readonly name: string; readonly load: Load<ComponentType> }) {
  const Screen = useLoaded(name, load);
  return <Screen />;
}

let openedScreens = 0;

/**
 * Sets the title, records the screen and, except for the first screen, focuses the heading for screen
 * readers.
 */
function ScreenContent({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const text = useText();
  const product = useService(ProductInfo);
  const recentScreensRecorder = useService(RecentScreensRecorder);
  const location = useLocation();
  const container = useRef<HTMLDivElement>(null);
  const name = text(title);

  useEffect(() => {
    document.title = `${name} · ${product.title}`;
    recentScreensRecorder.recordScreen({ url: location.pathname + location.search, title: name });
  }, [name, product.title, location.pathname, location.search, recentScreensRecorder]);

  useEffect(() => {
    openedScreens += 1;
    const focusedElement = document.activeElement;
    if (openedScreens === 1 || (focusedElement && container.current?.contains(focusedElement))) return;
    const heading = container.current?.querySelector<HTMLElement>('h1') ?? container.current;
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [location.pathname]);

  return (
    <div ref={container} data-screen={title} className="walkdown-screen">
      {children}
    </div>
  );
}
