import { createRoot } from 'react-dom/client';
import type { Product } from '#core';
import { shells } from '../shell/shells.ts';
import { registerWorker } from '../worker/register-worker.ts';
import { App, beginApp } from './app.tsx';
import { composeCore } from './compose-core.ts';
import { logError } from '../kernel/log.ts';
import type { InstalledPlugin } from '../kernel/web-plugin.ts';

/** Mounts the application in `#root`. Called once, by the generated entry. */
export function start(product: Product, plugins: readonly InstalledPlugin[]): void {
  const place = document.getElementById('root');
  if (!place) throw new Error("The page has no element with the id 'root': it was not made by the build.");
  const core = composeCore(product, plugins);
  beginApp(core);
  createRoot(place, { onUncaughtError: (error) => logError('The application could not be drawn.', error) }).render(
    <App core={core} shells={shells} />,
  );
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
