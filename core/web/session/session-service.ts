import type { AxiosInstance } from 'axios';
import { computed, makeObservable, observable, observableRef, reaction, runInAction } from 'mobx';
import { routeUrl, refreshTokenInCookie, routes, storageKeys, type Product } from '#core';
import type { getMe, Me, Preferences, savePreferences } from '#core/api';
import { logError } from '../kernel/log.ts';
import type { Page } from '../kernel/page.ts';
import type { BrowserStorage, HttpClient, Notifications, Session, SessionState } from '../kernel/services.ts';
import type { UnsavedWork } from '../router/unsaved-work.ts';
import { buildLoginUrl, buildExpiredBannerUrl } from './login-url.ts';
import type { SessionHints } from './session-hints.ts';
import type { TokenManager } from './token-manager.ts';

export interface SessionOptions {
  readonly tokenManager: TokenManager;
  readonly http: HttpClient;
  /** HTTP client without a session, for the logout. */
  readonly transport: AxiosInstance;
  readonly storage: BrowserStorage;
  readonly notifications: Notifications;
  readonly unsavedWork: Pick<UnsavedWork, 'discard'>;
  readonly page: Page;
  readonly product: Product;
  readonly hints: SessionHints;
  /** Called when a person is signed in on this page. */
  readonly onSignedIn: () => void;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export const expiredNotice = 'core.session.expired';
export const failedToRenewNotice = 'core.session.failedToRenew';

/** The maximum time for which a logout waits for the server. */
const logoutTimeoutMs = 3_000;

const stateByTokenState = { none: 'signedOut', valid: 'signedIn', expired: 'expired', inactive: 'inactive' } as const;

/** The person's session: identity, expired banner, and logout. */
export class SessionService implements Session {
  me: Me | undefined = undefined;
  leaving = false;
  readonly #options: SessionOptions;

  constructor(options: SessionOptions) {
    this.#options = options;
    makeObservable(this, { me: observableRef, leaving: observable, state: computed, isAdmin: computed });
    reaction(
      () => options.tokenManager.state,
      (state, previous) => {
        if (state === 'expired') this.#showExpired();
        else this.#hideExpired();
        if (state === 'valid' && (previous === 'expired' || previous === 'inactive'))
          void this.#loadMe().catch((cause: unknown) =>
            logError('The person could not be reloaded after the login in another tab.', cause),
          );
      },
    );
  }

  get state(): SessionState {
    return stateByTokenState[this.#options.tokenManager.state];
  }

  get isAdmin(): boolean {
    return this.me?.isAdmin ?? this.#options.tokenManager.token?.isAdmin ?? this.#options.hints.isAdmin;
  }

  async resume(): Promise<boolean> {
    const { tokenManager, hints } = this.#options;
    if (tokenManager.state === 'none' && !hints.maybeSignedIn) return false;
    if (!(await tokenManager.resume())) return false;
    this.#options.onSignedIn();
    await this.#loadMe();
    return true;
  }

  async logout(options: { readonly error?: 'userData' } = {}): Promise<void> {
    const { tokenManager, transport, storage, hints, page, product, unsavedWork, wait } = this.#options;
    const { isAdmin } = this;
    this.#startLeaving();
    tokenManager.end('allTabs');
    hints.clear();
    storage.clear();
    unsavedWork.discard();
    const loggedOut = tokenManager
      .runExclusively(() => transport.post('/auth/pub/user/logout', { refreshToken: refreshTokenInCookie }))
      .catch((cause: unknown) =>
        logError('The logout could not be sent. The session ends after its idle time.', cause),
      );
    await Promise.race([loggedOut, wait(logoutTimeoutMs)]);
    const logoutAddress = product.login.logoutAddress;
    if (logoutAddress !== undefined) page.openExternal(logoutAddress);
    else page.open(buildLoginUrl({ isAdmin, ...(options.error && !isAdmin ? { error: options.error } : {}) }));
  }

  async savePreferences(preferences: Preferences): Promise<void> {
    const savedPreferences = await this.#options.http.call<typeof savePreferences>('PUT', '/api/me/preferences', {
      body: preferences,
    });
    this.#options.storage.set(storageKeys.customization, savedPreferences);
    runInAction(() => {
      if (this.me) this.me = { ...this.me, preferences: savedPreferences };
    });
  }

  /** Called when notices may have been written after `me` was loaded. */
  showNotices = (): void =>
    runInAction(() => {
      if (this.me) this.me = { ...this.me, notices: true };
    });

  reloadAll(): void {
    this.#options.tokenManager.reloadOthers();
    this.#options.page.reload();
  }

  /**
   * Leaves the page because of another tab: opens the login after a logout, and home after a login of another person.
   * After a reload, reloads the page.
   */
  leaveLikeOtherTab(reason: 'logout' | 'reload' | 'otherPerson'): void {
    const { page, storage, unsavedWork } = this.#options;
    if (reason === 'reload') return page.reload();
    const { isAdmin } = this;
    this.#startLeaving();
    unsavedWork.discard();
    storage.clear();
    page.open(reason === 'logout' ? buildLoginUrl({ isAdmin }) : routeUrl(routes.home, {}));
  }

  async #loadMe(): Promise<void> {
    const me = await this.#options.http.call<typeof getMe>('GET', '/api/me', {});
    const { storage } = this.#options;
    storage.set(storageKeys.userData, { email: me.username, isAdmin: me.isAdmin });
    storage.set(storageKeys.accessControl, me.access);
    storage.set(storageKeys.customization, me.preferences);
    storage.set(storageKeys.allowedLocations, me.access.locations);
    storage.set(storageKeys.loginSession, { username: me.username, resumedAt: new Date().toISOString() });
    runInAction(() => {
      this.me = me;
    });
  }

  #startLeaving(): void {
    runInAction(() => {
      this.me = undefined;
      this.leaving = true;
    });
  }

  #showExpired(): void {
    const { notifications, product, tokenManager } = this.#options;
    notifications.show({
      id: expiredNotice,
      kind: 'error',
      area: 'top',
      message: expiredNotice,
      action: { label: 'core.login', href: buildExpiredBannerUrl({ product, isAdmin: this.isAdmin }), newTab: true },
      dismissable: false,
    });
    if (tokenManager.failure === 'replyWithoutToken')
      notifications.show({
        id: failedToRenewNotice,
        kind: 'error',
        area: 'top',
        message: failedToRenewNotice,
        dismissable: true,
      });
  }

  #hideExpired(): void {
    this.#options.notifications.dismiss(expiredNotice);
    this.#options.notifications.dismiss(failedToRenewNotice);
  }
}
