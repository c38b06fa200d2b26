import { getTokenName } from '#core';
import { isCoreRouteWithPluginScreen } from './provided-routes.ts';
import type { InstalledPlugin } from './web-plugin.ts';

/**
 * Checks that ids are unique and start with the id of their plugin.
 *
 * @throws Error for the first invalid id
 */
export function checkPluginIds(plugins: readonly InstalledPlugin[]): void {
  const ownerByKey = new Map<string, string>();
  const claim = (kind: string, id: string, plugin: string) => {
    const owner = ownerByKey.get(`${kind} ${id}`);
    if (owner !== undefined) {
      throw new Error(
        owner === plugin
          ? `Plugin '${plugin}' has the ${kind} '${id}' twice.`
          : `The ${kind} '${id}' is claimed by the plugins '${owner}' and '${plugin}'.`,
      );
    }
    ownerByKey.set(`${kind} ${id}`, plugin);
  };
  const claimOwn = (kind: string, id: string, plugin: string) => {
    if (!id.startsWith(`${plugin}.`))
      throw new Error(
        `Plugin '${plugin}' has the ${kind} '${id}': an id starts with the id of its plugin, here '${plugin}.'.`,
      );
    claim(kind, id, plugin);
  };
  for (const { id, web, bridges } of plugins) {
    claim('plugin', id, id);
    for (const { routeRef: route, title } of web.routes ?? []) {
      (isCoreRouteWithPluginScreen(route) ? claim : claimOwn)('route', route.id, id);
      claim('path', route.path, id);
      if (!title.startsWith(`${id}.`))
        throw new Error(
          `Plugin '${id}' gives its route '${route.id}' the title '${title}': a message id starts with the id of ` +
            'its plugin.',
        );
    }
    if (web.locationOrder) claim('setting', 'locationOrder', id);
    for (const item of web.menu ?? []) claimOwn('menu item', item.id, id);
    for (const { point, value } of [...(web.contributions ?? []), ...bridges.flat()])
      claimOwn(`contribution to '${point.id}'`, value.id, id);
    for (const token of web.provides ?? []) claimOwn('service', getTokenName(token), id);
  }
}
