/** Constants of a session that browser and server share. */

/** Header of our own pages at login. The server then sends the refresh token in an HttpOnly cookie, not in the body. */
export const tokenTransportHeader = 'x-token-transport';
/** Placeholder in the body's `refreshToken` when the real one is in the cookie. */
export const refreshTokenInCookie = 'cookie';

export const cookieNames = {
  /** HttpOnly, SameSite=Strict, Path=/auth/pub/user. */
  refreshToken: 'refreshToken',
  /** HttpOnly, SameSite=Strict, Path=/api/files: authorises <img> and fetch without a bearer token. */
  fileTicket: 'fileTicket',
  /** HttpOnly, SameSite=Strict, Path=/auth/api/user: binds a one-time code to the browser that requested it. */
  codeRequest: 'codeRequest',
  /** Hints for the screen, readable by scripts, never trusted by the server. */
  isAdmin: 'isAdmin',
  username: 'username',
  /** The person's choices on this device, available before sign-in. */
  language: 'language',
  theme: 'theme',
} as const;

export const cookieLifetimeSeconds = 365 * 24 * 60 * 60;

/** The channel and the lock shared by all tabs of one origin. */
export const sessionChannelName = 'walkdown.session';
export const renewalLockName = 'walkdown.renewal';

export const broadcastTypes = ['LOGOUT', 'LOGIN', 'RELOAD', 'TOKEN_VALID', 'TOKEN_INVALID'] as const;
export type BroadcastType = (typeof broadcastTypes)[number];

/** Keys in web storage, all cleared at logout. */
export const storageKeys = {
  userData: 'userData',
  accessControl: 'accessControl',
  customization: 'customization',
  allowedLocations: 'allowedLocations',
  loginSession: 'loginSession',
  tourSession: 'tourSession',
  tourCategory: 'tourCategory',
  modelView: 'modelView',
} as const;

/** Value of `storageKeys.tourSession`: the person's last tour view, to which home links. */
export interface TourSession {
  /** uid of the tour's location. */
  readonly location: string;
  /** The view as a URL within the base path. */
  readonly address: string;
  /** Title of the view, such as the name of its node. */
  readonly title: string;
  /** URL of an image of the view. */
  readonly picture?: string;
  /** Time of the view, ISO 8601. */
  readonly at: string;
}
