import type { use } from 'react';
import { coreScope, type PluginHost } from './plugin-host.ts';
import { fulfilledPromise } from './settled.ts';
import { MessageCatalog } from './message-catalog.ts';

/** Suspends the rendering component, by React's `use`, until the messages of these plugins are loaded. */
export function waitForMessages(host: PluginHost, plugins: readonly string[], wait: typeof use): void {
  const catalog = host.peek(coreScope, MessageCatalog)?.value;
  // All requests start at once and are awaited one by one.
  const listPending = () => [...new Set(plugins)].flatMap((plugin) => catalog?.loadMessages(plugin) ?? []);
  wait(listPending()[0] ?? fulfilledPromise);
  // On an immediate retry, React ignores the argument of the first `use` and returns the result it suspended for, so
  // the other plugins must be checked again.
  for (let [next] = listPending(); next !== undefined; [next] = listPending()) wait(next);
}
