import type { AccessInfo, UserType } from '#core';

/** The signed-in person behind a call. */
export interface Caller {
  readonly uid: string;
  readonly username: string;
  readonly userType: UserType;
  readonly isAdmin: boolean;
  readonly access: AccessInfo;
  /** The session (family of refresh tokens) of the call. */
  readonly session: string;
}
