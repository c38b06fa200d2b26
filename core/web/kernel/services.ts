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
 * Calls endpoints: bearer token, one renewal and one retry on a 401, French or English `accept-language`. Rejects with
 * `ApiError`.
 */
export const HttpClient = token<HttpClient>('core.HttpClient');
export interface HttpClient {
  call<E extends Endpoint>(
    method: E['method'],
    path: E['path'],
    request: RequestOf<E>,
    options?: CallOptions,
  ): Promise<ReplyOf<E>>;
  /** For what is no endpoint of ours in JSON: files up and down, with the same session. */
  raw<T>(config: AxiosRequestConfig): Promise<T>;
}
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Upload progress, 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
}

/** Why a call failed. `body` is missing where no answer came (`status` 0: offline, timed out). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: ErrorBody | undefined;
  /** After which the same call makes sense again, where the answer says so in seconds (`retry-after`). */
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

/** The person's session, shared by all tabs. Observable (MobX). */
export const Session = token<Session>('core.Session');
export interface Session {
  readonly state: SessionState;
  readonly me: Me | undefined;
  readonly isAdmin: boolean;
  /** The session ended here and the page is about to go elsewhere: nothing else is to lead it anywhere. */
  readonly leaving: boolean;
  /**
   * Gets an access token from another tab or by renewal, then the person. Resolves to false where nobody is signed in.
   */
  resume(): Promise<boolean>;
  /**
   * Ends the session in all tabs and goes to the configured logout address, else to the login. `error`: what the login
   * then says (people who are no admin).
   */
  logout(options?: { readonly error?: 'userData' }): Promise<void>;
  savePreferences(preferences: Preferences): Promise<void>;
  /** Loads this page and those of all other tabs anew. */
  reloadAll(): void;
}

/** What the signed-in person may do. Observable. */
export const Access = token<Access>('core.Access');
export interface Access {
  readonly info: AccessInfo;
  has(flag: AccessFlag | undefined): boolean;
}

/** The locations the person's roles reach, as a tree in the order that the profile sets. Observable. */
export const Locations = token<Locations>('core.Locations');
export interface Locations {
  readonly state: ResourceState;
  /** Error of the last load; undefined if it succeeded. */
  readonly failure: unknown;
  readonly roots: readonly LocationNode[];
  load(): Promise<void>;
  find(uid: string): LocationNode | undefined;
  /** From the root to the location itself. */
  pathTo(uid: string): readonly LocationNode[];
}

/** What holds at each site that the person reaches: time zone, frame, vertical datum. Observable. */
export const Sites = token<Sites>('core.Sites');
export interface Sites {
  /**
   * The record of the site that a location belongs to. The defaults (the deployment's time zone) for a site without
   * one, for what belongs to no site, and until the locations are loaded.
   */
  recordAt(location: string | undefined): SiteRecord;
}

export const ProductInfo = token<Product>('core.ProductInfo');

/** The configuration that the signed-in screens show. Observable; empty until loaded. */
export const ProductConfiguration = token<ProductConfiguration>('core.ProductConfiguration');
export interface ProductConfiguration {
  readonly state: ResourceState;
  /** Error of the last load; undefined if it succeeded. */
  readonly failure: unknown;
  readonly value: Configuration;
  load(): Promise<void>;
}

/** Messages of the chosen language, English where French lacks one. Observable. */
export const I18n = token<I18n>('core.I18n');
export interface I18n {
  readonly language: Language;
  readonly available: readonly Language[];
  setLanguage(language: Language): Promise<void>;
  /** Formats a message by id; values may be rich text through `<Message>` instead. */
  text(id: string, values?: Readonly<Record<string, string | number | Date>>): string;
}

export type NoticeKind = 'info' | 'success' | 'warning' | 'error';
export interface Notice {
  readonly id: string;
  readonly kind: NoticeKind;
  readonly area: 'top' | 'bottom';
  /** Message id and its values. */
  readonly message: string;
  readonly values?: Readonly<Record<string, string | number>>;
  readonly action?: {
    readonly label: string;
    readonly href?: string;
    readonly newTab?: boolean;
    readonly run?: () => void;
  };
  readonly dismissable: boolean;
}
/** The banner areas at the top and the bottom. Observable. */
export const Notifications = token<Notifications>('core.Notifications');
export interface Notifications {
  readonly notices: readonly Notice[];
  /** What the person dismissed since the page was loaded, the newest first, at most 20: the bell shows it again. */
  readonly past: readonly Notice[];
  /** A notice with the id of one that shows replaces it. */
  show(notice: Notice): void;
  dismiss(id: string): void;
}

/** Keys in web storage, cleared at logout. Values are JSON. */
export const BrowserStorage = token<BrowserStorage>('core.BrowserStorage');
export interface BrowserStorage {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  remove(key: string): void;
  clear(): void;
}

export interface TrailEntry {
  readonly address: string;
  readonly title: string;
}
/** Goes to screens by route ref, and keeps the latest 10 addresses. Observable. */
export const Navigation = token<Navigation>('core.Navigation');
export interface Navigation {
  readonly trail: readonly TrailEntry[];
  /** Where the browser is, query included; also while the screen there is still being loaded and another one shows. */
  readonly address: string;
  /** The address of a screen; undefined where its plugin is not in the product or the person may not see it. */
  linkTo<R extends RouteRef>(route: R, params: ParamsOf<R>): string | undefined;
  goTo<R extends RouteRef>(route: R, params: ParamsOf<R>, options?: { readonly replace?: boolean }): void;
  goToAddress(address: string, options?: { readonly replace?: boolean }): void;
}

/** Events of the server, over one stream for all tabs' needs of this tab; reconnects by itself from the last id. */
export const ServerEvents = token<ServerEvents>('core.ServerEvents');
export interface ServerEvents {
  /**
   * Returns a function that ends the subscription. A topic ending in `*` matches by prefix. Events of the seconds
   * before the subscription may come first. To keep rows current use `followChanges`.
   */
  on(topic: string, listener: (data: unknown) => void): () => void;
}

export const themes = ['system', 'light', 'dark', 'contrast'] as const;
export type Theme = (typeof themes)[number];
/** Light, dark or high contrast, on the document's root. Observable. */
export const Appearance = token<Appearance>('core.Appearance');
export interface Appearance {
  readonly theme: Theme;
  readonly dark: boolean;
  setTheme(theme: Theme): void;
}
