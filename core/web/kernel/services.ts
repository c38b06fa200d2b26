import type { AxiosRequestConfig } from 'axios';
import {
  token,
  type AccessFlag,
  type AccessInfo,
  type Endpoint,
  type ErrorBody,
  type Language,
  type LocationNode,
  type ParamsOf,
  type Product,
  type ReplyOf,
  type RequestOf,
  type RouteRef,
  type SiteRecord,
} from '#core';
import type { Configuration, Me, Preferences } from '#core/api';
import type { ResourceState } from '../resource/resource-state.ts';

/**
 * Calls endpoints with the bearer token and the person's language. A 401 triggers one renewal and one retry. Rejects
 * with `ApiError`.
 */
export const HttpClient = token<HttpClient>('core.HttpClient');
export interface HttpClient {
  call<E extends Endpoint>(
    method: E['method'],
    path: E['path'],
    request: RequestOf<E>,
    options?: CallOptions,
  ): Promise<ReplyOf<E>>;
  /** Sends a request that is not a JSON call, such as an upload or a download, in the same session. */
  raw<T>(config: AxiosRequestConfig): Promise<T>;
}
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Upload progress, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  /** For background calls: they neither count as use nor renew the token, but wait until another call renews it. */
  readonly passive?: boolean;
}

/** A call failed. Without an answer of the server, `body` is undefined and `status` is 0. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: ErrorBody | undefined;
  /** Seconds until a retry makes sense, from the header `retry-after`. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: number,
    body: ErrorBody | undefined,
    options?: ErrorOptions & { readonly retryAfterSeconds?: number | undefined },
  ) {
    super(
      body?.message ?? (status === 0 ? 'The server could not be reached.' : `The server answered ${status}.`),
      options,
    );
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = options?.retryAfterSeconds;
  }
}

export type SessionState = 'signedOut' | 'signedIn' | 'expired' | 'inactive';

/** The person's session, shared by all tabs. Its state is observable. */
export const Session = token<Session>('core.Session');
export interface Session {
  readonly state: SessionState;
  readonly me: Me | undefined;
  readonly isAdmin: boolean;
  /** True if the session ended and the page navigates away. Callers must not navigate elsewhere. */
  readonly leaving: boolean;
  /**
   * Gets an access token from another tab or by renewal, then loads the person. Resolves to false if nobody is signed
   * in.
   */
  resume(): Promise<boolean>;
  /**
   * Ends the session in all tabs and goes to the configured logout URL, else to the login. The login page shows the
   * message of `error`, except to admins.
   */
  logout(options?: { readonly error?: 'userData' }): Promise<void>;
  savePreferences(preferences: Preferences): Promise<void>;
  /** Reloads this page and all other tabs. */
  reloadAll(): void;
}

/** The access of the signed-in person. Its state is observable. */
export const Access = token<Access>('core.Access');
export interface Access {
  readonly info: AccessInfo;
  has(flag: AccessFlag | undefined): boolean;
}

/** The accessible locations as a tree, in the order of the profile. Its state is observable. */
export const Locations = token<Locations>('core.Locations');
export interface Locations {
  readonly state: ResourceState;
  /** Error of the last load; undefined if it succeeded. */
  readonly failure: unknown;
  readonly roots: readonly LocationNode[];
  /** Loads the locations, or joins a running load. */
  load(): Promise<void>;
  /** Loads the locations again after a change. Discards a running load, which may not contain the change. */
  reload(): Promise<void>;
  find(uid: string): LocationNode | undefined;
  /** The locations from the root to this location. */
  pathTo(uid: string): readonly LocationNode[];
}

/** Site records of all accessible sites: time zone, frame and vertical datum. Its state is observable. */
export const Sites = token<Sites>('core.Sites');
export interface Sites {
  /**
   * The record of a location's site. Returns a default record with the deployment's time zone if the site has none, if
   * there is no site, and until the locations are loaded.
   */
  recordAt(location: string | undefined): SiteRecord;
}

export const ProductInfo = token<Product>('core.ProductInfo');

/** The configuration for signed-in screens, empty until loaded. Its state is observable. */
export const ProductConfiguration = token<ProductConfiguration>('core.ProductConfiguration');
export interface ProductConfiguration {
  readonly state: ResourceState;
  /** Error of the last load; undefined if it succeeded. */
  readonly failure: unknown;
  readonly value: Configuration;
  load(): Promise<void>;
}

/** Messages of the current language, with English as fallback. Its state is observable. */
export const I18n = token<I18n>('core.I18n');
export interface I18n {
  readonly language: Language;
  readonly available: readonly Language[];
  setLanguage(language: Language): Promise<void>;
  /** Formats a message by id; use `<Message>` for rich-text values. */
  text(id: string, values?: Readonly<Record<string, string | number | Date>>): string;
}

export type NoticeKind = 'info' | 'success' | 'warning' | 'error';
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly area: 'top' | 'bottom';
  /** Message id. */
  readonly message: string;
  /** Values of the message. */
  readonly values?: Readonly<Record<string, string | number>>;
  readonly action?: {
    /** Message id. */
    readonly label: string;
    readonly href?: string;
    readonly newTab?: boolean;
    readonly run?: () => void;
  };
  readonly dismissable: boolean;
}
/** The notices in the banner areas at the top and the bottom. Its state is observable. */
export const Notifications = token<Notifications>('core.Notifications');
export interface Notifications {
  readonly notices: readonly Notice[];
  /** The latest 20 dismissed notices since the page load, newest first, for the bell. */
  readonly past: readonly Notice[];
  /** Shows a notice, replacing one with the same id. */
  show(notice: Notice): void;
  dismiss(id: string): void;
}

/** JSON values in localStorage or sessionStorage, cleared at logout. */
export const BrowserStorage = token<BrowserStorage>('core.BrowserStorage');
export interface BrowserStorage {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  remove(key: string): void;
  clear(): void;
  /** Calls `listener` after another tab has changed the value of a key. Returns a function that unsubscribes. */
  onChange(key: string, listener: () => void): () => void;
}

export interface RecentScreen {
  readonly url: string;
  readonly title: string;
}
/** Navigates to screens by route ref and records the latest 10 screens. Its state is observable. */
export const Navigation = token<Navigation>('core.Navigation');
export interface Navigation {
  readonly recentScreens: readonly RecentScreen[];
  /** The browser's URL with its query. It is already updated while the next screen loads. */
  readonly url: string;
  /** The URL of a screen; undefined if its plugin is off or the person may not see it. */
  linkTo<R extends RouteRef>(route: R, params: ParamsOf<R>): string | undefined;
  goTo<R extends RouteRef>(route: R, params: ParamsOf<R>, options?: { readonly replace?: boolean }): void;
  goToUrl(url: string, options?: { readonly replace?: boolean }): void;
}

/** Server events over one stream per tab. After a reconnect, the stream resumes after the last received event. */
export const ServerEvents = token<ServerEvents>('core.ServerEvents');
export interface ServerEvents {
  /**
   * Subscribes and returns a function that unsubscribes. A topic that ends in `*` matches by prefix. On connecting, the
   * server may replay events of the preceding seconds. To keep a list current, use `followChanges` instead.
   */
  on(topic: string, listener: (data: unknown) => void): () => void;
}

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];
/** The light, dark or high-contrast theme of the page. Its state is observable. */
export const Appearance = token<Appearance>('core.Appearance');
export interface Appearance {
  readonly theme: Theme;
  /** Whether the page is dark now, with `system` resolved. */
  readonly dark: boolean;
  setTheme(theme: Theme): void;
}
