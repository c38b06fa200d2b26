import { Suspense, useEffect, useRef, type ComponentType, type ReactNode } from 'react';
import { observer } from 'mobx-react-lite';
import { useLocation } from 'react-router-dom';
import { useText } from '../i18n/use-text.ts';
import { PluginScope } from '../kernel/plugin-scope.tsx';
import { ProductInfo } from '../kernel/services.ts';
import { useService } from '../kernel/use-service.ts';
import type { Load } from '../kernel/web-plugin.ts';
import { useLoaded } from './loaded.ts';
import { refusalFor, toGuardedThing, type PlacedRoute } from './route-table.ts';
import { ScreenBoundary } from './screen-boundary.tsx';
import { useShells } from './shells.ts';
import { Trail } from './trail.ts';
import { useViewer } from './use-menu.ts';

/** A plugin's screen with access check, boundary, suspense, title, focus and trail. */
export const PluginScreen = observer(function PluginScreen({ route }: { readonly route: PlacedRoute }) {
  const shells = useShells();
  const refusal = refusalFor(route, useViewer());
  if (refusal !== undefined) {
    return (
      <EntryParams title={`core.noAccess.${toGuardedThing(refusal)}`}>
        <shells.noAccess subject={toGuardedThing(refusal)} />
      </EntryParams>
    );
  }
  return (
    <ScreenBoundary key={route.route.id} name={route.route.id}>
      <Suspense fallback={<shells.pending />}>
        <PluginScope plugin={route.plugin}>
          <EntryParams title={route.title}>
            <Loaded name={route.route.id} load={route.load} />
          </EntryParams>
        </PluginScope>
      </Suspense>
    </ScreenBoundary>
  );
});

/** One of core's own screens. */
export function CoreScreen({ title, screen: Screen }: { readonly title: string; readonly screen: ComponentType }) {
  return (
    <ScreenBoundary key={title} name={title}>
      <EntryParams title={title}>
        <Screen />
      </EntryParams>
    </ScreenBoundary>
  );
}

function Loaded({ name, load }: { readonly name: string; readonly load: Load<ComponentType> }) {
  const Screen = useLoaded(name, load);
  return <Screen />;
}

let arrivals = 0;

/**
 * Sets the title, records the screen in the trail and, except on the first page, focuses the heading for screen
 * readers.
 */
function EntryParams({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const text = useText();
  const product = useService(ProductInfo);
  const trail = useService(Trail);
  const location = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const name = text(title);

  useEffect(() => {
    document.title = `${name} · ${product.title}`;
    trail.visited({ address: location.pathname + location.search, title: name });
  }, [name, product.title, location.pathname, location.search, trail]);

  useEffect(() => {
    arrivals += 1;
    const focused = document.activeElement;
    if (arrivals === 1 || (focused && place.current?.contains(focused))) return;
    const heading = place.current?.querySelector<HTMLElement>('h1') ?? place.current;
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }, [location.pathname]);

  return (
    <div ref={place} data-screen={title} className="walkdown-screen">
      {children}
    </div>
  );
}
