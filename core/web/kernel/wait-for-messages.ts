import type { use } from 'react';
import { coreScope, type PluginHost } from './plugin-host.ts';
import { nothingToWaitFor } from './settled.ts';
import { MessageCatalog } from './message-catalog.ts';

/** Suspends the rendering component, by React's `use`, until the messages of these plugins are loaded. */
export function waitForMessages(host: PluginHost, plugins: readonly string[], wait: typeof use): void {
  const catalog = host.peek(coreScope, MessageCatalog)?.value;
  // All requests start at once and are awaited one by one.
  const coming = () => [...new Set(plugins)].flatMap((plugin) => catalog?.prepare(plugin) ?? []);
  wait(coming()[0] ?? nothingToWaitFor);
  // On an immediate retry, React answers the first `use` with the result it suspended for, whatever the argument. The
  // other plugins would be taken for loaded.
  for (let [next] = coming(); next !== undefined; [next] = coming()) wait(next);
}
