import type { RawBuilder, SqlBool } from 'kysely';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { DemoPlant, Product, Token } from '#core';
import { LocationStore } from '../access/location-store.ts';
import { SiteStore } from '../access/site-store.ts';
import { ChangeJournal } from '../changes/change-journal.ts';
import { ContentChecks, type ContentCheck } from '../content-checks/content-checks.ts';
import type { Database } from '../database/database.ts';
import { toPluginSchema } from '../database/migrate.ts';
import { Events } from '../events/events.ts';
import { LocationContents } from '../access/location-contents.ts';
import { FileGuards } from '../files/file-guards.ts';
import { FileStore, type FileGuard } from '../files/file-store.ts';
import { createUploadRoute } from '../files/serve-upload.ts';
import { Jobs } from '../jobs/jobs.ts';
import type { Clock } from '../kernel/clock.ts';
import type { CoreApi, CoreContext, CorePart } from '../kernel/core-part.ts';
import type { DiskSpaceMonitor } from '../kernel/disk-space.ts';
import type { EnabledBridge, EnabledPlugin } from '../kernel/enabled-plugin.ts';
import type { AnyHandler, RouteTable } from '../kernel/route-table.ts';
import { scheduleCleanup } from '../kernel/schedule-cleanup.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import type { ServerContext } from '../kernel/server-plugin.ts';
import { ServiceRegistry } from '../kernel/service-registry.ts';
import { SiteContents, type SiteContent } from '../site-contents/site-contents.ts';

type LifecycleCallback = () => Promise<void> | void;

interface RegistrarOptions {
  readonly config: ServerConfig;
  readonly disk: DiskSpaceMonitor;
  readonly log: Logger;
  readonly product: Product;
  readonly getPublicUrl: () => string;
  readonly database: Database;
  readonly metrics: Registry;
  readonly clock: Clock;
  readonly table: RouteTable;
}

/** Mounts parts and plugins, and collects their services and their functions for start and stop. */
export class PluginRegistrar {
  readonly services = new ServiceRegistry();
  readonly #options: RegistrarOptions;
  readonly #startCallbacks: LifecycleCallback[] = [];
  readonly #listeningCallbacks: LifecycleCallback[] = [];
  readonly #stopCallbacks: LifecycleCallback[] = [];
  #prepared: Promise<void> | undefined;
  #started: Promise<void> | undefined;

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  async mountPart(part: CorePart): Promise<void> {
    try {
      await part.mount(this.#createApi(part.id, undefined), this.#createCoreContext(part.id));
    } catch (error) {
      throw createMountError('part', part.id, error);
    }
  }

  mountPlugin(plugin: EnabledPlugin): void {
    try {
      plugin.mount(this.#createApi(plugin.id, plugin.access), (settings) => this.#createContext(plugin.id, settings));
    } catch (error) {
      throw createMountError('plugin', plugin.id, error);
    }
  }

  mountBridge({ owner, partner, bridge }: EnabledBridge, plugins: readonly EnabledPlugin[]): void {
    const plugin = plugins.find(({ id }) => id === owner);
    if (!plugin) throw new Error(`The bridge from "${owner}" to "${partner}" has no owner, because "${owner}" is off.`);
    try {
      plugin.bridge(bridge, this.#createApi(owner, plugin.access), (settings) => this.#createContext(owner, settings));
    } catch (error) {
      throw createMountError(`bridge to "${partner}" of the plugin`, owner, error);
    }
  }

  async seedPart(part: CorePart, plant: DemoPlant): Promise<void> {
    await part.demo?.(this.#createCoreContext(part.id), plant);
  }

  async seedPlugin(plugin: EnabledPlugin, plant: DemoPlant): Promise<void> {
    await plugin.seed((settings) => this.#createContext(plugin.id, settings), plant);
  }

  /** Runs the `onStart` functions of the parts once, before the first request. */
  prepare(): Promise<void> {
    this.#prepared ??= runInOrder(this.#startCallbacks);
    return this.#prepared;
  }

  /** Calls `prepare`, and then runs the `onListening` functions of the parts once. */
  start(): Promise<void> {
    this.#started ??= this.prepare().then(() => runInOrder(this.#listeningCallbacks));
    return this.#started;
  }

  async stop(): Promise<void> {
    for (const stop of this.#stopCallbacks.splice(0).reverse()) {
      try {
        await stop();
      } catch (error) {
        this.#options.log.error({ err: error }, 'A part could not be stopped.');
      }
    }
  }

  #createApi(owner: string, flags: readonly string[] | undefined): CoreApi {
    const { table } = this.#options;
    return {
      // The route's checks validate the handler's input against its endpoint.
      serve: (endpoint, handler) => table.add({ kind: 'json', owner, endpoint, handler: handler as AnyHandler }, flags),
      serveUpload: (endpoint, rules, handler) =>
        table.add({ kind: 'raw', owner, ...createUploadRoute(endpoint, rules, handler, this.#options) }, flags),
      serveRaw: (endpoint, handler) => table.add({ kind: 'raw', owner, endpoint, handler: handler as never }, flags),
    };
  }

  #createContext<Tables, Settings>(owner: string, settings: Settings): ServerContext<Tables, Settings> {
    const { services } = this;
    const { database, log } = this.#options;
    return {
      settings,
      get tables() {
        return database.of<Tables>(toPluginSchema(owner));
      },
      log: log.child({ owner }),
      get changes() {
        return services.find(ChangeJournal, owner).of<Tables>(owner);
      },
      get files() {
        return services.find(FileStore, owner);
      },
      get jobs() {
        return services.find(Jobs, owner);
      },
      get events() {
        return services.find(Events, owner);
      },
      get locations() {
        return services.find(LocationStore, owner);
      },
      get sites() {
        return services.find(SiteStore, owner);
      },
      guardFiles: (name: string, guard: FileGuard) => services.find(FileGuards, owner).register(name, guard),
      registerLocationContents: (message: string, table: string, condition?: RawBuilder<SqlBool>) =>
        services
          .find(LocationContents, owner)
          .register({ message, table, schema: toPluginSchema(owner), ...(condition ? { where: condition } : {}) }),
      registerCheck: (check: ContentCheck) => services.find(ContentChecks, owner).register(owner, check),
      registerSiteContent: (content: SiteContent) => services.find(SiteContents, owner).register(owner, content),
      scheduleCleanup: (cleanup: () => Promise<void>) =>
        void this.#listeningCallbacks.push(() =>
          scheduleCleanup({ log, onStop: (stop) => void this.#stopCallbacks.push(stop) }, [cleanup]),
        ),
      service: <T>(token: Token<T>) => services.find(token, owner),
      provide: <T>(token: Token<T>, implementation: T) => services.provide(token, implementation, owner),
    };
  }

  #createCoreContext(owner: string): CoreContext {
    const { config, database, disk, clock, product, getPublicUrl, metrics } = this.#options;
    const coreMembers = {
      database,
      config,
      disk,
      clock,
      product,
      getPublicUrl,
      metrics,
      onStart: (step: LifecycleCallback) => void this.#startCallbacks.push(step),
      onListening: (step: LifecycleCallback) => void this.#listeningCallbacks.push(step),
      onStop: (step: LifecycleCallback) => void this.#stopCallbacks.push(step),
    };
    return Object.defineProperties(
      coreMembers,
      Object.getOwnPropertyDescriptors(this.#createContext(owner, undefined)),
    ) as CoreContext;
  }
}

async function runInOrder(steps: readonly LifecycleCallback[]): Promise<void> {
  for (const step of steps) await step();
}

function createMountError(kind: string, id: string, cause: unknown): Error {
  return new Error(
    `The ${kind} "${id}" could not be mounted: ${cause instanceof Error ? cause.message : String(cause)}`,
    { cause },
  );
}
