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
