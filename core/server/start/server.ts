import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { DemoPlant, Product } from '#core';
import { LocationStore } from '../access/location-store.ts';
import { coreParts } from '../core-parts.ts';
import { migrate, toPluginSchema, type AppliedMigration, type MigrationOwner } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { formatContentType } from '../files/media-types.ts';
import type { PoolDatabase } from '../database/pool-database.ts';
import { Authenticator } from '../kernel/authenticator.ts';
import { systemClock, type Clock } from '../kernel/clock.ts';
import type { CorePart } from '../kernel/core-part.ts';
import type { EnabledBridge, EnabledPlugin } from '../kernel/enabled-plugin.ts';
import { createDiskSpaceMonitor } from '../kernel/disk-space.ts';
import { serveHealth } from '../kernel/health.ts';
import { createHttpApp } from '../kernel/http-app.ts';
import { installRoutes } from '../kernel/install-routes.ts';
import { listen } from '../kernel/listen.ts';
import { PluginRegistrar } from './plugin-registrar.ts';
import { describeApi } from '../kernel/open-api.ts';
import { serveOpenApi } from '../kernel/open-api-page.ts';
import { createAccessGuard } from '../kernel/request-guard.ts';
import { RouteTable, type Route } from '../kernel/route-table.ts';
import { serveBundle } from '../kernel/serve-bundle.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { createMetrics } from '../kernel/server-metrics.ts';
import { notFound } from '../kernel/server-error.ts';

/** The server half of a profile, as the generated entry lists it. Plugins follow the plugins that they require. */
export interface ServerContent {
  readonly product: Product;
  readonly plugins: readonly EnabledPlugin[];
  readonly bridges?: readonly EnabledBridge[];
  /** The folder of the built web half. If undefined, only the API is served. */
  readonly bundleFolder?: string | undefined;
}

export interface ServerOptions extends ServerContent {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly clock?: Clock;
  /** All parts of core by default. */
  readonly parts?: readonly CorePart[];
  /** False only in tests; see `openDatabase`. */
  readonly durable?: boolean;
  /** True only in tests; see `openDatabase`. */
  readonly checked?: boolean;
  /** An open database instead of the configured one. It stays open when the server closes. */
  readonly database?: PoolDatabase;
  /** See `openDatabase`. */
  readonly onLost?: (error: Error) => void;
}

/** A server whose database is migrated and whose plugins are mounted. It listens after `listen`. */
export interface WalkdownServer {
  readonly app: FastifyInstance;
  readonly database: PoolDatabase;
  /** All routes, for tests that enumerate them. */
  readonly routes: readonly Route[];
  /** The mounted parts and plugins, and their services. */
  readonly registrar: PluginRegistrar;
  /** The migrations that this start applied. */
  readonly applied: readonly AppliedMigration[];
  /** Runs the start functions of the parts. `listen` calls it too. */
  start(): Promise<void>;
  /** Resolves to the URL, such as `http://127.0.0.1:3000`. */
  listen(): Promise<string>;
  /** Adds the rows of the demo plant, first of core and then of each plugin. */
  seed(plant: DemoPlant): Promise<void>;
  /** Ends streams and jobs, completes running requests, and closes the database. Idempotent. */
  close(): Promise<void>;
}

export function listMigrationOwners(
  parts: readonly CorePart[],
  plugins: readonly EnabledPlugin[],
): readonly MigrationOwner[] {
  return [
    ...parts.map(({ id, migrations }) => ({ id: `core.${id}`, schema: 'core', prefix: '', migrations })),
    ...plugins.map(({ id, migrations }) => ({ id, schema: toPluginSchema(id), prefix: `${id}-`, migrations })),
  ];
}

/**
 * Opens and migrates the database, and mounts core's parts, the plugins and their bridges. After a failure the database
 * is closed.
 */
export async function createServer(options: ServerOptions): Promise<WalkdownServer> {
  const { config, log } = options;
  const parts = options.parts ?? coreParts;
  const database =
    options.database ??
    (await openDatabase(config.database, {
      log,
      durable: options.durable ?? true,
      checked: options.checked ?? false,
      ...(options.onLost ? { onLost: options.onLost } : {}),
    }));
  try {
    const appliedMigrations = await migrate(database, listMigrationOwners(parts, options.plugins));
    for (const { owner, id } of appliedMigrations) log.info({ owner, id }, 'Applied a migration to the database.');
    return await mountServer(options, parts, database, appliedMigrations);
  } catch (error) {
    if (!options.database) await database.close();
    throw error;
  }
}

async function mountServer(
  options: ServerOptions,
  parts: readonly CorePart[],
  database: PoolDatabase,
  appliedMigrations: readonly AppliedMigration[],
): Promise<WalkdownServer> {
  const { config, log, product } = options;
  const metrics = createMetrics();
  const table = new RouteTable();
  let port = config.port;
  const getPublicUrl = (): string =>
    config.publicUrl ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const disk = createDiskSpaceMonitor(config, log);
  const registrar = new PluginRegistrar({
    config,
    disk,
    log,
    product,
    getPublicUrl,
    database,
    metrics,
    table,
    clock: options.clock ?? systemClock,
  });
  for (const part of parts) await registrar.mountPart(part);
  for (const plugin of options.plugins) registrar.mountPlugin(plugin);
  for (const bridge of options.bridges ?? []) registrar.mountBridge(bridge, options.plugins);
  table.close();

  let stopping = false;
  const app = await createHttpApp(config, log, metrics);
  const services = {
    config,
    disk,
    log,
    authenticator: () => registrar.services.find(Authenticator, 'core'),
    locations: () => registrar.services.find(LocationStore, 'core'),
  };
  await installRoutes(app, table.routes, services);
  const assertSignedIn = createAccessGuard({ access: 'signedIn' }, services);
  serveHealth(app, { config, database, disk, metrics, isStopping: () => stopping, assertSignedIn });
  // A browser that opens a page sends no bearer token, so the file ticket identifies the person.
  const assertReader = createAccessGuard(
    { access: config.apiDescription === 'open' ? 'public' : 'signedIn', ticket: true },
    services,
  );
  if (config.apiDescription !== 'off') serveOpenApi(app, () => describeApi(product, table.routes), assertReader);
  app.setNotFoundHandler(async () => Promise.reject(notFound('This address')));
  const { bundleFolder } = options;
  if (bundleFolder !== undefined)
    await app.register(async (scope) => {
      addCharset(scope);
      await serveBundle(scope, bundleFolder);
    });
  app.addHook('preClose', async () => registrar.stop());
  await app.ready();

  let closeListener = async (): Promise<void> => undefined;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stopping = true;
    // Otherwise a connection that was busy when the stop began would stay alive after its reply.
    const closeIdleTimer = setInterval(() => app.server.closeIdleConnections(), 50);
    await Promise.all([app.close(), closeListener()]).finally(() => clearInterval(closeIdleTimer));
    if (!options.database) await database.close();
  };
  return {
    app,
    database,
    routes: table.routes,
    registrar,
    applied: appliedMigrations,
    start: () => registrar.start(),
    listen: async () => {
      await registrar.prepare();
      const listener = await listen(app, config);
      closeListener = listener.close;
      port = Number(new URL(listener.url).port);
      await registrar.start();
      return listener.url;
    },
    seed: async (plant) => {
      await registrar.start();
      for (const part of parts) await registrar.seedPart(part, plant);
      for (const plugin of options.plugins) await registrar.seedPlugin(plugin, plant);
    },
    close: () => (closing ??= close()),
  };
}

/** Adds the character set that `@fastify/static` omits for types other than `text/...`. */
function addCharset(scope: FastifyInstance): void {
  scope.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string') void reply.header('content-type', formatContentType(type));
    done(null, payload);
  });
}
