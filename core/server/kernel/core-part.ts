import type { Registry } from 'prom-client';
import type { DemoPlant, Product } from '#core';
import type { Database } from '../database/database.ts';
import type { Migration } from '../database/migration.ts';
import type { Clock } from './clock.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import type { RawEndpoint, RawHandler } from './raw-endpoint.ts';
import type { ServerConfig } from './server-config.ts';
import type { Api, ServerContext } from './server-plugin.ts';

/** What core's own parts serve with: also calls whose body or answer is not JSON. */
export interface CoreApi extends Api {
  serveRaw<E extends RawEndpoint>(endpoint: E, handler: RawHandler<E>): void;
}

/**
 * What core's own parts are given. `files`, `jobs`, `events`, `locations` and `sites` are what the parts provide by
 * their tokens: asked for before its part is mounted, one throws.
 */
export interface CoreContext extends Omit<ServerContext<unknown, undefined>, 'tables'> {
  /** All parts share the schema `core`: `database.of<...>('core')`. */
  readonly database: Database;
  readonly config: ServerConfig;
  readonly disk: DiskSpaceMonitor;
  readonly clock: Clock;
  readonly product: Product;
  /**
   * What people type, without a slash at the end: the configuration's, or else where the server listens, known once it
   * does.
   */
  readonly publicAddress: () => string;
  /**
   * Where a part registers its metrics (prom-client); shown at `/metrics`. One registry a server: name no metric in the
   * global one.
   */
  readonly metrics: Registry;
  /**
   * Run after everything is mounted, when the server is ready to listen: loops, timers, listeners. Not run by `walkdown
   * migrate` and the like.
   */
  onStart(start: () => Promise<void> | void): void;
  /** Run after all that `onStart` was given, and once the server listens, where it does: `publicAddress` is known. */
  onListening(begin: () => Promise<void> | void): void;
  /**
   * Run when the server stops, before connections are closed and before the database is: end streams, hand back leases.
   * In reverse order.
   */
  onStop(stop: () => Promise<void> | void): void;
}

/**
 * One part of core's server: auth, access, files, jobs, events. All parts share the schema `core`. A part holds no
 * state of its own: several servers may live in one process, so what it makes it makes in `mount`, and offers by
 * `context.provide(Token, it)`.
 */
export interface CorePart {
  readonly id: string;
  /** Applied in the order of the parts, into the schema `core`. */
  readonly migrations: readonly Migration[];
  /** Run after all migrations, before any request; parts mount in the order of `core-parts.ts`, plugins after them. */
  readonly mount: (api: CoreApi, context: CoreContext) => Promise<void> | void;
  /** Its rows of the demo plant, before those of the plugins; calling it again changes nothing. */
  readonly demo?: (context: CoreContext, plant: DemoPlant) => Promise<void>;
}
