import { use } from 'react';
import { usePluginScope } from '../kernel/plugin-scope.tsx';
import { waitForMessages } from '../kernel/wait-for-messages.ts';

/** Suspends until the messages of these plugins are loaded, in parallel. */
export function useMessages(plugins: readonly string[]): void {
  const { host } = usePluginScope();
  waitForMessages(host, plugins, use);
}
