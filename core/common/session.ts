/** What browser and server share of a session. */

/** Sent at login by our own pages: the refresh token then travels in an HttpOnly cookie and never in a body. */
export const tokenTransportHeader = 'x-token-transport';
/** Stands in the body's `refreshToken` where the real one is in the cookie. */
export const refreshTokenInCookie = 'cookie';

export const cookieNames = {
  /** HttpOnly, SameSite=Strict, Path=/auth/pub/user. */
  refreshToken: 'refreshToken',
  /** HttpOnly, SameSite=Strict, Path=/api/files: opens files for <img> and fetch without a bearer token. */
  fileTicket: 'fileTicket',
  /**
   * HttpOnly, SameSite=Strict, Path=/auth/api/user: the one-time code that this browser asked for works with it alone.
   */
  codeRequest: 'codeRequest',
  /** Hints for the screen, readable by scripts, never trusted by the server. */
  isAdmin: 'isAdmin',
  username: 'username',
  /** What the person chose on this device, known before anybody is signed in. */
  language: 'language',
  theme: 'theme',
} as const;

export const cookieLifetimeSeconds = 365 * 24 * 60 * 60;

/** The channel and the lock that all tabs of one origin share. */
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

/**
 * What `storageKeys.tourSession` holds: the tour view that the person was last at, so that home can lead back to it.
 */
export interface TourSession {
  /** uid of the location whose tour it is. */
  readonly location: string;
  /** The whole view as an address within the base path. */
  readonly address: string;
  /** Name of the place, such as the node's. */
  readonly title: string;
  /** Address of a picture of the place. */
  readonly picture?: string;
  /** ISO 8601. */
  readonly at: string;
}
