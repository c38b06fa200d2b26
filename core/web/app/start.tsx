import { createRoot } from 'react-dom/client';
import { streamTopics, type Product } from '#core';
import type { noticesChanged } from '#core/api';
import { components } from '../shell/app-components.ts';
import { registerWorker } from '../worker/register-worker.ts';
import { App, startFirstRequests } from './app.tsx';
import { composeCore } from './compose-core.ts';
import { logError } from '../kernel/log.ts';
import { ServerEvents } from '../kernel/services.ts';
import type { InstalledPlugin } from '../kernel/web-plugin.ts';

/** Mounts the application in `#root`. Called once, by the generated entry. */
export function start(product: Product, plugins: readonly InstalledPlugin[]): void {
  const container = document.getElementById('root');
  if (!container) throw new Error("The page has no element with the id 'root'. It does not come from the build.");
  const core = composeCore(product, plugins);
  startFirstRequests(core);
  const events = core.host.root.get(ServerEvents);
  events.on('core.noticesChanged' satisfies (typeof noticesChanged)['topic'], core.session.showNotices);
  events.on(streamTopics.reset, core.session.showNotices);
  createRoot(container, {
    onUncaughtError: (error) => logError('The application could not be rendered.', error),
  }).render(<App core={core} components={components} />);
  void registerWorker(product.progressiveWebApp, {
    workers: navigator.serviceWorker,
    caches: globalThis.caches,
    reload: () => core.page.reload(),
    onUpdate: (apply) =>
      core.notifications.show({
        id: 'core.update',
        kind: 'info',
        area: 'bottom',
        message: 'core.update.ready',
        action: { label: 'core.update.apply', run: apply },
        dismissable: true,
      }),
  });
}
