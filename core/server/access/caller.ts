import type { AccessInfo, UserType } from '#core';

/** The signed-in person behind a call. */
export interface Caller {
  readonly uid: string;
  readonly username: string;
  readonly userType: UserType;
  readonly isAdmin: boolean;
  readonly access: AccessInfo;
  /** The session (family of refresh tokens) the call belongs to. */
  readonly session: string;
}
