import { token, type AccessFlag } from '#core';

export interface Role {
  readonly uid: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
  /** In the order of `accessFlags`. */
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  /** Sorted uids. They are stored even if `allLocations` makes them redundant. */
  readonly locations: readonly string[];
  readonly createdAt: Date;
  /** 1 at first. Each change through the change journal increments it. */
  readonly version: number;
}

export interface NewRole {
  /** Generated if absent. */
  readonly uid?: string;
  readonly name: string;
  readonly flags: readonly AccessFlag[];
  readonly allLocations: boolean;
  readonly locations?: readonly string[];
}

/** The roles of a product. Every change applies from the next request of signed-in people, in all processes. */
export interface Roles {
  /** Sorted by name. */
  list(): Promise<readonly Role[]>;
  find(uid: string): Promise<Role | undefined>;
  /** The roles of an account, active or not, sorted by name. */
  listOf(account: string): Promise<readonly Role[]>;
  /**
   * Creates a role.
   *
   * @throws `conflict` (409) if a role has this name, regardless of case; `invalidRequest` (400) on an unknown location
   */
  create(role: NewRole): Promise<Role>;
  /**
   * Changes the given properties only.
   *
   * @throws `notFound`, and the errors of `create`
   */
  update(
    uid: string,
    change: {
      readonly name?: string;
      readonly flags?: readonly AccessFlag[];
      readonly allLocations?: boolean;
      readonly locations?: readonly string[];
    },
  ): Promise<Role>;
  /**
   * An inactive role grants nothing until it is activated again.
   *
   * @throws `notFound`
   */
  setStatus(uid: string, status: Role['status']): Promise<Role>;
}
export const Roles = token<Roles>('core.Roles');
