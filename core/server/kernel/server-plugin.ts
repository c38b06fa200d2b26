import type { Kysely } from 'kysely';
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
import type { Migration } from '../database/migration.ts';
import type { Events } from '../events/events.ts';
import type { FileGuard, FileStore } from '../files/file-store.ts';
import type { ReceivedUpload, UploadRules } from '../files/receive-upload.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { PreparedReply } from './prepared-reply.ts';
import type { LocationStore } from '../access/location-store.ts';
import type { SiteStore } from '../access/site-store.ts';

/**
 * What a handler is given: the validated parts of the request, and who calls. For a public endpoint `caller` is whoever
 * a valid token names, or undefined.
 */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOfEndpoint<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  readonly caller: E['access'] extends 'public' ? Caller | undefined : Caller;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The reference that the log, an error's answer and the audit log have in common. */
  readonly requestId: string;
  /** For what is not JSON: cookies, headers, files of the answer. */
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
 * Serves endpoints. The kernel has validated the request and enforced `access` and `location` before the handler runs;
 * what the reply's schema does not name is dropped.
 */
export interface Api {
  serve<E extends Endpoint>(
    endpoint: E,
    handler: (call: Call<E>) => Promise<ReplyOf<E> | PreparedReply> | ReplyOf<E> | PreparedReply,
  ): void;
  /**
   * Serves a form with files (`multipart/form-data`) at an endpoint without a body. The files lie in a temporary place
   * until the handler has ended: put into `files` what shall stay.
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
   * The plugin's own Postgres schema. Take a transaction with `.transaction().execute(...)` and inside it use only what
   * it hands over.
   */
  readonly tables: Kysely<Tables>;
  readonly files: FileStore;
  readonly jobs: Jobs;
  readonly events: Events;
  readonly locations: LocationStore;
  readonly sites: SiteStore;
  readonly log: Logger;
  /**
   * Registers what is asked before files that name this guard are read, beside whether the person reaches their
   * location. Called while the plugin is mounted, once a name.
   */
  guardFiles(name: string, guard: FileGuard): void;
  /**
   * A service that another plugin (listed in `requires`, or in `bridges` and on) or core provides. Throws with the
   * token's name where nobody does.
   */
  service<T>(token: Token<T>): T;
  /** Offers a service to others. Called while the plugin is mounted, before any request. */
  provide<T>(token: Token<T>, implementation: T): void;
}

/**
 * Rows of the demo plant: called once on an empty database by `walkdown demo`; calling it again changes nothing. What a
 * plugin reads beyond core's part of the plant is optional in `Plant`: the caller may not have it.
 */
export type DemoRows<Tables = unknown, Plant extends DemoPlant = DemoPlant, Settings = unknown> = (
  context: ServerContext<Tables, Settings>,
  plant: Plant,
) => Promise<void>;

export interface ServerPlugin<M extends PluginManifest = PluginManifest, Tables = unknown> {
  /** Forward only, applied in this order into the plugin's own Postgres schema (the plugin's id with `_` for `-`). */
  readonly migrations?: readonly Migration[];
  readonly api?: (api: Api, context: ServerContext<Tables, SettingsOf<M>>) => void;
  readonly demo?: () => Promise<{ readonly default: DemoRows<Tables, DemoPlant, SettingsOf<M>> }>;
}

/** Curried, so that the manifest and the plugin's tables come along as types. */
export const serverPlugin =
  <M extends PluginManifest, Tables = unknown>() =>
  (plugin: ServerPlugin<M, Tables>): ServerPlugin<M, Tables> =>
    plugin;

/** `server/bridges/<other>.ts` exports one as default: run after both plugins are mounted. */
export type ServerBridge<Tables = unknown> = (api: Api, context: ServerContext<Tables>) => void;
