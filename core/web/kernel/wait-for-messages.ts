import type { use } from 'react';
import { coreScope, type PluginHost } from './plugin-host.ts';
import { nothingToWaitFor } from './settled.ts';
import { MessageCatalog } from './message-catalog.ts';

/** Suspends the component that is being drawn, by React's `use`, until the messages of these plugins are there. */
export function waitForMessages(host: PluginHost, plugins: readonly string[], wait: typeof use): void {
  const catalog = host.peek(coreScope, MessageCatalog)?.value;
  // All are asked for at once; one after the other is waited for.
  const coming = () => [...new Set(plugins)].flatMap((plugin) => catalog?.prepare(plugin) ?? []);
  wait(coming()[0] ?? nothingToWaitFor);
  // Where React draws again at once what has waited, it answers the first call by what that one waited for before,
  // whatever it is given now: the others would be taken for there.
  for (let [next] = coming(); next !== undefined; [next] = coming()) wait(next);
}
