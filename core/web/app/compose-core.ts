import type { AxiosAdapter } from 'axios';
import { Container } from 'inversify';
import type { Product } from '#core';
import { AccessService } from '../access/access-service.ts';
import { LocationsService } from '../access/locations-service.ts';
import { SitesService } from '../access/sites-service.ts';
import { readApiBase } from '../http/api-base.ts';
import { SessionHttpClient } from '../http/http-client.ts';
import { ServerEventsService } from '../http/server-events-service.ts';
import { openTransport } from '../http/transport.ts';
import { coreMessages, I18nService } from '../i18n/i18n-service.ts';
import { MessageCatalog } from '../kernel/message-catalog.ts';
import { GuardedHistory } from '../router/guarded-history.ts';
import { NavigationService } from '../router/navigation-service.ts';
import { RouteTable } from '../router/route-table.ts';
import { RecentScreensRecorder } from '../router/recent-screens-recorder.ts';
import { UnsavedWork, UnsavedWorkService } from '../router/unsaved-work.ts';
import { Routes } from '../router/use-menu.ts';
import { WebBrowserStorage } from '../session/browser-storage.ts';
import { followPreferences, saveChoice } from '../session/follow-preferences.ts';
import { createRenewalCall } from '../http/renewal-call.ts';
import { openRenewalLock, isOtherTabPresent, holdPresenceLock } from '../session/renewal-lock.ts';
import { openSessionChannel } from '../session/session-channel.ts';
import { CookieSessionHints } from '../session/session-hints.ts';
import { SessionService } from '../session/session-service.ts';
import { TokenManager } from '../session/token-manager.ts';
import { AppearanceService } from '../kernel/appearance-service.ts';
import { chooseLanguage, readCookie } from '../kernel/device-choices.ts';
import { NotificationsService } from '../kernel/notifications-service.ts';
import { BrowserPage, Page } from '../kernel/page.ts';
import { coreScope, PluginHost } from '../kernel/plugin-host.ts';
import { ProductConfigurationService } from './product-configuration-service.ts';
import {
  Access,
  Appearance,
  BrowserStorage,
  HttpClient,
  I18n,
  Locations,
  Navigation,
  Notifications,
  ProductConfiguration,
  ProductInfo,
  ServerEvents,
  Session,
  Sites,
} from '../kernel/services.ts';
import type { InstalledPlugin } from '../kernel/web-plugin.ts';

/** Replacements for browser APIs in tests. */
export interface CoreEnvironment {
  readonly adapter?: AxiosAdapter;
  readonly page?: Page;
  readonly locks?: LockManager;
  readonly fetch?: typeof fetch;
}

export interface Core {
  readonly host: PluginHost;
  readonly session: SessionService;
  readonly tokenManager: TokenManager;
  readonly i18n: I18nService;
  readonly notifications: NotificationsService;
  readonly page: Page;
  dispose(): void;
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** Creates and connects core's services, once per page. Plugins find them in the host's root container. */
export function composeCore(
  product: Product,
  plugins: readonly InstalledPlugin[],
  environment: CoreEnvironment = {},
): Core {
  const { adapter, page = new BrowserPage(), locks = navigator.locks as LockManager | undefined } = environment;
  const host = new PluginHost(new Container({ defaultScope: 'Singleton' }));
  host.install(plugins);

  const apiUrl = readApiBase();
  const transport = openTransport(adapter, apiUrl);
  const channel = openSessionChannel();
  const sameOrigin = apiUrl === '';
  const hints = new CookieSessionHints(sameOrigin);
  const storage = new WebBrowserStorage();
  const notifications = new NotificationsService();
  const unsavedWork = new UnsavedWorkService();

  const tokenManager: TokenManager = new TokenManager({
    channel,
    lock: openRenewalLock(locks),
    renew: createRenewalCall(transport),
    isOtherTabPresent: () => isOtherTabPresent(locks),
    hints,
    now: Date.now,
    wait,
    onLeave: (reason) => session.leaveLikeOtherTab(reason),
  });

  const i18n = new I18nService({
    available: product.languages,
    language: chooseLanguage(product.languages),
    listMessageSources: (plugin) =>
      plugin === coreScope
        ? coreMessages
        : plugins
            .filter(({ id }) => id === plugin)
            .flatMap(({ web }) => [web.messages ?? [], web.refusalMessages ?? []].flat()),
    onChosen: (language) => saveChoice(() => session, { language }),
  });
  const appearance = new AppearanceService({
    savedTheme: readCookie('theme'),
    onChosen: (theme) => saveChoice(() => session, { theme }),
    root: document.documentElement,
    prefersDark: window.matchMedia('(prefers-color-scheme: dark)'),
  });

  const http = new SessionHttpClient(transport, tokenManager, () => i18n.language);
  const session = new SessionService({
    tokenManager,
    http,
    transport,
    storage,
    notifications,
    unsavedWork,
    page,
    product,
    hints,
    onSignedIn: () => holdPresenceLock(locks),
    wait,
  });
  const access = new AccessService(session);
  const history = new GuardedHistory(unsavedWork);
  const table = new RouteTable(host);
  const navigation = new NavigationService({ table, session, access, history, page });
  followPreferences(session, i18n, appearance);

  const [order] = plugins.flatMap(({ web, settings }) => web.locationOrder?.(settings) ?? []);
  const { root } = host;
  root.bind(ProductInfo).toConstantValue(product);
  root.bind(Page).toConstantValue(page);
  root.bind(HttpClient).toConstantValue(http);
  root.bind(Session).toConstantValue(session);
  root.bind(Access).toConstantValue(access);
  const locations = new LocationsService(http, order);
  root.bind(Locations).toConstantValue(locations);
  root.bind(Sites).toConstantValue(new SitesService(locations, product.timeZone));
  root.bind(ProductConfiguration).toConstantValue(new ProductConfigurationService(http));
  root.bind(I18n).toConstantValue(i18n);
  root.bind(MessageCatalog).toConstantValue(i18n);
  root.bind(Notifications).toConstantValue(notifications);
  root.bind(BrowserStorage).toConstantValue(storage);
  root.bind(Navigation).toConstantValue(navigation);
  root.bind(RecentScreensRecorder).toConstantValue(navigation);
  root.bind(Routes).toConstantValue(table);
  root.bind(GuardedHistory).toConstantValue(history);
  root.bind(UnsavedWork).toConstantValue(unsavedWork);
  root.bind(Appearance).toConstantValue(appearance);
  root.bind(ServerEvents).toConstantValue(
    new ServerEventsService({
      tokenManager,
      apiUrl,
      fetch: environment.fetch ?? ((...request) => fetch(...request)),
      wait,
    }),
  );

  return {
    host,
    session,
    tokenManager,
    i18n,
    notifications,
    page,
    dispose: () => {
      tokenManager.dispose();
      channel.close();
      history.dispose();
    },
  };
}
