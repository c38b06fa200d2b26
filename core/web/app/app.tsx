import { Suspense, use, type ReactNode } from 'react';
import { I18nProvider } from '../i18n/i18n-provider.tsx';
import { AppRoutes } from '../router/app-routes.tsx';
import { ErrorBoundary, ScreenBoundary } from '../router/screen-boundary.tsx';
import { AppComponentsContext, type AppComponents } from '../router/app-components.ts';
import type { Core } from './compose-core.ts';
import { FatalErrorScreen } from '../kernel/fatal-error-screen.tsx';
import { HostScope } from '../kernel/plugin-scope.tsx';
import { coreScope } from '../kernel/plugin-host.ts';
import { fulfilledPromise } from '../kernel/settled.ts';

/** The signed-in application: loads core's messages and the session, then renders the screens. */
export function App({ core, components }: { readonly core: Core; readonly components: AppComponents }) {
  return (
    <ErrorBoundary
      name="core"
      fallback={({ reference }) => <FatalErrorScreen reference={reference} reload={() => core.page.reload()} />}
    >
      <HostScope host={core.host}>
        <Suspense fallback={null}>
          <CoreMessages core={core}>
            <components.frame>
              <AppComponentsContext value={components}>
                <ScreenBoundary name="core.session" onRetry={() => resumptions.delete(core)}>
                  <Suspense fallback={<components.pending />}>
                    <ResumedRoutes core={core} components={components} />
                  </Suspense>
                </ScreenBoundary>
              </AppComponentsContext>
            </components.frame>
          </CoreMessages>
        </Suspense>
      </HostScope>
    </ErrorBoundary>
  );
}

function CoreMessages({ core, children }: { readonly core: Core; readonly children: ReactNode }) {
  use(core.i18n.loadMessages(coreScope) ?? fulfilledPromise);
  return <I18nProvider>{children}</I18nProvider>;
}

const resumptions = new WeakMap<Core, Promise<boolean>>();

/** Resumes the session once, and again with each retry after a failure. */
function ensureResumed(core: Core): Promise<boolean> {
  const cached = resumptions.get(core);
  if (cached) return cached;
  const promise = core.session.resume();
  resumptions.set(core, promise);
  return promise;
}

function ResumedRoutes({ core, components }: { readonly core: Core; readonly components: AppComponents }) {
  use(ensureResumed(core));
  return <AppRoutes components={components} />;
}

/** Starts the requests that the first screen needs. */
export function startFirstRequests(core: Core): void {
  core.i18n.loadMessages(coreScope)?.catch(() => undefined);
  ensureResumed(core).catch(() => undefined);
}
