import { token, type AccessFlag } from '#core';

export interface Role {
  readonly uid: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  /** In the order of `accessFlags`. */
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  /** uids, sorted; what `allLocations` makes unneeded is kept all the same. */
  readonly locations: readonly string[];
  readonly createdAt: Date;
}

export interface NewRole {
  /** Made where it is absent. */
  readonly uid?: string;
  readonly name: string;
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  readonly locations?: readonly string[];
}

/** Roles and what they grant. Every change is felt by signed-in people at their next call, in all processes. */
export interface Roles {
  /** By name. */
  list(): Promise<readonly Role[]>;
  find(uid: string): Promise<Role | undefined>;
  /**
   * Throws `conflict` (409) on a name that is taken, without regard to case, and `invalidRequest` (400) on an unknown
   * location.
   */
  create(role: NewRole): Promise<Role>;
  /** Throws `notFound`, and as `create` does. What is absent stays. */
  update(
    uid: string,
    change: {
      readonly name?: string;
      readonly flags?: readonly AccessFlag[];
      readonly allLocations?: boolean;
      readonly locations?: readonly string[];
    },
  ): Promise<Role>;
  /** Inactive: gives nothing to anybody until it is active again. Throws `notFound`. */
  setStatus(uid: string, status: Role['status']): Promise<Role>;
}
export const Roles = token<Roles>('core.Roles');
