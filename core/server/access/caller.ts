import type { AccessInfo, UserType } from '#core';

/** The signed-in person behind a call. */
export interface Caller {
  readonly uid: string;
  readonly username: string;
  readonly userType: UserType;
  readonly isAdmin: boolean;
  readonly access: AccessInfo;
  /** The id of the session of the call. Empty for jobs and the command line, which have none (`Callers`). */
  readonly session: string;
}
