import { use } from 'react';
import { usePluginScope } from '../kernel/plugin-scope.tsx';
import { coreScope } from '../kernel/plugin-host.ts';
import { nothingToWaitFor } from '../kernel/settled.ts';
import { MessageCatalog } from './message-catalog.ts';

/** Suspends until the messages of these plugins are there, all fetched side by side. */
export function useMessagesOf(plugins: readonly string[]): void {
  const { host } = usePluginScope();
  const catalog = host.peek(coreScope, MessageCatalog)?.value;
  const coming = [...new Set(plugins)].flatMap((plugin) => catalog?.prepare(plugin) ?? []);
  // One at a time: all are on their way, and `use` is to be called as often in each drawing.
  use(coming[0] ?? nothingToWaitFor);
}
