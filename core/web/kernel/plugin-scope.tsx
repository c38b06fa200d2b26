import { createContext, use, useMemo, type ReactNode } from 'react';
import { waitForMessages } from './wait-for-messages.ts';
import { coreScope, type PluginHost } from './plugin-host.ts';

export interface PluginScopeValue {
  readonly host: PluginHost;
  /** Id of the plugin in whose name services, settings and messages are asked for. */
  readonly plugin: string;
}

const PluginScopeContext = createContext<PluginScopeValue | undefined>(undefined);

/** The outermost scope: core's own. */
export function HostScope({ host, children }: { readonly host: PluginHost; readonly children: ReactNode }) {
  const value = useMemo(() => ({ host, plugin: coreScope }), [host]);
  return <PluginScopeContext value={value}>{children}</PluginScopeContext>;
}

/** What stands inside belongs to `plugin`. Suspends until the plugin's messages are there. */
export function PluginScope({ plugin, children }: { readonly plugin: string; readonly children: ReactNode }) {
  const { host } = usePluginScope();
  waitForMessages(host, [plugin], use);
  const value = useMemo(() => ({ host, plugin }), [host, plugin]);
  return <PluginScopeContext value={value}>{children}</PluginScopeContext>;
}

export function usePluginScope(): PluginScopeValue {
  // Not `useContext`: where a component waits for several services, React counts it once more at each new start, and
  // warns of changed hooks.
  const scope = use(PluginScopeContext);
  if (!scope)
    throw new Error(
      'This component stands outside the plugin host: wrap it in <HostScope>, in a test in renderScreen of ' +
        "'#core/testing/web'.",
    );
  return scope;
}
