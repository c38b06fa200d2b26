import 'reflect-metadata/lite';
import { Container } from 'inversify';
import { hasAccess, getTokenName, type AccessInfo, type Contribution, type ExtensionPoint, type Token } from '#core';
import { loadChunk } from './load-chunk.ts';
import { byOrder } from './by-order.ts';
import { PluginSettings } from './plugin-settings.ts';
import { checkPluginIds } from './check-plugin-ids.ts';
import type { InstalledPlugin } from './web-plugin.ts';

/** Bundlers replace it by a constant, so that checks for developers are removed from the product. */
declare const process: { readonly env: { readonly NODE_ENV?: string } };

/** The scope of the shell and of core's own screens, which belong to no plugin. */
export const coreScope = 'core';

interface ServiceRequest {
  readonly promise: Promise<unknown>;
  value?: { readonly value: unknown };
  settled?: true;
}

/**
 * Registers the declarations of plugins. Each plugin has its own child container, so that its private services are
 * invisible to other plugins. Services are loaded on first request and are singletons within their plugin.
 */
export class PluginHost {
  /** Core's own services, visible to every plugin. */
  readonly root: Container;
  readonly #plugins = new Map<string, InstalledPlugin>();
  readonly #providers = new Map<Token<unknown>, string>();
  readonly #contributions = new Map<string, readonly Contribution[]>();
  readonly #scopes = new Map<string, Promise<Container>>();
  readonly #requests = new Map<string, Map<Token<unknown>, ServiceRequest>>();

  constructor(root: Container = new Container({ defaultScope: 'Singleton' })) {
    this.root = root;
  }

  get plugins(): readonly InstalledPlugin[] {
    return [...this.#plugins.values()];
  }

  has(plugin: string): boolean {
    return this.#plugins.has(plugin);
  }

  /** The profile's settings of a plugin, with defaults applied. */
  getSettings(plugin: string): unknown {
    return this.#plugins.get(plugin)?.settings;
  }

  /**
   * Installs all plugins of the product at once.
   *
   * @throws Error for the first id that is duplicated or does not belong to its plugin. Production builds skip this
   *   check.
   */
  install(plugins: readonly InstalledPlugin[]): void {
    if (process.env.NODE_ENV !== 'production') checkPluginIds(plugins);
    for (const plugin of plugins) {
      this.#plugins.set(plugin.id, plugin);
      for (const token of plugin.web.provides ?? []) this.#providers.set(token, plugin.id);
      for (const { point, value } of [...(plugin.web.contributions ?? []), ...plugin.bridges.flat()]) {
        this.#contributions.set(point.id, [...(this.#contributions.get(point.id) ?? []), value]);
      }
    }
    for (const [point, values] of this.#contributions) this.#contributions.set(point, values.toSorted(byOrder));
  }

  /** Contributions to `point` that the person may see, or all if `access` is omitted, sorted by `order`, then by `id`. */
  contributions<C extends Contribution>(point: ExtensionPoint<C>, access?: AccessInfo): readonly C[] {
    const all = (this.#contributions.get(point.id) ?? []) as readonly C[];
    return access === undefined ? all : all.filter((contribution) => hasAccess(access, contribution.access));
  }

  /**
   * Resolves a service as `plugin` sees it. Repeated calls share one promise. An error names the token, the plugin and
   * the likely cause.
   */
  getService<T>(plugin: string, token: Token<T>): Promise<T> {
    const requests = this.#requests.get(plugin) ?? new Map<Token<unknown>, ServiceRequest>();
    this.#requests.set(plugin, requests);
    const existingRequest = requests.get(token);
    if (existingRequest) return existingRequest.promise as Promise<T>;
    const request: ServiceRequest = {
      promise: this.#resolve(plugin, token).then((value) => (request.value = { value }).value),
    };
    request.promise
      .catch(() => undefined)
      .finally(() => {
        request.settled = true;
      });
    requests.set(token, request);
    return request.promise as Promise<T>;
  }

  /** The result of `getService` if it is available synchronously. */
  peek<T>(plugin: string, token: Token<T>): { readonly value: T } | undefined {
    const resolved = this.#requests.get(plugin)?.get(token)?.value;
    if (resolved) return resolved as { readonly value: T };
    return this.root.isBound(token) ? { value: this.root.get<T>(token) } : undefined;
  }

  /** Requests that are still pending. */
  listPending(): readonly Promise<unknown>[] {
    return [...this.#requests.values()].flatMap((requests) =>
      [...requests.values()].flatMap((request) => (request.settled ? [] : [request.promise])),
    );
  }

  /** Forgets failed requests, so that a screen can retry. */
  async forgetFailures(): Promise<void> {
    await Promise.all(
      [...this.#requests.values()].flatMap((requests) =>
        [...requests].map(([token, request]) => request.promise.catch(() => requests.delete(token))),
      ),
    );
  }

  async #resolve<T>(plugin: string, token: Token<T>): Promise<T> {
    const scope = await this.#ensureScope(plugin);
    if (!scope.isBound(token)) throw new Error(this.#describeUnbound(plugin, token));
    try {
      return await scope.getAsync<T>(token);
    } catch (cause) {
      throw new Error(
        `Service '${getTokenName(token)}', requested by plugin '${plugin}', could not be created: ` +
          `${cause instanceof Error ? cause.message : String(cause)}`,
        { cause },
      );
    }
  }

  #ensureScope(id: string): Promise<Container> {
    if (id === coreScope) return Promise.resolve(this.root);
    const cached = this.#scopes.get(id);
    if (cached) return cached;
    const plugin = this.#plugins.get(id);
    if (!plugin)
      return Promise.reject(new Error(`Plugin '${id}' is not in this product. Its profile does not turn it on.`));
    const scope = this.#createScope(plugin);
    this.#scopes.set(id, scope);
    scope.catch(() => this.#scopes.delete(id));
    return scope;
  }

  async #createScope(plugin: InstalledPlugin): Promise<Container> {
    const container = new Container({ parent: this.root, defaultScope: 'Singleton' });
    container.bind(PluginSettings).toConstantValue(plugin.settings);
    for (const [token, owner] of this.#providers) {
      if (owner !== plugin.id)
        container
          .bind(token)
          .toDynamicValue(() => this.getService(owner, token))
          .inSingletonScope();
    }
    const services = plugin.web.services;
    if (services) await container.loadAsync((await loadChunk(`${plugin.id}/web/services`, services)).default);
    return container;
  }

  #describeUnbound(plugin: string, token: Token<unknown>): string {
    const name = getTokenName(token);
    // A class names no owner. Only its own plugin uses it, so the requesting plugin is the owner.
    const owner = typeof token === 'symbol' ? name.replace(/\..*/, '') : plugin;
    const head = `Plugin '${plugin}' requests the service '${name}': `;
    if (owner === plugin) return `${head}'web/services.ts' of '${plugin}' does not bind it.`;
    if (owner === coreScope) return `${head}core binds no such service.`;
    if (!this.#plugins.has(owner))
      return `${head}plugin '${owner}' is not in this product. List it under "requires" or use a bridge.`;
    return `${head}it is private to '${owner}', which does not list it under "provides".`;
  }
}
