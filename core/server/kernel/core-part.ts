import type { Registry } from 'prom-client';
import type { DemoPlant, Product } from '#core';
import type { Database } from '../database/database.ts';
import type { Migration } from '../database/migration.ts';
import type { Clock } from './clock.ts';
import type { DiskSpaceMonitor } from './disk-space.ts';
import type { RawEndpoint, RawHandler } from './raw-endpoint.ts';
import type { ServerConfig } from './server-config.ts';
import type { Api, ServerContext } from './server-plugin.ts';

/** The API of core's own parts, including endpoints whose body or reply is not JSON. */
export interface CoreApi extends Api {
  serveRaw<E extends RawEndpoint>(endpoint: E, handler: RawHandler<E>): void;
}

/**
 * The context of core's own parts. `files`, `jobs`, `events`, `locations` and `sites` are services of the parts; each
 * throws if used before its part is mounted.
 */
export interface CoreContext extends Omit<
  ServerContext<unknown, undefined>,
  'tables' | 'changes' | 'registerLocationContents' | 'registerCheck' | 'registerSiteContent'
> {
  /** All parts share the schema `core`: `database.of<...>('core')`. */
  readonly database: Database;
  readonly config: ServerConfig;
  readonly disk: DiskSpaceMonitor;
  readonly clock: Clock;
  readonly product: Product;
  /**
   * Returns the public URL without a trailing slash. If none is configured, it is the listening URL, which is known
   * once the server listens.
   */
  readonly getPublicUrl: () => string;
  /** The prom-client registry of this server, exported at `/metrics`. Do not use the global registry. */
  readonly metrics: Registry;
  /**
   * `start` is called when everything is mounted, before the server listens. It starts loops, timers and listeners. Not
   * called by `walkdown migrate` and similar commands.
   */
  onStart(start: () => Promise<void> | void): void;
  /**
   * `start` is called after all `onStart` functions and, if the server listens, once `getPublicUrl` returns the final
   * URL.
   */
  onListening(start: () => Promise<void> | void): void;
  /**
   * `stop` is called when the server stops, before connections and the database are closed, in reverse order. It ends
   * streams and releases leases.
   */
  onStop(stop: () => Promise<void> | void): void;
}

/**
 * One part of core's server, such as auth, access, files, jobs or events. Parts are stateless, because several servers
 * may run in one process: `mount` creates the state and provides it as services.
 */
export interface CorePart {
  readonly id: string;
  /** Applied to the schema `core`, in the order of the parts. */
  readonly migrations: readonly Migration[];
  /** Called after all migrations. Parts are mounted in the order of `core-parts.ts`, and before plugins. */
  readonly mount: (api: CoreApi, context: CoreContext) => Promise<void> | void;
  /** Adds the part's rows of the demo plant before plugins add theirs. Idempotent. */
  readonly demo?: (context: CoreContext, plant: DemoPlant) => Promise<void>;
}
