import { nameOfToken } from '#core';
import { isRole } from './roles.ts';
import type { InstalledPlugin } from './web-plugin.ts';

/**
 * Checks that ids are unique and start with the id of their plugin.
 *
 * @throws Error for the first invalid id
 */
export function checkInstalled(plugins: readonly InstalledPlugin[]): void {
  const claimed = new Map<string, string>();
  const claim = (kind: string, id: string, plugin: string) => {
    const before = claimed.get(`${kind} ${id}`);
    if (before !== undefined) {
      throw new Error(
        before === plugin
          ? `Plugin '${plugin}' has the ${kind} '${id}' twice.`
          : `The ${kind} '${id}' is claimed by the plugins '${before}' and '${plugin}'.`,
      );
    }
    claimed.set(`${kind} ${id}`, plugin);
  };
  const own = (kind: string, id: string, plugin: string) => {
    if (!id.startsWith(`${plugin}.`))
      throw new Error(
        `Plugin '${plugin}' has the ${kind} '${id}': an id starts with the id of its plugin, here '${plugin}.'.`,
      );
    claim(kind, id, plugin);
  };
  for (const { id, web, bridges } of plugins) {
    claim('plugin', id, id);
    for (const { route, title } of web.routes ?? []) {
      (isRole(route) ? claim : own)('route', route.id, id);
      claim('path', route.path, id);
      if (!title.startsWith(`${id}.`))
        throw new Error(
          `Plugin '${id}' gives its route '${route.id}' the title '${title}': a message id starts with the id of ` +
            'its plugin.',
        );
    }
    if (web.locationOrder) claim('role', 'locationOrder', id);
    for (const item of web.menu ?? []) own('menu item', item.id, id);
    for (const { point, value } of [...(web.contributions ?? []), ...bridges.flat()])
      own(`contribution to '${point.id}'`, value.id, id);
    for (const token of web.provides ?? []) own('service', nameOfToken(token), id);
  }
}
