import type { Kysely, RawBuilder, SqlBool } from 'kysely';
import type { Logger } from 'pino';
import type {
  BodyOf,
  DemoPlant,
  Endpoint,
  ParamsOfEndpoint,
  PluginManifest,
  QueryOf,
  ReplyOf,
  SettingsOf,
  Token,
} from '#core';
import type { Caller } from '../access/caller.ts';
import type { ContentChanges } from '../changes/content-changes.ts';
import type { ContentCheck } from '../content-checks/content-checks.ts';
import type { Migration } from '../database/migration.ts';
import type { Events } from '../events/events.ts';
import type { FileGuard, FileStore } from '../files/file-store.ts';
import type { ReceivedUpload, UploadRules } from '../files/receive-upload.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { PreparedReply } from './prepared-reply.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { SiteStore } from '../access/site-store.ts';
import type { SiteContent } from '../site-contents/site-contents.ts';

/**
 * The input of a handler: the validated parts of the request, and the caller. On a public endpoint `caller` is the
 * person of a valid token, or undefined.
 */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOfEndpoint<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly caller: E['access'] extends 'public' ? Caller | undefined : Caller;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The reference shared by the log, error replies and the audit log. */
  readonly requestId: string;
  /** Access to cookies and headers. */
  readonly http: CallHttp;
}

export interface CallHttp {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  readonly address: string;
  setCookie(name: string, value: string, options: CookieOptions): void;
  clearCookie(name: string, options: CookieOptions): void;
  setHeader(name: string, value: string): void;
}

export interface CookieOptions {
  /** Over https an HttpOnly cookie has the prefix `__Host-` and the path `/` instead. */
  readonly path: string;
  readonly httpOnly?: boolean;
  readonly maxAgeSeconds?: number;
}

/**
 * Serves endpoints. Before the handler runs, the kernel validates the request and enforces `access` and `location`;
 * properties outside the reply schema are removed.
 */
export interface Api {
  serve<E extends Endpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<ReplyOf<E> | PreparedReply> | ReplyOf<E> | PreparedReply,
  ): void;
  /**
   * Serves a form with files (`multipart/form-data`) at an endpoint without a body. The files are temporary until the
   * handler ends: store what must stay in `files`.
   */
  serveUpload<E extends Endpoint>(
    endpoint: E,
    rules: UploadRules,
    handler: (call: Call<E>, upload: ReceivedUpload) => Promise<ReplyOf<E>>,
  ): void;
}

export interface ServerContext<Tables = unknown, Settings = unknown> {
  readonly settings: Settings;
  /**
   * The plugin's own Postgres schema. Start transactions by `.transaction().execute(...)`, and use only the transaction
   * inside.
   */
  readonly tables: Kysely<Tables>;
  /** Changes of the plugin's tables that can be undone. */
  readonly changes: ContentChanges<Tables>;
  readonly files: FileStore;
  readonly jobs: Jobs;
  readonly events: Events;
  readonly locations: LocationStore;
  readonly sites: SiteStore;
  readonly log: Logger;
  /**
   * Registers an additional check before files with this guard are read, after the check of their location. Call it
   * while the plugin is mounted, once per name.
   */
  guardFiles(name: string, guard: FileGuard): void;
  /**
   * Registers a table whose rows belong to the location in its column `location`. A location with such rows cannot be
   * deleted. `message` is the id of a text with the placeholder `count`, such as "2 tours". `where` selects the rows
   * that count. Call it while the plugin is mounted.
   */
  registerLocationContents(message: string, table: keyof Tables & string, where?: RawBuilder<SqlBool>): void;
  /** Registers a check of contents that admins maintain. Call it while the plugin is mounted. */
  registerCheck(check: ContentCheck): void;
  /** Registers a content of sites, for exports and imports of whole sites. Call it while the plugin is mounted. */
  registerSiteContent(content: SiteContent): void;
  /**
   * Runs a cleanup when the server listens and every six hours, alone or together with other servers. Call it while the
   * plugin is mounted.
   */
  scheduleCleanup(cleanup: () => Promise<void>): void;
  /**
   * A service of core or of another plugin (in `requires`, or enabled and in `bridges`).
   *
   * @throws with the token's name if there is no provider
   */
  service<T>(token: Token<T>): T;
  /** Provides a service to others. Call it while the plugin is mounted, before any request. */
  provide<T>(token: Token<T>, implementation: T): void;
}

/**
 * Adds rows of the demo plant; `walkdown demo` calls it on an empty database. Must be idempotent. Everything in `Plant`
 * beyond core's part is optional.
 */
export type SeedDemo<Tables = unknown, Plant extends DemoPlant = DemoPlant, Settings = unknown> = (
  context: ServerContext<Tables, Settings>,
  plant: Plant,
) => Promise<void>;

export interface ServerPlugin<M extends PluginManifest = PluginManifest, Tables = unknown> {
  /** Forward only, applied in this order to the plugin's own Postgres schema (the plugin's id with `_` for `-`). */
  readonly migrations?: readonly Migration[];
  readonly api?: (api: Api, context: ServerContext<Tables, SettingsOf<M>>) => void;
  readonly demo?: () => Promise<{ readonly default: SeedDemo<Tables, DemoPlant, SettingsOf<M>> }>;
}

/** Curried, so that the types of the manifest and the plugin's tables are inferred. */
export const serverPlugin =
  <M extends PluginManifest, Tables = unknown>() =>
  (plugin: ServerPlugin<M, Tables>): ServerPlugin<M, Tables> =>
    plugin;

/** The default export of `server/bridges/<other>.ts`: called after both plugins are mounted. */
export type ServerBridge<Tables = unknown> = (api: Api, context: ServerContext<Tables>) => void;
