import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { DemoPlant, Product } from '#core';
import { LocationStore } from '../access/location-store.ts';
import { coreParts } from '../core-parts.ts';
import { migrate, schemaOfPlugin, type AppliedMigration, type MigrationOwner } from '../database/migrate.ts';
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
import { accessGuard } from '../kernel/request-guard.ts';
import { RouteTable, type Route } from '../kernel/route-table.ts';
import { serveBundle } from '../kernel/serve-bundle.ts';
import type { ServerConfig } from '../kernel/server-config.ts';
import { createMetrics } from '../kernel/server-metrics.ts';
import { notFound } from '../kernel/server-error.ts';

/** The server half of a profile, as in the generated entry. Plugins come after those that they require. */
export interface ServerContent {
  readonly product: Product;
  readonly plugins: readonly EnabledPlugin[];
  readonly bridges?: readonly EnabledBridge[];
  /** Folder of the built web half; without one only the API is served. */
  readonly bundleFolder?: string | undefined;
}

export interface ServerOptions extends ServerContent {
  readonly config: ServerConfig;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Default: all of core's. */
  readonly parts?: readonly CorePart[];
  /** False only in tests: see `openDatabase`. */
  readonly durable?: boolean;
  /** True only in tests: see `openDatabase`. */
  readonly checked?: boolean;
  /** An open database instead of the configured one; it stays open when the server closes. */
  readonly database?: PoolDatabase;
  /** See `openDatabase`. */
  readonly onLost?: (error: Error) => void;
}

/** A migrated and mounted server; it listens after `listen`. */
export interface WalkdownServer {
  readonly app: FastifyInstance;
  readonly database: PoolDatabase;
  /** All routes, for tests that enumerate them. */
  readonly routes: readonly Route[];
  /** The mounted parts and plugins, and their services. */
  readonly registrar: PluginRegistrar;
  /** The migrations that this start applied. */
  readonly applied: readonly AppliedMigration[];
  /** Runs the parts' start functions before the first request; `listen` does it too. */
  start(): Promise<void>;
  /** Resolves to the address, such as `http://127.0.0.1:3000`. */
  listen(): Promise<string>;
  /** Adds rows of the demo plant: core's, then those of each plugin. */
  seed(plant: DemoPlant): Promise<void>;
  /** Ends streams and jobs, completes running requests, closes the database. Idempotent. */
  close(): Promise<void>;
}

export function migrationOwners(
  parts: readonly CorePart[],
  plugins: readonly EnabledPlugin[],
): readonly MigrationOwner[] {
  return [
    ...parts.map(({ id, migrations }) => ({ id: `core.${id}`, schema: 'core', prefix: '', migrations })),
    ...plugins.map(({ id, migrations }) => ({ id, schema: schemaOfPlugin(id), prefix: `${id}-`, migrations })),
  ];
}

/**
 * Opens and migrates the database, and mounts core's parts, the plugins and their bridges. A failure closes what was
 * opened, and is rethrown.
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
    const applied = await migrate(database, migrationOwners(parts, options.plugins));
    for (const { owner, id } of applied) log.info({ owner, id }, 'Applied a step to the database.');
    return await mountServer(options, parts, database, applied);
  } catch (error) {
    if (!options.database) await database.close();
    throw error;
  }
}

async function mountServer(
  options: ServerOptions,
  parts: readonly CorePart[],
  database: PoolDatabase,
  applied: readonly AppliedMigration[],
): Promise<WalkdownServer> {
  const { config, log, product } = options;
  const metrics = createMetrics();
  const table = new RouteTable();
  let port = config.port;
  const publicAddress = (): string =>
    config.publicAddress ?? `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`;
  const disk = createDiskSpaceMonitor(config, log);
  const registrar = new PluginRegistrar({
    config,
    disk,
    log,
    product,
    publicAddress,
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
  const signedIn = accessGuard({ access: 'signedIn' }, services);
  serveHealth(app, { config, database, disk, metrics, isStopping: () => stopping, signedIn });
  // A page that a browser opens has no bearer token: the file ticket identifies the person.
  const readers = accessGuard(
    { access: config.apiDescription === 'open' ? 'public' : 'signedIn', ticket: true },
    services,
  );
  if (config.apiDescription !== 'off') serveOpenApi(app, () => describeApi(product, table.routes), readers);
  app.setNotFoundHandler(async () => Promise.reject(notFound('This address')));
  const { bundleFolder } = options;
  if (bundleFolder !== undefined)
    await app.register(async (scope) => {
      nameCharset(scope);
      await serveBundle(scope, bundleFolder);
    });
  app.addHook('preClose', async () => registrar.stop());
  await app.ready();

  let closeOthers = async (): Promise<void> => undefined;
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    stopping = true;
    // A connection that was busy at the start of the stop would otherwise stay alive after its reply.
    const sweep = setInterval(() => app.server.closeIdleConnections(), 50);
    await Promise.all([app.close(), closeOthers()]).finally(() => clearInterval(sweep));
    if (!options.database) await database.close();
  };
  return {
    app,
    database,
    routes: table.routes,
    registrar,
    applied,
    start: () => registrar.start(),
    listen: async () => {
      await registrar.prepare();
      const listening = await listen(app, config);
      closeOthers = listening.close;
      port = Number(new URL(listening.address).port);
      await registrar.start();
      return listening.address;
    },
    seed: async (plant) => {
      await registrar.start();
      for (const part of parts) await registrar.seedPart(part, plant);
      for (const plugin of options.plugins) await registrar.seedPlugin(plugin, plant);
    },
    close: () => (closing ??= close()),
  };
}

/** `@fastify/static` omits it for types other than `text/...`. */
function nameCharset(scope: FastifyInstance): void {
  scope.addHook('onSend', (_request, reply, payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string') void reply.header('content-type', formatContentType(type));
    done(null, payload);
  });
}
