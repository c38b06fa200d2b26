import { createContext, use, useMemo, type ReactNode } from 'react';
import { waitForMessages } from './wait-for-messages.ts';
import { coreScope, type PluginHost } from './plugin-host.ts';

export interface PluginScopeValue {
  readonly host: PluginHost;
  /** Id of the plugin whose services, settings and messages are used. */
  readonly plugin: string;
}

const PluginScopeContext = createContext<PluginScopeValue | undefined>(undefined);

/** The outermost scope, which belongs to core. */
export function HostScope({ host, children }: { readonly host: PluginHost; readonly children: ReactNode }) {
  const contextValue = useMemo(() => ({ host, plugin: coreScope }), [host]);
  return <PluginScopeContext value={contextValue}>{children}</PluginScopeContext>;
}

/** Makes its children part of `plugin`. Suspends until the plugin's messages are loaded. */
export function PluginScope({ plugin, children }: { readonly plugin: string; readonly children: ReactNode }) {
  const { host } = usePluginScope();
  waitForMessages(host, [plugin], use);
  const contextValue = useMemo(() => ({ host, plugin }), [host, plugin]);
  return <PluginScopeContext value={contextValue}>{children}</PluginScopeContext>;
}

export function usePluginScope(): PluginScopeValue {
  // With `useContext`, React warns of changed hooks if a component suspends for several services.
  const scope = use(PluginScopeContext);
  if (!scope)
    throw new Error(
      'This component is outside the plugin host. Wrap it in <HostScope>, or in a test use renderScreen of ' +
        "'#core/testing/web'.",
    );
  return scope;
}
